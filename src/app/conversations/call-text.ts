// `tracer show CALL` for people: one call whole, heads and request included.

import type { BodySummary, CallEvent, HeaderField, LlmRequest, LlmSummary, Message, Part } from '../../model/index.ts';
import { bytes, counted, duration, exact, type Paint, timeOfDay, visible } from '../../sinks/index.ts';
import { type BlockStyle, block, line, whole } from './block.ts';
import { whyText } from './story.ts';

/** A call is shown whole: the bound is only there for the terminal's sake. */
const MAX_LINES = 100_000;

export function* callText(call: CallEvent, paint: Paint): Generator<string> {
  const style: BlockStyle = { paint, indent: 2, maxLines: MAX_LINES };
  const kind = call.kind === undefined ? '' : ` ${call.kind}`;
  yield `${paint(visible(`Call ${call.id}: ${call.class}${kind}`), 'bold')}  ${timeOfDay(call.time)}  ${duration(call.timing.durationMs)}`;
  yield* line('named by', whyText(call), style);
  yield* line('from', `${call.role}:${call.pid}`, style);
  yield* line(
    'request',
    `${call.method ?? '-'} ${call.host ?? '-'}${call.path ?? ''} (HTTP ${call.httpVersion})`,
    style,
  );
  yield* bodyText(call.request, style);
  if (call.llm?.request !== undefined) yield* requestText(call.llm.request, style);
  yield* line('answer', answerLine(call), style);
  yield* bodyText(call.response, style);
  if (call.llm !== undefined) yield* replyText(call.llm, style);
  if (call.service !== undefined) yield* block('facts', whole(JSON.stringify(call.service, null, 2)), style);
  for (const note of call.notes ?? []) yield* line('note', note, style);
}

function answerLine({ status, end, captured, timing }: CallEvent): string {
  const first = timing.ttftMs === null ? '' : `, first token after ${duration(timing.ttftMs)}`;
  return `${status ?? 'no status'}, ${end}, captured ${captured}${first}`;
}

function* bodyText(
  { bytes: size, decodedBytes, lostBytes, headers }: BodySummary,
  style: BlockStyle,
): Generator<string> {
  const decoded = decodedBytes === size ? '' : `, ${bytes(decodedBytes)} decoded`;
  const lost = lostBytes === undefined ? '' : `, ${bytes(lostBytes)} lost`;
  yield* line('body', `${bytes(size)}${decoded}${lost}`, style);
  if (headers.length > 0) yield* block('headers', whole(headers.map(headerLine).join('\n')), style);
}

const headerLine = ([name, value]: HeaderField): string => `${name}: ${value}`;

function* requestText(request: LlmRequest, style: BlockStyle): Generator<string> {
  const { dialect, model, tools, parameters, prompt, suffix, previousResponseId } = request;
  yield* line('dialect', `${dialect}, model ${model ?? 'not named'}`, style);
  if (previousResponseId !== undefined) yield* line('continues', previousResponseId, style);
  const set = Object.entries(parameters).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  if (set.length > 0) yield* line('set', set.join(', '), style);
  const deferred = tools.filter((tool) => tool.deferred).length;
  if (tools.length > 0) {
    const hidden = deferred === 0 ? '' : `, ${exact(deferred)} of them deferred`;
    yield* block(
      'tools',
      whole(`${counted(tools.length, 'tool')}${hidden}: ${tools.map(({ name }) => name).join(', ')}`),
      style,
    );
  }
  if (prompt !== undefined) yield* block('prompt', whole(prompt), style);
  if (suffix !== undefined) yield* block('suffix', whole(suffix), style);
  for (const message of request.messages) yield* messageText(message, style);
}

function* messageText({ role, parts, name }: Message, style: BlockStyle): Generator<string> {
  for (const [at, part] of parts.entries()) {
    const label = at === 0 ? (name === undefined ? role : `${role} ${name}`) : '';
    yield* block(label, whole(partText(part)), style);
  }
}

/** A part in words, with what it holds. */
function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'image':
      return `[image ${part.mediaType}${part.bytes === undefined ? '' : `, ${bytes(part.bytes)}`}]`;
    case 'document':
      return `[document ${part.name ?? ''} ${part.mediaType}]`;
    case 'thinking':
      return part.text === '' ? '[thinking, opaque]' : `[thinking] ${part.text}`;
    case 'tool-call':
      return `[calls ${part.name} (${part.id})] ${part.argumentsText}`;
    case 'tool-result':
      return `[result of ${part.callId}${part.isError === true ? ', failed' : ''}]\n${part.parts.map(partText).join('\n')}`;
    case 'reference':
      return `[reference ${part.type} ${part.id ?? ''}] ${JSON.stringify(part.data)}`;
    case 'other':
      return `[${part.type}] ${JSON.stringify(part.json)}`;
  }
}

function* replyText(llm: LlmSummary, style: BlockStyle): Generator<string> {
  if (llm.answeredBy !== undefined) yield* line('model', llm.answeredBy, style);
  if (llm.thinking !== undefined) yield* block('thought', whole(llm.thinking), style);
  if (llm.text !== '') yield* block('says', whole(llm.text), style);
  for (const text of llm.alternatives ?? []) yield* block('or', whole(text), style);
  for (const { name, id, argumentsText } of llm.toolCalls)
    yield* block('calls', whole(`${name} (${id}) ${argumentsText}`), style);
  if (llm.error !== undefined) yield* line('error', `${llm.error.code} ${llm.error.message}`, style);
  for (const { type, json } of llm.other ?? []) yield* line('other', `${type} ${JSON.stringify(json)}`, style);
  const counts = Object.entries(llm.usage).map(([name, count]) => `${exact(count)} ${name}`);
  if (counts.length > 0) yield* line('usage', counts.join(', '), style);
  if (llm.finishReason !== null) yield* line('finish', llm.finishReason, style);
}
