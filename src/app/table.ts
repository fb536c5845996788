// A table of text: columns as wide as their widest cell, the last one as it is. Cells have passed `visible`.

import { inCells, type Paint, shorten, widthOf } from '../sinks/index.ts';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Widest a column gets, the last one excepted. */
const MAX_CELLS = 40;

export function* tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
  paint: Paint,
): Generator<string> {
  const widths = columns.map(({ title }, at) =>
    Math.min(MAX_CELLS, Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? '')))),
  );
  const line = (cells: readonly string[]): string => {
    const text = cells
      .map((cell, at) =>
        at === columns.length - 1 ? cell : inCells(cell, widths[at] ?? 0, columns[at]?.align ?? 'left'),
      )
      .join('  ')
      .trimEnd();
    return width === null ? text : shorten(text, width);
  };
  yield paint(line(columns.map(({ title }) => title)), 'dim');
  for (const row of rows) yield line(row);
}
