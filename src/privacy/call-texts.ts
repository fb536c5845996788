// The texts of a call that somebody wrote or that a model answered, each with its place: what the secret search looks
// through. Header fields are not among them: credentials belong there, and wire-conduct.ts looks at them.

import type { CallBodies, CallEvent, LlmRequest, Message, Part } from '../model/index.ts';

export interface CallText {
  readonly dir: 'sent' | 'received';
  /** For people: `message 2 (user)`, `answer`. */
  readonly where: string;
  readonly text: string;
  readonly message?: number;
  readonly part?: number;
  /** Tool that the text is an argument or a result of. */
  readonly item?: string;
  readonly file?: string;
}

/** Nested tool results are one deep in practice. */
const MAX_DEPTH = 4;

/** Names of arguments by which tools are given a file. */
const FILE_ARGUMENTS = /"(?:filePath|file_path|path|uri|filename)"\s*:\s*"((?:[^"\\]|\\.){1,400})"/;

const fileIn = (argumentsText: string): string | undefined => FILE_ARGUMENTS.exec(argumentsText)?.[1];

interface Origin {
  readonly item: string;
  readonly file?: string;
}

/** Tool calls of a request by id, so that a result knows what it is the result of. */
function toolCallsOf(messages: readonly Message[]): ReadonlyMap<string, Origin> {
  const calls = new Map<string, Origin>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.kind !== 'tool-call') continue;
      const file = fileIn(part.argumentsText);
      calls.set(part.id, { item: part.name, ...(file !== undefined && { file }) });
    }
  }
  return calls;
}

type Piece = Pick<CallText, 'text' | 'item' | 'file'>;

function* piecesOf(part: Part, calls: ReadonlyMap<string, Origin>, depth = 0): Generator<Piece> {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      yield { text: part.text };
      return;
    case 'tool-call':
      yield { text: part.argumentsText, item: part.name };
      return;
    case 'tool-result':
      if (depth >= MAX_DEPTH) return;
      for (const inner of part.parts)
        for (const piece of piecesOf(inner, calls, depth + 1)) yield { ...calls.get(part.callId), ...piece };
      return;
    case 'reference':
      yield { text: JSON.stringify(part.data) ?? '' };
      return;
    case 'other':
      yield { text: JSON.stringify(part.json) ?? '' };
      return;
    case 'image':
      if (part.url !== undefined) yield { text: part.url };
      return;
    case 'document':
      return;
  }
}

function* messagesOf({ messages }: LlmRequest): Generator<CallText> {
  const calls = toolCallsOf(messages);
  for (const [message, { role, parts }] of messages.entries()) {
    for (const [part, value] of parts.entries()) {
      for (const piece of piecesOf(value, calls))
        yield { dir: 'sent', where: `message ${message} (${role})`, message, part, ...piece };
    }
  }
}

/** A text member of a free-form object, or undefined. */
const textMember = (value: unknown, name: string): string | undefined => {
  const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof member === 'string' ? member : undefined;
};

/** First line of a completion's context: the path of the file that is being completed. */
export function completedFile({ parameters }: LlmRequest): { readonly file?: string; readonly language?: string } {
  const extra = parameters['extra'];
  const context =
    typeof extra === 'object' && extra !== null ? (extra as Record<string, unknown>)['context'] : undefined;
  const lines = Array.isArray(context) ? context.filter((item) => typeof item === 'string').join('\n') : '';
  const file = /^(?:Path: |\/\/ Path: |# Path: )(\S.{0,400})$/m.exec(lines)?.[1];
  const language = textMember(extra, 'language');
  return { ...(file !== undefined && { file }), ...(language !== undefined && { language }) };
}

function* requestTexts(request: LlmRequest): Generator<CallText> {
  yield* messagesOf(request);
  const { file } = completedFile(request);
  const from = file === undefined ? {} : { file };
  if (request.prompt !== undefined) yield { dir: 'sent', where: 'prompt', text: request.prompt, ...from };
  if (request.suffix !== undefined) yield { dir: 'sent', where: 'suffix', text: request.suffix, ...from };
  const parameters = JSON.stringify(request.parameters) ?? '';
  if (parameters.length > 2) yield { dir: 'sent', where: 'parameters', text: parameters };
}

function* answerTexts(llm: NonNullable<CallEvent['llm']>): Generator<CallText> {
  yield { dir: 'received', where: 'answer', text: llm.text };
  if (llm.thinking !== undefined) yield { dir: 'received', where: 'thinking', text: llm.thinking };
  for (const text of llm.alternatives ?? []) yield { dir: 'received', where: 'alternative', text };
  for (const { name, argumentsText } of llm.toolCalls)
    yield { dir: 'received', where: `tool call ${name}`, text: argumentsText, item: name };
}

/** Classes whose business is to exchange credentials: to find some in their bodies is no news. */
const CREDENTIAL_CLASS = /^auth\.|^models\.session$|^models\.auto$/;

function* serviceTexts(call: CallEvent, bodies: CallBodies | undefined): Generator<CallText> {
  if (CREDENTIAL_CLASS.test(call.class)) return;
  if (bodies !== undefined) {
    yield { dir: 'sent', where: 'request body', text: bodies.request.text };
  } else if (call.service?.facts === 'sent') {
    for (const { what, path, text } of call.service.items)
      yield { dir: 'sent', where: what, text, ...(path !== undefined && { file: path }) };
  } else if (call.service?.facts === 'router' && call.service.prompt !== undefined) {
    yield { dir: 'sent', where: 'prompt', text: call.service.prompt };
  }
}

/** All texts of `call` (secrets in place), in the order in which they were sent. */
export function* textsOf(call: CallEvent, bodies?: CallBodies): Generator<CallText> {
  const request = call.llm?.request;
  if (request !== undefined) yield* requestTexts(request);
  else yield* serviceTexts(call, bodies);
  if (call.llm !== undefined) yield* answerTexts(call.llm);
}
