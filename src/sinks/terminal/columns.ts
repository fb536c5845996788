// The table of one line per call: which columns there are, and how they share a terminal's width. A wide terminal gives the
// flexible columns room; a narrow one loses whole columns, the least telling first, and never wraps.

export const COLUMN_NAMES = [
  'time',
  'process',
  'class',
  'model',
  'status',
  'input',
  'cached',
  'output',
  'ttft',
  'duration',
  'note',
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

interface ColumnSpec {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly minCells: number;
  readonly maxCells: number;
}

/** Numbers fit: seven digits of tokens, `12.4s`, a status. A time is shown to the second or to the millisecond. */
export const COLUMNS: Readonly<Record<ColumnName, ColumnSpec>> = {
  time: { title: 'TIME', align: 'left', minCells: 8, maxCells: 12 },
  process: { title: 'PROCESS', align: 'left', minCells: 12, maxCells: 24 },
  class: { title: 'CLASS', align: 'left', minCells: 18, maxCells: 34 },
  model: { title: 'MODEL', align: 'left', minCells: 14, maxCells: 26 },
  status: { title: 'ST', align: 'right', minCells: 3, maxCells: 3 },
  input: { title: 'IN', align: 'right', minCells: 7, maxCells: 7 },
  cached: { title: 'CACHED', align: 'right', minCells: 7, maxCells: 7 },
  output: { title: 'OUT', align: 'right', minCells: 6, maxCells: 6 },
  ttft: { title: 'TTFT', align: 'right', minCells: 6, maxCells: 6 },
  duration: { title: 'TOTAL', align: 'right', minCells: 6, maxCells: 6 },
  note: { title: 'NOTE', align: 'left', minCells: 11, maxCells: 400 },
};

/** Dropped first when the terminal is narrow; time, class and status always stay. */
const DROP_ORDER: readonly ColumnName[] = ['cached', 'ttft', 'process', 'input', 'output', 'model', 'duration', 'note'];

/** Share what is left, cell by cell, each up to its maximum. */
const FLEXIBLE: readonly ColumnName[] = ['model', 'class', 'process', 'note'];

/** Width used when the output is not a terminal: nothing is shortened but absurdly long notes. */
const UNBOUNDED_CELLS = 560;

const GAP_CELLS = 1;

export type Layout = ReadonlyMap<ColumnName, number>;

const total = (layout: Layout): number => {
  let cells = (layout.size - 1) * GAP_CELLS;
  for (const width of layout.values()) cells += width;
  return cells;
};

/** Columns that are shown in a terminal of this width, with their widths, in order. */
export function layoutFor(columns: number | null): Layout {
  const width = columns ?? UNBOUNDED_CELLS;
  const layout = new Map(COLUMN_NAMES.map((name) => [name, COLUMNS[name].minCells]));
  for (const name of DROP_ORDER) {
    if (total(layout) <= width) break;
    layout.delete(name);
  }
  const millisecondCells = COLUMNS.time.maxCells - COLUMNS.time.minCells;
  if (width - total(layout) >= millisecondCells) layout.set('time', COLUMNS.time.maxCells);
  share(layout, width - total(layout));
  return layout;
}

function share(layout: Map<ColumnName, number>, spareCells: number): void {
  let growing = FLEXIBLE.filter((name) => layout.has(name));
  for (let spare = spareCells; spare > 0 && growing.length > 0; spare--) {
    const name = growing[spare % growing.length] ?? 'note';
    const cells = (layout.get(name) ?? 0) + 1;
    layout.set(name, cells);
    if (cells >= COLUMNS[name].maxCells) growing = growing.filter((other) => other !== name);
  }
}
