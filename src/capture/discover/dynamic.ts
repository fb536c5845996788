// The dynamic section (gABI chapter 5): dynamic symbols by name, needed libraries, the file's own library name. Everything
// here is found through PT_DYNAMIC, so it works on files whose section headers were removed.

import { type ElfImage, offsetOf } from './elf.ts';

const DT = {
  needed: 1,
  hash: 4,
  stringTable: 5,
  symbolTable: 6,
  rela: 7,
  relaBytes: 8,
  stringBytes: 10,
  soname: 14,
  gnuHash: 0x6fff_fef5,
} as const;

const MAX_ENTRIES = 4096;
const SYMBOL_BYTES = 24;

export interface DynamicTable {
  readonly needed: readonly string[];
  readonly soname: string | undefined;
  /** File extent of the string table: version names are searched in it. */
  readonly strings: { readonly offset: number; readonly sizeBytes: number } | undefined;
  readonly relocations: { readonly offset: number; readonly sizeBytes: number } | undefined;
  readonly lookup: (name: string) => ElfSymbol | undefined;
}

/** A defined function. */
export interface ElfSymbol {
  readonly name: string;
  readonly address: number;
  /** 0 when the table does not say. */
  readonly sizeBytes: number;
}

const NOTHING: DynamicTable = {
  needed: [],
  soname: undefined,
  strings: undefined,
  relocations: undefined,
  lookup: () => undefined,
};

export function readDynamic(image: ElfImage): DynamicTable {
  const entries = readEntries(image);
  const address = (tag: number): number | undefined => {
    const value = entries.find(([t]) => t === tag)?.[1];
    return value === undefined ? undefined : offsetOf(image, value);
  };
  const value = (tag: number): number => entries.find(([t]) => t === tag)?.[1] ?? 0;
  const stringsAt = address(DT.stringTable);
  const symbolsAt = address(DT.symbolTable);
  if (stringsAt === undefined) return NOTHING;
  const text = (at: number): string | undefined => image.reader.text(stringsAt + at);
  const relaAt = address(DT.rela);
  const tables = { image, stringsAt, symbolsAt: symbolsAt ?? -1, gnuHash: address(DT.gnuHash), hash: address(DT.hash) };
  return {
    needed: entries.filter(([t]) => t === DT.needed).flatMap(([, at]) => text(at) ?? []),
    soname: entries.filter(([t]) => t === DT.soname).flatMap(([, at]) => text(at) ?? [])[0],
    strings: { offset: stringsAt, sizeBytes: value(DT.stringBytes) },
    relocations: relaAt === undefined ? undefined : { offset: relaAt, sizeBytes: value(DT.relaBytes) },
    lookup: (name) => (symbolsAt === undefined ? undefined : lookUp(tables, name)),
  };
}

function readEntries(image: ElfImage): [tag: number, value: number][] {
  const { dynamic, reader } = image;
  const entries: [number, number][] = [];
  const count = Math.min(MAX_ENTRIES, Math.floor((dynamic?.sizeBytes ?? 0) / 16));
  for (let i = 0; i < count && dynamic !== undefined; i++) {
    const tag = reader.u64(dynamic.offset + i * 16);
    const value = reader.u64(dynamic.offset + i * 16 + 8);
    if (tag === 0) break;
    if (tag !== undefined && value !== undefined) entries.push([tag, value]);
  }
  return entries;
}

interface Tables {
  readonly image: ElfImage;
  readonly stringsAt: number;
  readonly symbolsAt: number;
  readonly gnuHash: number | undefined;
  readonly hash: number | undefined;
}

const lookUp = (tables: Tables, name: string): ElfSymbol | undefined =>
  tables.gnuHash === undefined ? lookUpByHash(tables, name) : lookUpByGnuHash(tables, name);

/** A chain longer than this is damaged: linkers aim at a handful of symbols per bucket. */
const MAX_CHAIN = 65_536;

/** DT_GNU_HASH: {buckets, first hashed symbol, bloom words, shift}, bloom (64-bit words), buckets, then one hash word per
 * symbol, whose lowest bit ends a chain. */
function lookUpByGnuHash(tables: Tables, name: string): ElfSymbol | undefined {
  const { reader } = tables.image;
  const at = tables.gnuHash ?? 0;
  const buckets = reader.u32(at) ?? 0;
  const firstHashed = reader.u32(at + 4) ?? 0;
  const bucketsAt = at + 16 + (reader.u32(at + 8) ?? 0) * 8;
  if (buckets === 0) return undefined;
  const hash = gnuHash(name);
  let index = reader.u32(bucketsAt + (hash % buckets) * 4) ?? 0;
  if (index < firstHashed) return undefined;
  for (let i = 0; i < MAX_CHAIN; i++, index++) {
    const word = reader.u32(bucketsAt + buckets * 4 + (index - firstHashed) * 4);
    if (word === undefined) return undefined;
    const found = (word | 1) >>> 0 === (hash | 1) >>> 0 ? symbolAt(tables, index, name) : undefined;
    if (found !== undefined || (word & 1) === 1) return found;
  }
  return undefined;
}

/** DT_HASH: {buckets, chains}, bucket heads, then the next symbol of each symbol. */
function lookUpByHash(tables: Tables, name: string): ElfSymbol | undefined {
  const { reader } = tables.image;
  if (tables.hash === undefined) return undefined;
  const buckets = reader.u32(tables.hash) ?? 0;
  if (buckets === 0) return undefined;
  let index = reader.u32(tables.hash + 8 + (sysvHash(name) % buckets) * 4) ?? 0;
  for (let i = 0; i < MAX_CHAIN && index !== 0; i++) {
    const found = symbolAt(tables, index, name);
    if (found !== undefined) return found;
    index = reader.u32(tables.hash + 8 + (buckets + index) * 4) ?? 0;
  }
  return undefined;
}

function symbolAt(tables: Tables, index: number, name: string): ElfSymbol | undefined {
  const { reader } = tables.image;
  const at = tables.symbolsAt + index * SYMBOL_BYTES;
  const nameAt = reader.u32(at);
  if (nameAt === undefined || reader.text(tables.stringsAt + nameAt) !== name) return undefined;
  return definedFunction(name, reader.u8(at + 4), reader.u16(at + 6), reader.u64(at + 8), reader.u64(at + 16));
}

/** STT_FUNC that lies in a section (SHN_UNDEF is 0) of this file. */
export function definedFunction(
  name: string,
  info: number | undefined,
  section: number | undefined,
  address: number | undefined,
  sizeBytes: number | undefined,
): ElfSymbol | undefined {
  const isFunction = info !== undefined && (info & 15) === 2;
  if (!isFunction || section === undefined || section === 0 || !address) return undefined;
  return { name, address, sizeBytes: sizeBytes ?? 0 };
}

export function gnuHash(name: string): number {
  let h = 5381;
  for (let i = 0; i < name.length; i++) h = (Math.imul(h, 33) + name.charCodeAt(i)) >>> 0;
  return h;
}

export function sysvHash(name: string): number {
  let h = 0;
  for (let i = 0; i < name.length; i++) {
    h = ((h << 4) + name.charCodeAt(i)) >>> 0;
    const high = h & 0xf000_0000;
    if (high !== 0) h ^= high >>> 24;
    h = (h & ~high) >>> 0;
  }
  return h;
}
