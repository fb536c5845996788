import { describe, expect, it } from 'vitest';
import { hasCipherTable } from '../../../../src/capture/discover/boringssl/find-cipher-table.ts';
import { tinyImage } from '../tiny-elf.ts';

const ROW_BYTES = 40;

/** A table as BoringSSL's, `at` bytes into the data: numbers of its rows, with key exchange and authentication. */
function dataWith(rows: readonly (readonly [number, number, number])[], at = 64, sizeBytes = 4096): Uint8Array {
  const data = new Uint8Array(sizeBytes);
  const view = new DataView(data.buffer);
  rows.forEach((fields, row) => {
    fields.forEach((value, i) => {
      view.setUint32(at + row * ROW_BYTES + 16 + 4 * i, value, true);
    });
  });
  return data;
}

const rowsOf = (prefix: number): [number, number, number][] => [
  [prefix + 0x1301, 8, 16],
  [prefix + 0x1302, 8, 16],
  [prefix + 0x1303, 8, 16],
];

const has = (data: Uint8Array): boolean => hasCipherTable(tinyImage({ data }));

describe('BoringSSL’s table of cipher suites', () => {
  it('is found in both forms that it had', () => {
    expect(has(dataWith(rowsOf(0)))).toBe(true);
    expect(has(dataWith(rowsOf(0x0300_0000)))).toBe(true);
  });

  it('is found wherever it lies, also across blocks of the search', () => {
    const mebibyte = 1024 * 1024;
    for (const before of [0, 8, 48, 88, 96, 136])
      expect(has(dataWith(rowsOf(0), mebibyte - before, 2 * mebibyte + 4096)), `${before} before`).toBe(true);
    expect(has(dataWith(rowsOf(0), 2 * mebibyte, 2 * mebibyte + 136))).toBe(true);
  });

  it.each([
    ['nothing', dataWith([])],
    ['two rows', dataWith(rowsOf(0).slice(0, 2))],
    ['rows in another order', dataWith(rowsOf(0).reverse())],
    ['rows of another prefix', dataWith(rowsOf(0x0200_0000))],
    ['rows that differ in their key exchange', dataWith(rowsOf(0).map(([id], i) => [id, 8 + i, 16] as const))],
    ['numbers alone', dataWith(rowsOf(0).map(([id]) => [id, 0, 0] as const))],
    ['a table that is not aligned', dataWith(rowsOf(0), 68)],
  ])('is not taken for found in %s', (_, data) => {
    expect(has(data)).toBe(false);
  });
});
