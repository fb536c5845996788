// Makes captured text safe for a terminal: nothing that a traced program or its peer sent may move the cursor, change
// colours, retitle the window, answer back, or reorder text. Such characters are shown, not dropped, so that the reader
// sees that they were there.

/**
 * C0, DEL, C1 (ECMA-48 controls); bidirectional controls (UAX #9 §2: CVE-2021-42574); invisible and deprecated format
 * characters; tag characters (text that only a model reads); line and paragraph separators; lone surrogates.
 * U+200D, U+FE0F stay: emoji sequences need them, and they alone hide nothing.
 */
export const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Surrogate}]/gu;

/** Replacement of one unsafe character: a control picture where Unicode has one, the code point otherwise. */
function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Text on one line: line breaks and tabs become pictures too. */
export const visible = (text: string): string => text.replace(UNSAFE, picture);

/** Text as lines: `\n` and `\r\n` break, tabs become two spaces, everything else is made visible. */
export const visibleLines = (text: string): string[] =>
  text.split(/\r?\n/).map((line) => visible(line.replaceAll('\t', '  ')));
