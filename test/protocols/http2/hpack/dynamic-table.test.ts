import { expect, test } from 'vitest';
import {
  DynamicTable,
  entryName,
  LATE_TABLE_BYTES,
  TABLE_CAP_BYTES,
} from '../../../../src/protocols/http2/hpack/dynamic-table.ts';

const add = (table: DynamicTable, name: string, value: string): void => table.insert(name, value, null, [name, value]);
const pairAt = (table: DynamicTable, index: number) => table.get(index)?.pair;

test('index 1 is the newest; the oldest goes when the size is exceeded', () => {
  const table = new DynamicTable();
  table.resize(34 * 2);
  for (const value of ['1', '2', '3']) add(table, 'n', value);
  expect([pairAt(table, 1), pairAt(table, 2), table.get(3)]).toEqual([['n', '3'], ['n', '2'], undefined]);
});

test('an entry larger than the table empties it', () => {
  const table = new DynamicTable();
  add(table, 'n', 'v');
  add(table, 'n', 'v'.repeat(5000));
  expect(table.get(1)).toBeUndefined();
});

test('thousands of insertions leave the newest in place', () => {
  const table = new DynamicTable();
  for (let n = 0; n < 10_000; n++) add(table, 'name', String(n));
  expect([pairAt(table, 1), pairAt(table, 100), table.get(121)]).toEqual([
    ['name', '9999'],
    ['name', '9900'],
    undefined,
  ]);
});

test('after the past is forgotten, older entries are unknown but the same at each use', () => {
  const table = new DynamicTable();
  table.forget();
  const first = table.get(3);
  add(table, 'n', 'v');
  expect(table.get(4)).toBe(first);
  expect(table.get(3)).not.toBe(first);
  expect(first).toMatchObject({ pair: null, name: null, value: null });
});

test('a borrowed name is known as soon as its owner is', () => {
  const table = new DynamicTable();
  table.forget();
  const owner = table.get(1);
  if (owner === undefined) throw new Error('no entry');
  table.insert(null, 'v', owner, null);
  owner.name = 'learned';
  expect(entryName(table.get(1) ?? owner)).toBe('learned');
});

test('an unknown size keeps a bounded table; a known one is followed up to the cap', () => {
  const big = 'v'.repeat(1000 - 33);
  const table = new DynamicTable();
  table.forget();
  for (let n = 0; n < 2000; n++) add(table, 'n', big);
  const kept = Math.floor(LATE_TABLE_BYTES / 1000);
  expect([pairAt(table, kept)?.[0], pairAt(table, kept + 1)]).toEqual(['n', null]);
  const wide = new DynamicTable();
  wide.resize(1 << 28);
  for (let n = 0; n < 2000; n++) add(wide, 'n', big);
  const cap = Math.floor(TABLE_CAP_BYTES / 1000);
  expect([pairAt(wide, cap)?.[0], pairAt(wide, cap + 1), wide.isWhole]).toEqual(['n', null, false]);
});
