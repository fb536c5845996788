// Text in columns: display width by Unicode (wide East Asian characters and emoji take two cells), shortening that never
// cuts a character in half. Input has passed `visible`.

import stringWidth from 'string-width';

const ASCII = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cells that `text` takes. */
export const widthOf = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));

/** `text` in at most `cells` cells; an ellipsis stands for what was left out. */
export function shorten(text: string, cells: number): string {
  if (cells <= 0) return '';
  // Text of a million characters is not measured: no character of a grapheme shows in more than the first few thousand.
  const head = text.length > cells * 8 + 64 ? text.slice(0, cells * 8 + 64) : text;
  if (head === text && widthOf(text) <= cells) return text;
  let out = '';
  let used = 0;
  for (const { segment } of graphemes.segment(head)) {
    const width = widthOf(segment);
    if (used + width > cells - 1) break;
    out += segment;
    used += width;
  }
  return `${out}…`;
}

/** `text` in exactly `cells` cells. */
export function inCells(text: string, cells: number, align: 'left' | 'right'): string {
  const short = shorten(text, cells);
  const padding = ' '.repeat(Math.max(0, cells - widthOf(short)));
  return align === 'left' ? short + padding : padding + short;
}
