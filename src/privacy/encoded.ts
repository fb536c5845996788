// Secrets in disguise: percent-encoded (RFC 3986 §2.1), with JSON escapes (RFC 8259 §7), in base64 (RFC 4648). A run that
// decodes to something with a secret in it is replaced as a whole. `seek` looks into the decoded text.

import { MASKED, type Mask } from './fingerprint.ts';

/** Whether a text has a secret in it. */
export type Seek = (text: string) => boolean;

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const percentBytes = (run: string): string =>
  lenientUtf8.decode(Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16)));

/** Percent-decoded text; what is no valid escape stays. */
export const percentDecoded = (text: string): string => text.replace(/(?:%[0-9A-Fa-f]{2})+/g, percentBytes);

const unescaped = (text: string): string =>
  text.replace(/\\{1,4}u([0-9A-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Value of each base64 and base64url digit by its character code; 255 for others. */
const SEXTET = (() => {
  const table = new Uint8Array(128).fill(255);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  for (let i = 0; i < digits.length; i++) table[digits.charCodeAt(i)] = i;
  for (const [digit, value] of [
    ['+', 62],
    ['-', 62],
    ['/', 63],
    ['_', 63],
  ] as const)
    table[digit.charCodeAt(0)] = value;
  return table;
})();

const latin1 = new TextDecoder('latin1');

/** A secret has so many printable characters in a row at least; decoded paths and hashes practically never have. */
const MIN_PRINTABLE = 12;

const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Bytes of a run of base64 digits, `skip` digits in front left out, as Latin-1; null when they are no text anywhere. */
function base64Text(run: string, skip: number): string | null {
  const out = new Uint8Array(Math.ceil((run.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  let printable = 0;
  let longest = 0;
  for (let i = skip; i < run.length; i++) {
    bits = ((bits << 6) | (SEXTET[run.charCodeAt(i)] ?? 0)) & 0xffffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    const byte = (bits >> bitCount) & 255;
    out[at++] = byte;
    printable = isPrintable(byte) ? printable + 1 : 0;
    if (printable > longest) longest = printable;
  }
  return longest < MIN_PRINTABLE ? null : latin1.decode(out.subarray(0, at));
}

/** A run may begin in the middle of one (a path, a prefix): short ones are tried at each of the four alignments. */
const MAX_REALIGNED_LENGTH = 8_192;

const ALIGNMENTS = [0, 1, 2, 3];

const isBase64Secret = (run: string, seek: Seek): boolean =>
  ALIGNMENTS.some((skip) => {
    if (skip > 0 && run.length > MAX_REALIGNED_LENGTH) return false;
    const text = base64Text(run, skip);
    return text !== null && seek(text);
  });

const isMasked = new RegExp(`^${MASKED}$`);

/**
 * Runs that may be encoded text. A percent-encoded run ends where a raw delimiter of a URL or of prose stands; those that
 * encodeURIComponent leaves as they are (`' ( )` …) belong to it.
 */
const PERCENT_RUN = /[^\s"`<>&?#=,;[\]{}|\\]+/g;
const ESCAPED_RUN = /[^\s"'`<>]+/g;
const BASE64_RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** `text` with its encoded secrets replaced. Linear: each character is looked at a fixed number of times. */
export function maskEncoded(text: string, mask: Mask, seek: Seek): string {
  const masked = (run: string): string => (isMasked.test(run) ? run : mask(run, 'encoded-secret'));
  let out = text;
  if (out.includes('%')) {
    out = out.replace(PERCENT_RUN, (run) => (run.includes('%') && seek(percentDecoded(run)) ? masked(run) : run));
  }
  if (out.includes('\\u')) {
    out = out.replace(ESCAPED_RUN, (run) => (run.includes('\\u') && seek(unescaped(run)) ? masked(run) : run));
  }
  return out.replace(BASE64_RUN, (run) => (isBase64Secret(run, seek) ? masked(run) : run));
}
