// What a person typed, out of the prompt that the editor built around it. Prompt sections are not escaped, so file
// content may contain section marks: the last section of the name counts, up to the last closing mark.

import { isNudge } from '../dialects/index.ts';
import type { LlmRequest, Message } from '../model/index.ts';
import { textOfMessage } from './fingerprint.ts';

/** Longest text kept of a user's message. */
const MAX_CHARS = 16 * 1024;
/** Names under which the user's own words stand, by prompt family. */
const SECTIONS = ['userRequest', 'user_query', 'prompt'];

export const isHuman = (message: Message): boolean =>
  message.role === 'user' && message.parts.some((part) => part.kind !== 'tool-result');

/** Position of the last human message among all messages, -1 when there is none. */
export const lastHuman = (request: LlmRequest): number =>
  request.messages.findLastIndex((message, at) => isHuman(message) && !isNudge(request, at));

export function userTextOf(message: Message | undefined): string {
  if (message === undefined) return '';
  const text = textOfMessage(message);
  for (const name of SECTIONS) {
    const section = lastSection(text, name);
    if (section !== undefined) return section.slice(0, MAX_CHARS);
  }
  return text.trim().slice(0, MAX_CHARS);
}

function lastSection(text: string, name: string): string | undefined {
  const from = text.lastIndexOf(`<${name}>`);
  if (from < 0) return undefined;
  const end = text.lastIndexOf(`</${name}>`);
  return text.slice(from + name.length + 2, end > from ? end : undefined).trim();
}
