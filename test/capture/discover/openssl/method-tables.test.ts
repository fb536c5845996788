import { describe, expect, it } from 'vitest';
import { ANY_VERSION, readTables, slotAt, tablesAt } from '../../../../src/capture/discover/openssl/method-tables.ts';
import { CODE_ADDRESS, DATA_ADDRESS, tinyImage } from '../tiny-elf.ts';

const SLOTS = 5;
const VERSIONS = new Set([ANY_VERSION, 0x303]);

/** A file whose data is one table with this head. */
function image(version: number, flags: number, mask: bigint, slots = [0, 1, 2, 3, 4]) {
  const functions = slots.map((n) => BigInt(CODE_ADDRESS + n * 16));
  const words = [BigInt(version) | (BigInt(flags) << 32n), mask, ...functions, 0n];
  const data = new Uint8Array(BigUint64Array.from(words).buffer);
  return tinyImage({ code: new Uint8Array(0x100), data });
}

const count = (...head: Parameters<typeof image>): number => readTables(image(...head), VERSIONS, SLOTS).length;

describe('method tables', () => {
  it('are read with their functions, by offset', () => {
    const [table] = readTables(image(0x303, 0, 0x0800_0000n), VERSIONS, SLOTS);
    expect([table?.base, table && slotAt(table, 0x10), table && slotAt(table, 0x20)]).toEqual([
      DATA_ADDRESS,
      CODE_ADDRESS,
      CODE_ADDRESS + 32,
    ]);
  });

  it('are those of the wanted versions, with the flags and masks that such tables have', () => {
    expect([count(ANY_VERSION, 0, 0n), count(0x303, 2, 0x0800_0000n)]).toEqual([1, 1]);
    expect([count(0x304, 0, 0n), count(0xfefd, 0, 0n)]).toEqual([0, 0]);
    expect([count(0x303, 4, 0n), count(0x303, 0, 1n << 32n), count(ANY_VERSION, 0, 1n)]).toEqual([0, 0, 0]);
  });

  it('hold functions only', () => {
    expect(count(0x303, 0, 0n, [0, 1, 2, 3])).toBe(0);
    expect(count(0x303, 0, 0n, [0, 1, 2, 3, 4000])).toBe(0);
  });

  it('are looked at where they are said to be, whatever their version', () => {
    const elf = image(0xfefd, 0, 0n);
    expect(tablesAt(elf, [DATA_ADDRESS, DATA_ADDRESS + 8, 0], SLOTS).map((t) => t.base)).toEqual([DATA_ADDRESS]);
  });
});
