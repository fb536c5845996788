// JSON that a terminal can be shown. RFC 8259 §7 asks for escapes of C0 only, and JSON.stringify gives no more: DEL, C1 and
// the bidirectional controls would steer a terminal or reorder a line. Escaped they stay the same value for a parser.

/** DEL, C1 (ECMA-48); bidirectional controls (UAX #9 §2); line and paragraph separators. None lies outside the BMP. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `value` as JSON without raw control characters; they can only stand in strings, where an escape means the same. */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(UNSAFE, escaped);
