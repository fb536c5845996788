// AArch64 as a `Machine`: how its functions begin and end, what stands between them.

import { type ElfImage, isCode, offsetOf } from '../elf.ts';
import { argsA64, entryStateA64, executeA64, getA64, STACK_POINTER } from './exec-a64.ts';
import type { Machine } from './machine.ts';
import { scanBranchesA64, scanConditionalJumpsA64, scanReferencesA64 } from './scan-a64.ts';

const NOP = 0xd503_201f;
const RET = 0xd65f_03c0;

const masked = (word: number, mask: number): number => (word & mask) >>> 0;
const isJump = (word: number): boolean => masked(word, 0xfc00_0000) === 0x1400_0000;
const isTrap = (word: number): boolean => masked(word, 0xffe0_001f) === 0xd420_0000 || word === 0;
/** bti c, bti j, bti jc. */
const isLandingPad = (word: number): boolean => masked(word, 0xffff_ff3f) === 0xd503_241f;

/** stp …, [sp, #-n]!, sub sp, sp, #n, paciasp. */
const isPrologue = (word: number): boolean =>
  masked(word, 0xffc0_03e0) === 0xa980_03e0 || masked(word, 0xffc0_03ff) === 0xd100_03ff || word === 0xd503_233f;

export function machineA64(elf: ElfImage): Machine {
  const wordAt = (address: number): number | undefined => {
    const offset = isCode(elf, address) ? offsetOf(elf, address) : undefined;
    return offset === undefined ? undefined : elf.reader.u32(offset);
  };
  return {
    entryState: entryStateA64,
    stackPointer: (state) => getA64(state, STACK_POINTER),
    argsOf: argsA64,
    resultOf: (state) => getA64(state, 0),
    decode: (address) => {
      const word = wordAt(address);
      if (word === undefined || word === 0) return undefined;
      return { length: 4, isNop: word === NOP, execute: (state, trace) => executeA64(word, address, state, trace) };
    },
    hasPaddingBefore: (address) => {
      const word = wordAt(address - 4);
      return word !== undefined && (isJump(word) || isTrap(word) || word === RET || word === NOP);
    },
    looksLikeEntry: (address) => {
      const word = wordAt(address);
      return word !== undefined && isPrologue(word);
    },
    entryAlignment: 4,
    throughThunk: (address) => throughThunk(wordAt, address),
    landingPadBytes: 4,
    scanReferences: (ranges) => scanReferencesA64(elf, ranges),
    scanBranches: (map) => scanBranchesA64(elf, map),
    scanConditionalJumps: (map) => scanConditionalJumpsA64(elf, map),
  };
}

/** [bti] b target, twice at most: a thunk to a thunk. */
function throughThunk(wordAt: (address: number) => number | undefined, address: number): number {
  let at = address;
  for (let hops = 0; hops < 2; hops++) {
    const from = isLandingPad(wordAt(at) ?? 0) ? at + 4 : at;
    const word = wordAt(from) ?? 0;
    if (!isJump(word)) return at;
    at = from + ((word << 6) >> 4);
  }
  return at;
}
