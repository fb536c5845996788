// Linear passes over x86-64 code. Both ask one arithmetic question at every byte position p, whatever instruction is there:
// where would a 32-bit displacement at p lead (address of p + 4 + displacement)? Few positions lead to the places sought;
// only those are looked at. All sums are taken modulo 2^32 and confirmed exactly afterwards.
//
// Speed: 200 MB of code are 200 million positions. A typed array reads only at multiples of 4, so each block is viewed at
// four alignments; three of them need a shifted copy, which costs less than assembling the number from bytes.

import { BLOCK_BYTES, forEachBlock } from '../blocks.ts';
import type { ElfImage } from '../elf.ts';
import type { CodeMap } from './code-map.ts';
import { inRanges, type Range, type Reference } from './machine.ts';

/** Opcode bytes in front of a displacement: at most REX, opcode, ModRM. */
const BEFORE_BYTES = 3;

type OnHit = (block: Uint8Array, position: number, address: number, target: number) => void;

/** Calls `hit` for every position whose relative target lies in `[low, high)`. */
function forEachTarget(elf: ElfImage, low: number, high: number, hit: OnHit): void {
  forEachWord(elf, (words, block, shift, wordAddress) => {
    const span = high - low;
    let bias = (wordAddress + 4 - low) | 0;
    for (let i = 0; i < words.length; i++, bias = (bias + 4) | 0) {
      if (((words[i] ?? 0) + bias) >>> 0 >= span) continue;
      const position = shift + i * 4;
      const address = wordAddress + i * 4;
      const target = address + 4 + (words[i] ?? 0);
      if (position >= BEFORE_BYTES && target >= low && target < high) hit(block, position, address, target);
    }
  });
}

/** Calls `hit` for every position that holds an absolute 32-bit address in `[low, high)`. */
function forEachAbsolute(elf: ElfImage, low: number, high: number, hit: OnHit): void {
  forEachWord(elf, (words, block, shift, wordAddress) => {
    const span = high - low;
    for (let i = 0; i < words.length; i++) {
      const value = words[i] ?? 0;
      if ((value - low) >>> 0 >= span) continue;
      const position = shift + i * 4;
      if (position >= BEFORE_BYTES) hit(block, position, wordAddress + i * 4, value >>> 0);
    }
  });
}

type OnWords = (words: Int32Array, block: Uint8Array, shift: number, wordAddress: number) => void;

function forEachWord(elf: ElfImage, visit: OnWords): void {
  const shifted = new ArrayBuffer(BLOCK_BYTES);
  for (const segment of elf.segments.filter((s) => s.isCode)) {
    const extent = { offset: segment.offset, sizeBytes: segment.fileBytes };
    forEachBlock(elf.reader.source, extent, BEFORE_BYTES + 3, (block, at) => {
      visitAlignments(block, segment.address + (at - segment.offset), shifted, visit);
    });
  }
}

function visitAlignments(block: Uint8Array, address: number, shifted: ArrayBuffer, visit: OnWords): void {
  for (let shift = 0; shift < 4 && block.length >= shift + 4; shift++) {
    new Uint8Array(shifted).set(block.subarray(shift));
    visit(new Int32Array(shifted, 0, (block.length - shift) >> 2), block, shift, address + shift);
  }
}

/** Instructions that form an address inside the ranges: `lea r64, [rip + d]` anywhere, and in programs linked at fixed
 * addresses also `mov r32, imm32`, `mov r64, simm32`, `push imm32`. */
export function scanReferencesX86(elf: ElfImage, ranges: readonly Range[]): Reference[] {
  const found = new Map<number, Reference>();
  const note = (at: number, target: number): unknown => found.set(at, { at, target });
  const low = Math.min(...ranges.map((r) => r.low));
  const high = Math.max(...ranges.map((r) => r.high));
  forEachTarget(elf, low, high, (block, p, address, target) => {
    const isLea = block[p - 2] === 0x8d && ((block[p - 1] ?? 0) & 0xc7) === 5 && ((block[p - 3] ?? 0) & 0xf8) === 0x48;
    if (isLea && inRanges(ranges, target)) note(address - 3, target);
  });
  if (elf.isFixed) {
    forEachAbsolute(elf, low, high, (block, p, address, value) => {
      const length = inRanges(ranges, value) ? immediatePrefixBytes(block, p) : 0;
      if (length > 0) note(address - length, value);
    });
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** Bytes of a constant-loading instruction in front of its imm32, 0 when there is none. A `mov r32, imm32` may have a REX
 * prefix in front, or a byte that only looks like one: users of the result accept the address one less, too. */
function immediatePrefixBytes(block: Uint8Array, p: number): number {
  const before = block[p - 1] ?? 0;
  if (before >= 0xb8 && before <= 0xbf) return 1;
  if (block[p - 2] === 0xc7 && (before & 0xf8) === 0xc0) return 3;
  return before === 0x68 ? 1 : 0;
}

/** Adds all direct calls (E8), jumps (E9) and conditional jumps (0F 80 … 8F) that lead into the map's pages. */
export function scanBranchesX86(elf: ElfImage, map: CodeMap): void {
  forEachTarget(elf, map.low, map.high, (block, p, address, target) => {
    if (!map.isWanted(target)) return;
    const before = block[p - 1] ?? 0;
    // A call of the next instruction is how position-independent code once asked for its own address.
    if (before === 0xe8 && target !== address + 4) map.addCall(target, address - 1);
    else if (before === 0xe9) map.addJump(target, { from: address - 1, isConditional: false });
    else if (block[p - 2] === 0x0f && (before & 0xf0) === 0x80) {
      map.addJump(target, { from: address - 2, isConditional: true });
    }
  });
}
