// What the rules of kinds look at: a chat request as a conversation, with the look-ups that rules need. Bodies of prompt
// sections are not escaped, so tags found deep in a text are no evidence: only the head of the system text and the head
// and tail of the user's texts are searched.

import { isNudge, objectOf, textOf } from '../dialects/index.ts';
import type { LlmRequest, Message } from '../model/index.ts';
import { type CallView, header } from './view.ts';

export interface ChatView {
  readonly class: string;
  readonly intent: string;
  readonly interactionType: string;
  /** `X-Initiator`, or the `initiator` of a WebSocket's request. */
  readonly initiator: string;
  readonly userAgent: string;
  readonly onBehalf: string;
  readonly model: string;
  /** Head of the first system message. */
  readonly system: string;
  /** Texts of the last human message: head and tail. */
  readonly lastUser: string;
  /** Head of the first human message. */
  readonly firstUser: string;
  readonly lastRole: 'user' | 'tool' | 'assistant' | 'none';
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** Tool that the model must call, empty when it is free to choose. */
  readonly forcedTool: string;
  /** `tool_choice` as sent when it is a word. */
  readonly toolChoice: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Identity lines and tasks stand at the beginning of a text, the request proper at its end. */
const HEAD_CHARS = 32 * 1024;
const TAIL_CHARS = 32 * 1024;

export function chatViewOf(view: CallView, callClass: string, request: LlmRequest): ChatView {
  const messages = request.messages.filter((_, at) => !isNudge(request, at));
  const users = messages.filter(isHuman);
  const last = users.at(-1);
  return {
    class: callClass,
    intent: header(view, 'openai-intent').toLowerCase(),
    interactionType: header(view, 'x-interaction-type').toLowerCase(),
    initiator: (header(view, 'x-initiator') || textOf(request.parameters['initiator'])).toLowerCase(),
    userAgent: header(view, 'user-agent'),
    onBehalf: header(view, 'x-onbehalf-extension-id'),
    model: request.model ?? '',
    system: headOf(messages.filter((message) => message.role === 'system')),
    lastUser: last === undefined ? '' : ends(textsOf(last)),
    firstUser: users[0] === undefined ? '' : textsOf(users[0]).slice(0, HEAD_CHARS),
    lastRole: lastRole(messages.at(-1)),
    tools: request.tools.map((tool) => tool.name),
    forcedTool: forcedTool(request.parameters['tool_choice']),
    toolChoice: textOf(request.parameters['tool_choice']),
    parameters: request.parameters,
  };
}

const isToolResult = (message: Message): boolean => message.parts.some((part) => part.kind === 'tool-result');

/** A user message with something else than tool results in it (Anthropic sends those as user messages). */
const isHuman = (message: Message): boolean =>
  message.role === 'user' && message.parts.some((part) => part.kind !== 'tool-result');

function lastRole(message: Message | undefined): ChatView['lastRole'] {
  if (message === undefined) return 'none';
  if (message.role === 'tool' || isToolResult(message)) return 'tool';
  return message.role === 'assistant' ? 'assistant' : 'user';
}

function textsOf(message: Message): string {
  return message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}

function headOf(messages: readonly Message[]): string {
  let text = '';
  for (const message of messages) {
    if (text.length >= HEAD_CHARS) break;
    text += `${textsOf(message)}\n`;
  }
  return text.slice(0, HEAD_CHARS);
}

const ends = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS ? text : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`;

/** `{function: {name}}` on Chat Completions, `{name}` on Responses and Messages. */
function forcedTool(choice: unknown): string {
  const object = objectOf(choice);
  return textOf(objectOf(object['function'])['name']) || textOf(object['name']);
}
