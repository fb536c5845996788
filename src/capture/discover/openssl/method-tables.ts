// OpenSSL's method tables: every TLS object points to one, and all data goes through its ssl_read and ssl_write. They are
// constants that begin with
//
//     u32 version   u32 flags   u64 mask (the SSL_OP_NO_… bit of the version)   then function pointers
//
// DTLS has other version numbers.

import { forEachBlock } from '../blocks.ts';
import { forEachRelocation, pointerReader } from '../code/scan-data.ts';
import { dataSegments, type ElfImage, isCode } from '../elf.ts';

export interface MethodTableData {
  readonly base: number;
  readonly slots: readonly number[];
}

/** TLS_ANY_VERSION. */
export const ANY_VERSION = 0x10000;

const FIRST_SLOT = 0x10;
const WORD = 8;
/** SSL_METHOD_NO_FIPS, SSL_METHOD_NO_SUITEB. */
const MAX_FLAGS = 3;
/** Words like such a head are rare; more are no tables of methods. */
const MAX_CANDIDATES = 10_000;

export const slotIndex = (offset: number): number => (offset - FIRST_SLOT) / WORD;

/** The function at an offset of the table. */
export const slotAt = (table: MethodTableData, offset: number): number | undefined => table.slots[slotIndex(offset)];

/** All tables of these versions that begin with `slotCount` pointers to code. */
export function readTables(elf: ElfImage, versions: ReadonlySet<number>, slotCount: number): MethodTableData[] {
  return tablesAt(elf, tableHeads(elf, versions), slotCount);
}

/** Those of the given addresses at which `slotCount` pointers to code follow a table's head. */
export function tablesAt(elf: ElfImage, bases: readonly number[], slotCount: number): MethodTableData[] {
  const holders = (base: number): number[] => Array.from({ length: slotCount }, (_, i) => base + FIRST_SLOT + i * WORD);
  const wanted = new Set(bases.flatMap(holders));
  const relocated = new Map<number, number>();
  forEachRelocation(elf, (holder, addend) => {
    if (wanted.has(holder)) relocated.set(holder, addend);
  });
  const read = pointerReader(elf, relocated);
  return bases.flatMap((base) => {
    const slots = holders(base).map(read);
    return slots.every((slot) => slot !== undefined && isCode(elf, slot)) ? [{ base, slots: slots as number[] }] : [];
  });
}

function tableHeads(elf: ElfImage, versions: ReadonlySet<number>): number[] {
  const found = new Set<number>();
  for (const segment of dataSegments(elf)) {
    const skip = (WORD - (segment.address % WORD)) % WORD;
    const extent = { offset: segment.offset + skip, sizeBytes: segment.fileBytes - skip };
    forEachBlock(elf.reader.source, extent, FIRST_SLOT, (block, at) => {
      const words = new Uint32Array(block.buffer, block.byteOffset, (block.length >> 3) * 2);
      for (let i = 0; i + 4 <= words.length && found.size < MAX_CANDIDATES; i += 2) {
        if (isHead(words, i, versions)) found.add(segment.address + (at - segment.offset) + i * 4);
      }
    });
  }
  return [...found];
}

function isHead(words: Uint32Array, i: number, versions: ReadonlySet<number>): boolean {
  const [version = 0, flags = 0, mask = 0, high = 0] = [words[i], words[i + 1], words[i + 2], words[i + 3]];
  if (high !== 0 || flags > MAX_FLAGS || !versions.has(version)) return false;
  return version !== ANY_VERSION || (flags === 0 && mask === 0);
}
