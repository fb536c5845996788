// Private key blocks (RFC 7468): from the BEGIN line to the end of the END line, or to the end of the text when it is cut.

import type { Mask } from './fingerprint.ts';

/** `[ +]`: form encoding writes a space as `+`. */
export const KEY_BEGIN = /-----BEGIN[ +][A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----/;
/** Longest text that KEY_BEGIN matches. */
export const MAX_BEGIN_LENGTH = 80;
const END_LINE = /-----END[ +][A-Z0-9 +]{0,60}-----/g;

/** Offset behind the block that begins before `from`, or -1 when the text ends first. */
export function endOfKey(text: string, from: number): number {
  END_LINE.lastIndex = from;
  const end = END_LINE.exec(text);
  return end === null ? -1 : end.index + end[0].length;
}

export function maskPrivateKeys(text: string, mask: Mask): string {
  if (!text.includes('-----BEGIN')) return text;
  const begins = new RegExp(KEY_BEGIN, 'g');
  let out = '';
  let done = 0;
  for (let begin = begins.exec(text); begin !== null; begin = begins.exec(text)) {
    const end = endOfKey(text, begins.lastIndex);
    const stop = end < 0 ? text.length : end;
    out += text.slice(done, begin.index) + mask(text.slice(begin.index, stop), 'private-key');
    done = stop;
    begins.lastIndex = stop;
  }
  return out + text.slice(done);
}
