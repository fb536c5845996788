// Fingerprints of what a request says, piece by piece, so that two requests can be compared without keeping their texts.
// A piece is a part of a message, not a message: wires differ in how they cut a history into messages (one joins neighbours
// of a role, another sends tool results as the user's), and a conversation may move from one wire to another. What a client
// changes between two sendings does not count: cache breakpoints, thinking, trailing space, the spacing of JSON.

import type { LlmRequest, LlmSummary, Message, Part } from '../model/index.ts';

/** 64 bits as text: equal fingerprints are taken for equal pieces. */
export type Fingerprint = string;

/** Two independent 32-bit multiplicative hashes (FNV-1a's scheme with its prime and a second odd one) over all texts. */
function fingerprintTexts(texts: readonly string[]): Fingerprint {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x85ebca6b);
      b ^= b >>> 13;
    }
    // A separator that no code unit equals: "ab" + "c" is not "a" + "bc".
    a = Math.imul(a ^ 0x10000, 0x01000193);
    b = Math.imul(b ^ 0x10000, 0x85ebca6b);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}

export const fingerprintText = (text: string): Fingerprint => fingerprintTexts([text]);

/** All pieces but the system's: its text may hold the date and the list of tools. */
export function fingerprintsOf(messages: readonly Message[]): Fingerprint[] {
  const pieces: Fingerprint[] = [];
  for (const { role, parts } of messages) {
    if (role === 'system') continue;
    for (const part of parts) {
      const texts = textsOf(part, role === 'assistant' ? 'assistant' : 'user');
      if (texts !== undefined) pieces.push(fingerprintTexts(texts));
    }
  }
  return pieces;
}

/** Pieces of an answer, as the next request will carry it. */
export function answerFingerprints(llm: Pick<LlmSummary, 'text' | 'toolCalls'> | undefined): Fingerprint[] {
  if (llm === undefined) return [];
  const calls = llm.toolCalls.map((call): Part => ({ kind: 'tool-call', ...call }));
  return fingerprintsOf([{ role: 'assistant', parts: [{ kind: 'text', text: llm.text }, ...calls] }]);
}

/** What makes a part what it is; undefined for parts that say nothing or change between two sendings. */
function textsOf(part: Part, side: string): string[] | undefined {
  switch (part.kind) {
    case 'text': {
      const text = part.text.trimEnd();
      return text === '' ? undefined : [side, text];
    }
    case 'tool-call':
      return ['call', part.id, part.name, compact(part.argumentsText)];
    case 'tool-result':
      return ['result', part.callId, ...part.parts.flatMap((inner) => textsOf(inner, '') ?? [])];
    case 'image':
    case 'document':
      return [part.kind, part.mediaType, part.kind === 'image' ? (part.url ?? '').slice(0, 256) : (part.name ?? '')];
    case 'reference':
      return ['reference', part.type, part.id ?? '', JSON.stringify(part.data) ?? ''];
    case 'thinking':
    case 'other':
      return undefined;
  }
}

/** JSON without optional space; text that is not JSON as it is. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // Cut or free-form arguments.
    return text.trim();
  }
}

/** How many pieces two lists share from their beginning. */
export function commonPrefix(a: readonly Fingerprint[], b: readonly Fingerprint[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** Pieces up to and including the last human message: what tells a conversation from others of the same workspace. */
export function openingOf(request: LlmRequest, isHuman: (message: Message) => boolean): number {
  const last = request.messages.findLastIndex(isHuman);
  return fingerprintsOf(request.messages.slice(0, last + 1)).length;
}

/** Text of a message, tool results excluded. */
export const textOfMessage = (message: Message): string =>
  message.parts.map((part: Part) => (part.kind === 'text' ? part.text : '')).join('\n');
