import { describe, expect, it } from 'vitest';
import { forEachPointer, forEachRelocation, pointerReader } from '../../../../src/capture/discover/code/scan-data.ts';
import { CODE_ADDRESS, DATA_ADDRESS, tinyImage } from '../tiny-elf.ts';

/** Data of 64-bit words. */
const words = (...values: number[]): Uint8Array => new Uint8Array(BigUint64Array.from(values.map(BigInt)).buffer);

const DT_RELA = 7;
const DT_RELASZ = 8;
const DT_STRTAB = 5;

describe('pointers in data', () => {
  it('are found in aligned words with their holder', () => {
    const image = tinyImage({ data: words(CODE_ADDRESS + 4, 5, CODE_ADDRESS + 8 + 2 ** 40, CODE_ADDRESS + 9) });
    const found: number[][] = [];
    forEachPointer(image, CODE_ADDRESS, CODE_ADDRESS + 16, (target, holder) => {
      found.push([target - CODE_ADDRESS, holder - DATA_ADDRESS]);
    });
    expect(found).toEqual([
      [4, 0],
      [9, 24],
    ]);
    expect(pointerReader(image, new Map())(DATA_ADDRESS)).toBe(CODE_ADDRESS + 4);
  });

  it('are found in relocations, which win over the word that they fill', () => {
    const dynamic = [DT_STRTAB, DATA_ADDRESS, DT_RELA, DATA_ADDRESS + 64, DT_RELASZ, 24, 0, 0];
    const relocation = [DATA_ADDRESS + 88, 8, CODE_ADDRESS + 12];
    const image = tinyImage({ data: words(...dynamic, ...relocation, 0), extra: [{ type: 2, at: 0, size: 64 }] });
    const found: number[][] = [];
    forEachRelocation(image, (holder, addend) => found.push([holder - DATA_ADDRESS, addend - CODE_ADDRESS]));
    expect(found).toEqual([[88, 12]]);
    const read = pointerReader(image, new Map([[DATA_ADDRESS + 88, CODE_ADDRESS + 12]]));
    expect(read(DATA_ADDRESS + 88)).toBe(CODE_ADDRESS + 12);
  });
});
