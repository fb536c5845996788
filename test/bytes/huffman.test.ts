import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTable } from '../../src/bytes/huffman.ts';

describe('buildTable', () => {
  it('builds the example of RFC 1951 §3.2.2: A to H with lengths 3,3,3,3,3,2,4,4', () => {
    const table = buildTable(Uint8Array.of(3, 3, 3, 3, 3, 2, 4, 4));
    expect(table?.maxBits).toBe(4);
    // F is 00; A is 010, in stream order 0,1,0; H is 1111.
    expect(table?.entries[0b0000]).toBe((5 << 4) | 2);
    expect(table?.entries[0b0010]).toBe((0 << 4) | 3);
    expect(table?.entries[0b1111]).toBe((7 << 4) | 4);
  });

  it('refuses more codes than there are and allows fewer', () => {
    expect(buildTable(Uint8Array.of(1, 1, 1))).toBeUndefined();
    expect(buildTable(Uint8Array.of(1))?.entries[1]).toBe(0);
  });

  it.each([
    ['of its own', undefined],
    ['that an older table has left', new Uint16Array(1 << 15).fill(0xffff)],
    ['that is too small', new Uint16Array(2)],
  ])('finds every symbol by its code, whatever bits follow it, in space %s', (_, space) => {
    const lengths = fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 286 });
    fc.assert(
      fc.property(lengths, fc.nat(0x7fff), (wished, following) => {
        const fitting = withinRoom(wished);
        const table = buildTable(Uint8Array.from(fitting), space);
        for (const [symbol, length] of fitting.entries()) {
          if (length === 0) continue;
          const bits = codeOf(fitting, symbol) | (following << length);
          expect(table?.entries[bits & ((1 << (table?.maxBits ?? 0)) - 1)]).toBe((symbol << 4) | length);
        }
        const whole = table?.entries.subarray(0, 1 << (table.maxBits ?? 0)) ?? [];
        expect(whole.filter((entry) => entry !== 0).length).toBe(
          fitting.reduce((sum, length) => sum + (length === 0 ? 0 : 1 << ((table?.maxBits ?? 0) - length)), 0),
        );
      }),
      { numRuns: 50 },
    );
  });
});

/** Lengths that leave room for each other (Kraft); those that do not fit get no code. */
function withinRoom(lengths: readonly number[]): number[] {
  let left = 1 << 15;
  return lengths.map((length) => {
    const share = length === 0 ? 0 : 1 << (15 - length);
    if (share > left) return 0;
    left -= share;
    return length;
  });
}

/** The code of a symbol, first bit lowest, by the words of RFC 1951 §3.2.2. */
function codeOf(lengths: readonly number[], symbol: number): number {
  const length = lengths[symbol] ?? 0;
  let code = 0;
  for (let bits = 1; bits <= length; bits++)
    code = (code + lengths.filter((other) => other === bits - 1 && other > 0).length) << 1;
  code += lengths.slice(0, symbol).filter((other) => other === length).length;
  return Number.parseInt([...code.toString(2).padStart(length, '0')].reverse().join(''), 2);
}
