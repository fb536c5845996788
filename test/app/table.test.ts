import { expect, test } from 'vitest';
import { tableLines } from '../../src/app/table.ts';
import { painter } from '../../src/sinks/index.ts';

const columns = [
  { title: 'NAME', align: 'left' },
  { title: 'COUNT', align: 'right' },
  { title: 'NOTE', align: 'left' },
] as const;
const rows = [
  ['a', '1', 'first'],
  ['漢字', '22', ''],
  ['x'.repeat(60), '3', 'long'],
];

test('columns are as wide as their widest cell, up to a bound, and count cells, not characters', () => {
  expect([...tableLines(columns, rows.slice(0, 2), null, painter(false))]).toEqual([
    'NAME  COUNT  NOTE',
    'a         1  first',
    '漢字     22',
  ]);
  expect([...tableLines(columns, rows, null, painter(false))][3]).toBe(`${'x'.repeat(39)}…      3  long`);
});

test('a terminal’s width is kept', () => {
  expect([...tableLines(columns, rows.slice(0, 1), 14, painter(false))]).toEqual(['NAME  COUNT  …', 'a         1  …']);
});
