import { describe, expect, it } from 'vitest';
import { CodeMap } from '../../../../src/capture/discover/code/code-map.ts';
import {
  scanBranchesA64,
  scanConditionalJumpsA64,
  scanReferencesA64,
} from '../../../../src/capture/discover/code/scan-a64.ts';
import { CODE_ADDRESS, DATA_ADDRESS, tinyImage } from '../tiny-elf.ts';

const code = (size: number, words: Readonly<Record<number, number>>): Uint8Array => {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of Object.entries(words)) view.setUint32(Number(at), word, true);
  return bytes;
};

const RANGE = { low: DATA_ADDRESS + 0x10, high: DATA_ADDRESS + 0x20 };
/** adrp x3, page of DATA_ADDRESS: 0x1fe pages on. */
const ADRP = 0xd0000003 | (((DATA_ADDRESS - CODE_ADDRESS) >> 14) << 5);

describe('passes over AArch64 code', () => {
  it('finds ADRP with its ADD, some instructions later, and nothing when another page or register is meant', () => {
    const ADD_X3_X3_12 = 0x91004863;
    const image = (words: Record<number, number>) => tinyImage({ machine: 183, code: code(0x200, words) });
    const found = scanReferencesA64(image({ 0: ADRP, 12: ADD_X3_X3_12 }), [RANGE]);
    expect(found).toEqual([{ at: CODE_ADDRESS + 12, target: DATA_ADDRESS + 0x12 }]);
    expect(scanReferencesA64(image({ 0: ADRP + 32, 12: ADD_X3_X3_12 }), [RANGE])).toEqual([]);
    expect(scanReferencesA64(image({ 0: ADRP, 12: ADD_X3_X3_12 + 32 }), [RANGE])).toEqual([]);
    expect(scanReferencesA64(image({ 0: ADRP, 128: ADD_X3_X3_12 }), [RANGE])).toEqual([]);
  });

  it('collects calls, jumps and, when asked, conditional jumps', () => {
    const elf = tinyImage({
      machine: 183,
      code: code(0x100, { 0: 0x94000010, 4: 0x1400000f, 8: 0x540001c0, 12: 0x94000001 }),
    });
    const map = new CodeMap(elf);
    map.focus([CODE_ADDRESS + 0x40]);
    scanBranchesA64(elf, map);
    expect([...map.calls]).toEqual([[CODE_ADDRESS + 0x40, [CODE_ADDRESS]]]);
    expect(map.jumps.get(CODE_ADDRESS + 0x40)).toEqual([{ from: CODE_ADDRESS + 4, isConditional: false }]);
    scanConditionalJumpsA64(elf, map);
    expect(map.jumps.get(CODE_ADDRESS + 0x40)).toHaveLength(2);
  });
});
