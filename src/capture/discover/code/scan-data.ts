// Pointers to code in data: 8-byte words in the segments that are not code, and addends of relocations. Programs that are
// loaded at any address keep their pointers as relocations: RELA holds the address in the relocation, RELR in the word.

import { BLOCK_BYTES, forEachBlock } from '../blocks.ts';
import { readDynamic } from '../dynamic.ts';
import { dataSegments, type ElfImage, offsetOf, SECTION } from '../elf.ts';

const RELA_BYTES = 24;

/** Calls `hit` for every pointer into `[low, high)` with the address of the word that holds it. */
export function forEachPointer(
  elf: ElfImage,
  low: number,
  high: number,
  hit: (target: number, holder: number) => void,
): void {
  for (const segment of dataSegments(elf)) {
    // Words are aligned in memory, and segments are placed at offsets that agree with their addresses modulo the page size.
    const skip = (8 - (segment.address % 8)) % 8;
    const extent = { offset: segment.offset + skip, sizeBytes: segment.fileBytes - skip };
    forEachBlock(elf.reader.source, extent, 0, (block, at) => {
      const words = new Uint32Array(block.buffer, block.byteOffset, (block.length >> 3) * 2);
      for (let i = 0; i < words.length; i += 2) {
        const target = words[i] ?? 0;
        if (target >= low && target < high && words[i + 1] === 0)
          hit(target, segment.address + (at - segment.offset) + i * 4);
      }
    });
  }
  forEachRelocation(elf, (holder, addend) => {
    if (addend >= low && addend < high) hit(addend, holder);
  });
}

/** RELA entries: {where, info, addend}. */
export function forEachRelocation(elf: ElfImage, visit: (holder: number, addend: number) => void): void {
  const overlapBytes = BLOCK_BYTES % RELA_BYTES;
  for (const extent of relocationExtents(elf)) {
    forEachBlock(elf.reader.source, extent, overlapBytes, (block) => {
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      for (let at = 0; at + RELA_BYTES <= block.length; at += RELA_BYTES) {
        // Addresses above 4 GiB do not occur in files; a set high half is a negative or foreign addend.
        if (view.getUint32(at + 4, true) === 0 && view.getUint32(at + 20, true) === 0) {
          visit(view.getUint32(at, true), view.getUint32(at + 16, true));
        }
      }
    });
  }
}

/** By the dynamic section (survives the removal of section headers) or by the sections, each extent once. */
function relocationExtents(elf: ElfImage): { offset: number; sizeBytes: number }[] {
  const { relocations } = readDynamic(elf);
  if (relocations !== undefined) return [relocations];
  return elf.sections.filter((s) => s.type === SECTION.relocations && s.entryBytes === RELA_BYTES);
}

/** The pointer in the word at `address`: from the relocations where there is one, else the word itself. */
export function pointerReader(
  elf: ElfImage,
  relocated: ReadonlyMap<number, number>,
): (address: number) => number | undefined {
  return (address) => {
    const addend = relocated.get(address);
    if (addend !== undefined) return addend;
    const at = offsetOf(elf, address);
    return at === undefined ? undefined : elf.reader.u64(at);
  };
}
