import { describe, expect, it } from 'vitest';
import { CodeMap } from '../../../../src/capture/discover/code/code-map.ts';
import {
  scanBranchesX86,
  scanConditionalJumpsX86,
  scanReferencesX86,
} from '../../../../src/capture/discover/code/scan-x86.ts';
import { CODE_ADDRESS, DATA_ADDRESS, hexBytes, tinyImage } from '../tiny-elf.ts';

const CHUNK = 256 * 1024;

/** Code of int3 with instructions at offsets. */
function codeWith(parts: Readonly<Record<number, string>>, size: number): Uint8Array {
  const code = new Uint8Array(size).fill(0xcc);
  for (const [at, hex] of Object.entries(parts)) code.set(hexBytes(hex), Number(at));
  return code;
}

const rel32 = (from: number, to: number): string => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, to - from - 4, true);
  return [...bytes].map((b) => b.toString(16)).join(' ');
};

/** `lea rcx, [rip → target]` at an offset of the code. */
const lea = (at: number, target: number): string => `48 8d 0d ${rel32(CODE_ADDRESS + at + 3, target)}`;

const RANGE = { low: DATA_ADDRESS + 0x10, high: DATA_ADDRESS + 0x20 };

describe('passes over x86-64 code', () => {
  it('finds references at every alignment, at both ends, and across a chunk', () => {
    const places = [0, 9, 18, 27, CHUNK - 5, CHUNK + 4, CHUNK + 24];
    const parts = Object.fromEntries(places.map((at) => [at, lea(at, RANGE.low + 2)]));
    const elf = tinyImage({ code: codeWith(parts, CHUNK + 31), isFixed: false });
    expect(scanReferencesX86(elf, [RANGE]).map((r) => r.at - CODE_ADDRESS)).toEqual(places);
  });

  it('leaves out what leads beside the range, and what is no lea', () => {
    const code = codeWith(
      { 0: lea(0, RANGE.high), 16: lea(16, RANGE.low - 1), 32: lea(32, RANGE.low).replace('8d', '8b') },
      64,
    );
    expect(scanReferencesX86(tinyImage({ code, isFixed: false }), [RANGE])).toEqual([]);
  });

  it('takes absolute addresses only in programs linked at fixed ones', () => {
    const imm = '12 00 60 00';
    const code = codeWith({ 16: `b9 ${imm}`, 32: `48 c7 c1 ${imm}`, 48: `68 ${imm}`, 64: `a9 ${imm}` }, 128);
    const at = (isFixed: boolean): number[] =>
      scanReferencesX86(tinyImage({ code, isFixed }), [RANGE]).map((r) => r.at - CODE_ADDRESS);
    expect(at(true)).toEqual([16, 32, 48]);
    expect(at(false)).toEqual([]);
  });

  it('collects calls and jumps into the pages of interest', () => {
    const target = CODE_ADDRESS + 0x20000;
    const code = codeWith(
      {
        16: `e8 ${rel32(CODE_ADDRESS + 0x11, target)}`,
        32: `e9 ${rel32(CODE_ADDRESS + 0x21, target)}`,
        48: `0f 84 ${rel32(CODE_ADDRESS + 0x32, target)}`,
        64: `e8 ${rel32(CODE_ADDRESS + 0x41, CODE_ADDRESS + 0x100)}`,
        131088: 'e8 00 00 00 00',
      },
      0x21000,
    );
    const elf = tinyImage({ code });
    const map = new CodeMap(elf);
    map.focus([target]);
    scanBranchesX86(elf, map);
    expect([...map.calls]).toEqual([[target, [CODE_ADDRESS + 0x10]]]);
    expect([...map.jumps]).toEqual([[target, [{ from: CODE_ADDRESS + 0x20, isConditional: false }]]]);
    scanConditionalJumpsX86(elf, map);
    expect(map.jumps.get(target)).toHaveLength(2);
  });
});
