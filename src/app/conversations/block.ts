// A label at the left, captured text at the right of it, line by line: the shape of every transcript.

import type { KeptText } from '../../insight/index.ts';
import { counted, inCells, type Paint, shorten, visible, visibleLines } from '../../sinks/index.ts';

export interface BlockStyle {
  readonly paint: Paint;
  /** Columns before the label. */
  readonly indent: number;
  readonly maxLines: number;
}

const LABEL_CELLS = 10;
/** A line may be a minified file. */
const MAX_LINE_CELLS = 2000;
const MAX_ONE_LINE_CELLS = 400;

export function block(label: string, { text, chars }: KeptText, { paint, indent, maxLines }: BlockStyle): string[] {
  const all = visibleLines(text);
  const shown = all.slice(0, maxLines).map((line) => shorten(line, MAX_LINE_CELLS));
  if (all.length > maxLines) shown.push(paint(`… ${counted(all.length - maxLines, 'more line')}`, 'dim'));
  if (chars > text.length) shown.push(paint(`… ${counted(chars - text.length, 'more character')} not kept`, 'dim'));
  const space = ' '.repeat(indent);
  return shown.map((line, at) =>
    `${space}${paint(inCells(at === 0 ? label : '', LABEL_CELLS, 'left'), 'dim')} ${line}`.trimEnd(),
  );
}

/** Text of our own or short captured text on one line. */
export const line = (label: string, text: string, style: BlockStyle): string[] =>
  block(label, whole(oneLine(text)), style);

export const oneLine = (text: string): string => shorten(visible(text.replace(/\s+/g, ' ').trim()), MAX_ONE_LINE_CELLS);

export const whole = (text: string): KeptText => ({ text, chars: text.length });
