// Fingerprints of messages, so that two requests can be compared without keeping their texts. What a client changes
// between two sendings of the same message does not count: cache breakpoints and the length of opaque data.

import type { LlmRequest, Message, Part } from '../model/index.ts';

/** 64 bits as text: equal fingerprints are taken for equal messages. */
export type Fingerprint = string;

/** Two independent 32-bit multiplicative hashes (FNV-1a's scheme with its prime and a second odd one). */
export function fingerprintText(text: string): Fingerprint {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}

const IGNORED = new Set(['cached', 'opaqueBytes']);

const withoutMarks = (key: string, value: unknown): unknown => (IGNORED.has(key) ? undefined : value);

const fingerprintMessage = (message: Message): Fingerprint =>
  fingerprintText(`${message.role}\n${JSON.stringify(message.parts, withoutMarks)}`);

/** All messages but the system's: its text may hold the date and the list of tools. */
export const fingerprintsOf = (request: LlmRequest): Fingerprint[] =>
  request.messages.filter((message) => message.role !== 'system').map(fingerprintMessage);

/** How many messages two lists share from their beginning. */
export function commonPrefix(a: readonly Fingerprint[], b: readonly Fingerprint[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** Text of a message, tool results excluded. */
export const textOfMessage = (message: Message): string =>
  message.parts.map((part: Part) => (part.kind === 'text' ? part.text : '')).join('\n');
