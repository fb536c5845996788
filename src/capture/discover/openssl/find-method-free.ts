// The function behind `ssl->method->ssl_free`, which ends every TLS connection. It has no error site; it is found in the
// method tables themselves. Those for "any TLS version" (generic, client, server) begin with
//
//     u32 version = 0x10000 (TLS_ANY_VERSION)   u32 flags = 0   u64 mask = 0   then function pointers
//
// and share their ssl_free, ssl_read and ssl_write. DTLS has another version number.

import { forEachBlock } from '../blocks.ts';
import { forEachRelocation, pointerReader } from '../code/scan-data.ts';
import { dataSegments, type ElfImage, isCode } from '../elf.ts';
import type { MethodLayout } from './layouts.ts';

const ANY_VERSION = 0x10000;
const FIRST_SLOT = 0x10;
const WORD = 8;
/** Every known table has more function pointers in a row. */
const MIN_SLOTS = 14;
/** Generic, client and server; a program that uses only the first still links all three. */
const MIN_TABLES = 2;
/** Words of 0x10000 followed by 0 are rare; more are no tables of methods. */
const MAX_CANDIDATES = 10_000;

/** The ssl_free that several tables share together with ssl_read and ssl_write; nothing when that is not exactly one. A
 * stray table of numbers that look like addresses shares nothing with the others. */
export function findMethodFree(elf: ElfImage, layout: MethodLayout): number | undefined {
  const candidates = tableCandidates(elf);
  const read = readerOf(elf, candidates);
  const groups = new Map<string, { free: number | undefined; tables: number }>();
  for (const base of candidates.filter((c) => holdsFunctions(elf, read, c))) {
    const [free, ...others] = [layout.free, layout.read, layout.write].map((offset) => read(base + offset));
    const key = [free, ...others].join();
    groups.set(key, { free, tables: (groups.get(key)?.tables ?? 0) + 1 });
  }
  const [only, ...more] = [...groups.values()].filter((group) => group.tables >= MIN_TABLES);
  return more.length === 0 ? only?.free : undefined;
}

type PointerReader = (address: number) => number | undefined;

function holdsFunctions(elf: ElfImage, read: PointerReader, base: number): boolean {
  for (let slot = 0; slot < MIN_SLOTS; slot++) {
    const pointer = read(base + FIRST_SLOT + slot * WORD);
    if (pointer === undefined || !isCode(elf, pointer)) return false;
  }
  return true;
}

function tableCandidates(elf: ElfImage): number[] {
  const found = new Set<number>();
  for (const segment of dataSegments(elf)) {
    const skip = (WORD - (segment.address % WORD)) % WORD;
    const extent = { offset: segment.offset + skip, sizeBytes: segment.fileBytes - skip };
    forEachBlock(elf.reader.source, extent, 2 * WORD, (block, at) => {
      const words = new Uint32Array(block.buffer, block.byteOffset, (block.length >> 3) * 2);
      for (let i = 0; i + 4 <= words.length && found.size < MAX_CANDIDATES; i += 2) {
        const isHead = words[i] === ANY_VERSION && words[i + 1] === 0 && words[i + 2] === 0 && words[i + 3] === 0;
        if (isHead) found.add(segment.address + (at - segment.offset) + i * 4);
      }
    });
  }
  return [...found];
}

function readerOf(elf: ElfImage, candidates: readonly number[]): PointerReader {
  const slots = new Set(
    candidates.flatMap((base) => Array.from({ length: MIN_SLOTS }, (_, i) => base + FIRST_SLOT + i * WORD)),
  );
  const relocated = new Map<number, number>();
  forEachRelocation(elf, (holder, addend) => {
    if (slots.has(holder)) relocated.set(holder, addend);
  });
  return pointerReader(elf, relocated);
}
