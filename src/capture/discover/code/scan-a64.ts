// Linear passes over AArch64 code. Instructions are aligned words, so they are simply read one by one.

import { forEachBlock } from '../blocks.ts';
import type { ElfImage } from '../elf.ts';
import type { CodeMap } from './code-map.ts';
import { inRanges, type Range, type Reference } from './machine.ts';

/** An ADRP and the ADD that completes it are at most this many instructions apart; farther ones (hoisted out of a loop)
 * are covered by the abstract execution of the function, which any other reference leads to. */
const PAIR_WINDOW = 24;

/** Calls `visit` with the words of each block, overlapping by a window. */
function forEachWords(elf: ElfImage, visit: (words: Int32Array, address: number) => void): void {
  for (const segment of elf.segments.filter((s) => s.isCode)) {
    const extent = { offset: segment.offset, sizeBytes: segment.fileBytes };
    forEachBlock(elf.reader.source, extent, PAIR_WINDOW * 4, (block, at) => {
      visit(new Int32Array(block.buffer, block.byteOffset, block.length >> 2), segment.address + at - segment.offset);
    });
  }
}

const ADRP = 0x9000_0000 | 0;
const ADR = 0x1000_0000;
const ADR_MASK = 0x9f00_0000 | 0;
/** The 21-bit immediate of ADR and ADRP: 19 high bits at 5, 2 low bits at 29. */
const adrImmediate = (w: number): number => ((w << 8) >> 13) * 4 + ((w >>> 29) & 3);

/** Instructions that form an address inside the ranges: ADRP + ADD, or ADR (linkers relax to it). */
export function scanReferencesA64(elf: ElfImage, ranges: readonly Range[]): Reference[] {
  const found = new Map<number, Reference>();
  const low = Math.min(...ranges.map((r) => r.low));
  const high = Math.max(...ranges.map((r) => r.high));
  const lowPage = low - (low % 4096);
  forEachWords(elf, (words, address) => {
    for (let i = 0; i < words.length; i++) {
      const w = words[i] ?? 0;
      const kind = w & ADR_MASK;
      if (kind !== ADRP && kind !== ADR) continue;
      const pc = address + i * 4;
      if (kind === ADR) {
        const target = pc + adrImmediate(w);
        if (inRanges(ranges, target)) found.set(pc, { at: pc, target });
        continue;
      }
      const page = pc - (pc % 4096) + adrImmediate(w) * 4096;
      const completed = page >= lowPage && page < high ? completedAt(words, i, page) : undefined;
      if (completed === undefined || !inRanges(ranges, completed.target)) continue;
      const at = address + completed.index * 4;
      found.set(at, { at, target: completed.target });
    }
  });
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** The first `add xM, xN, #low12` behind an ADRP into xN. */
function completedAt(words: Int32Array, adrp: number, page: number): { index: number; target: number } | undefined {
  const register = (words[adrp] ?? 0) & 31;
  for (let i = adrp + 1; i < Math.min(words.length, adrp + PAIR_WINDOW); i++) {
    const w = words[i] ?? 0;
    const isAdd = (w & 0xffc0_0000) === (0x9100_0000 | 0) && ((w >>> 5) & 31) === register;
    if (isAdd) return { index: i, target: page + ((w >>> 10) & 0xfff) };
  }
  return undefined;
}

const CALL = 0x9400_0000 | 0;
const JUMP = 0x1400_0000;
const BRANCH_MASK = 0xfc00_0000 | 0;

/** Adds all BL and B that lead into the map's pages. */
export function scanBranchesA64(elf: ElfImage, map: CodeMap): void {
  forEachWords(elf, (words, address) => {
    for (let i = 0; i < words.length; i++) {
      const w = words[i] ?? 0;
      const kind = w & BRANCH_MASK;
      if (kind !== CALL && kind !== JUMP) continue;
      const from = address + i * 4;
      const target = from + ((w << 6) >> 4);
      if (!map.isWanted(target) || target === from + 4) continue;
      if (kind === CALL) map.addCall(target, from);
      else map.addJump(target, { from, isConditional: false });
    }
  });
}

/** Adds B.cond, CBZ and CBNZ (19-bit distances); TBZ reaches only 32 KiB, too near for a part moved away. */
export function scanConditionalJumpsA64(elf: ElfImage, map: CodeMap): void {
  forEachWords(elf, (words, address) => {
    for (let i = 0; i < words.length; i++) {
      const w = words[i] ?? 0;
      const isConditional = (w & (0xff00_0010 | 0)) === 0x5400_0000 || (w & 0x7e00_0000) === 0x3400_0000;
      const from = address + i * 4;
      const target = from + ((w << 8) >> 13) * 4;
      if (isConditional && map.isWanted(target)) map.addJump(target, { from, isConditional: true });
    }
  });
}
