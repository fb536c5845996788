// Where exactly to put a probe on a function. A uprobe is a breakpoint; what the displaced instruction is decides its cost:
// the kernel emulates `push`, `nop`, `call` and `jmp`, anything else is run out of line with a second exception
// (single step). Measured: 5.4 µs against about 20 µs.
//
// `endbr64` (the landing pad of CET builds) is no instruction that the kernel emulates, but the one behind it usually is.
// Four bytes later the stack and all argument registers are still as at entry, so both the entry and the return probe of
// a function work there, and must use the same place: two places would be two breakpoints. Moving further, past a push,
// would make the return probe replace the wrong stack word.

import type { ElfImage } from './elf.ts';

const ENDBR64 = 0xfa1e_0ff3;
const ENDBR64_BYTES = 4;

/** File offset at which to place the probes of the function at `offset`. */
export function attachOffset(image: ElfImage, offset: number): number {
  if (image.machine !== 'x86_64' || image.reader.u32(offset) !== ENDBR64) return offset;
  return isEmulated(image.reader.bytes(offset + ENDBR64_BYTES, 3)) ? offset + ENDBR64_BYTES : offset;
}

/** Is a probe there cheap, because the kernel emulates what it displaces? Known of x86-64 only. */
export const isCheapPlace = (image: ElfImage, offset: number): boolean =>
  image.machine === 'x86_64' && isEmulated(image.reader.bytes(offset, 3));

/** push r64, with or without REX.B; the one-byte and multi-byte nops. */
function isEmulated(code: Uint8Array | undefined): boolean {
  const [first = 0, second = 0] = code ?? [];
  const isPush = (byte: number): boolean => byte >= 0x50 && byte <= 0x57;
  const isNop = first === 0x90 || (first === 0x66 && second === 0x90) || (first === 0x0f && second === 0x1f);
  return isPush(first) || (first === 0x41 && isPush(second)) || isNop;
}
