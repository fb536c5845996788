// Function ranges from the unwind table, where a program has one: .eh_frame_hdr's sorted search table and the FDEs that it
// points to. LSB Core 5.0 §10.6. Only the encodings that linkers write are read; others count as "no table".

import { type ElfImage, offsetOf } from '../elf.ts';
import type { Range } from './machine.ts';

/** DW_EH_PE_udata4 count, DW_EH_PE_datarel | sdata4 table. */
const COUNT_UDATA4 = 0x03;
const TABLE_DATAREL_SDATA4 = 0x3b;

export type FunctionRange = (address: number) => Range | undefined;

const none: FunctionRange = () => undefined;

/** Looks up which function the unwind table says an address belongs to. */
export function functionRanges(elf: ElfImage): FunctionRange {
  const header = elf.ehFrameHeader;
  const { reader } = elf;
  if (header === undefined || header.sizeBytes < 12 || reader.u8(header.offset) !== 1) return none;
  if (reader.u8(header.offset + 2) !== COUNT_UDATA4 || reader.u8(header.offset + 3) !== TABLE_DATAREL_SDATA4)
    return none;
  const count = Math.min(reader.u32(header.offset + 8) ?? 0, Math.floor((header.sizeBytes - 12) / 8));
  const entry = (i: number): number => header.offset + 12 + i * 8;
  return (address) => {
    const i = lastNotAbove(count, (k) => (reader.i32(entry(k)) ?? 0) + header.address, address);
    if (i < 0) return undefined;
    const low = (reader.i32(entry(i)) ?? 0) + header.address;
    const lengthBytes = fdeLength(elf, (reader.i32(entry(i) + 4) ?? 0) + header.address);
    return lengthBytes !== undefined && address < low + lengthBytes ? { low, high: low + lengthBytes } : undefined;
  };
}

/** Index of the last key that is ≤ `wanted`, -1 if none. */
function lastNotAbove(count: number, key: (i: number) => number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(middle) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** FDE: {length, distance back to its CIE, start, length of the code, …}; start and length are 4 bytes each in the
 * encoding that compilers use (pcrel | sdata4), 8 with absolute pointers. */
function fdeLength(elf: ElfImage, fdeAddress: number): number | undefined {
  const at = offsetOf(elf, fdeAddress);
  if (at === undefined) return undefined;
  const cieDistance = elf.reader.u32(at + 4);
  if (cieDistance === undefined) return undefined;
  const encoding = pointerEncoding(elf, at + 4 - cieDistance);
  if (encoding === undefined) return undefined;
  return (encoding & 0x0f) === 0 || (encoding & 7) === 4 ? elf.reader.u64(at + 16) : elf.reader.u32(at + 12);
}

/** CIE: {length, id 0, version, augmentation text, code factor, data factor, return register, [z: length, data]}. */
function pointerEncoding(elf: ElfImage, cie: number): number | undefined {
  const { reader } = elf;
  const augmentation = reader.text(cie + 9);
  if (augmentation === undefined) return undefined;
  if (!augmentation.startsWith('z')) return 0;
  let at = cie + 9 + augmentation.length + 1;
  const skipLeb128 = (): void => {
    while (((reader.u8(at) ?? 0) & 0x80) !== 0) at++;
    at++;
  };
  // Code alignment, data alignment, return register, length of the augmentation data.
  for (let i = 0; i < 4; i++) skipLeb128();
  for (const letter of augmentation.slice(1)) {
    if (letter === 'R') return reader.u8(at);
    if (letter === 'P') at += 1 + pointerBytes(reader.u8(at) ?? 0);
    else if (letter === 'L') at++;
  }
  return 0;
}

const pointerBytes = (encoding: number): number => {
  const format = encoding & 7;
  return format === 2 ? 2 : format === 3 ? 4 : 8;
};
