// Functions whose file offsets a person gives. A uprobe in the middle of an instruction makes the program crash, so an offset
// is taken only when it is where an instruction, and as far as code can tell a function, begins.

import type { Machine } from '../code/machine.ts';
import { machineOf } from '../code/machine-of.ts';
import { addressOf, type ElfImage, isCode } from '../elf.ts';

/** Why no function can begin there; undefined when one may. */
export function whyNoFunction(elf: ElfImage, offset: number): string | undefined {
  const address = addressOf(elf, offset);
  if (address === undefined || !isCode(elf, address))
    return 'it lies outside the code (file offsets are wanted, not addresses)';
  const machine = machineOf(elf);
  const first = machine.decode(address);
  if (first === undefined) return 'there is no instruction';
  if (first.isNop) return 'it lies in the filling between functions';
  if (!isBoundary(elf, machine, address)) return 'it lies within an instruction';
  return machine.hasPaddingBefore(address) ? undefined : 'no function begins there: code runs into it from above';
}

/** Decoding from a wrong byte falls into step with the real instructions after a few of them, so decoding from most of the
 * bytes before a real boundary arrives at it. */
const BEFORE_BYTES = 96;
const ENOUGH = 0.75;

function isBoundary(elf: ElfImage, machine: Machine, address: number): boolean {
  if (elf.machine === 'aarch64') return address % 4 === 0;
  const starts = Array.from({ length: BEFORE_BYTES / 2 }, (_, i) => address - BEFORE_BYTES + i);
  const inCode = starts.filter((start) => isCode(elf, start));
  const arriving = inCode.filter((start) => arrivesAt(machine, start, address));
  return arriving.length >= inCode.length * ENOUGH;
}

function arrivesAt(machine: Machine, start: number, address: number): boolean {
  let at = start;
  // Bytes that are no instruction are padding or data between functions: one further on.
  while (at < address) at += machine.decode(at)?.length ?? 1;
  return at === address;
}
