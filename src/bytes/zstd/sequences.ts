// The sequences section of a compressed block (RFC 8878 §3.1.1.3.2): literal length, match length and offset, each from
// its own FSE table, interleaved in one backward bit stream.

import { BackwardBits, ZstdDamage } from './bits.ts';
import { buildFseTable, FseState, type FseTable, readFseTable, singleSymbolTable } from './fse.ts';

export interface SequenceTables {
  readonly literal: FseTable;
  readonly offset: FseTable;
  readonly match: FseTable;
}

/** One kind of code: its limits and its name in `SequenceTables`. Order of KINDS: as sent. */
interface Kind {
  readonly name: keyof SequenceTables;
  readonly maxLog: number;
  readonly maxSymbol: number;
}

// biome-ignore format: tables of RFC 8878 §3.1.1.3.2.2
const LITERAL_COUNTS = [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1];
// biome-ignore format: see above
const OFFSET_COUNTS = [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1];
// biome-ignore format: see above
const MATCH_COUNTS = [1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1];

const PREDEFINED: SequenceTables = {
  literal: buildFseTable(LITERAL_COUNTS, 6),
  offset: buildFseTable(OFFSET_COUNTS, 5),
  match: buildFseTable(MATCH_COUNTS, 6),
};

const KINDS: readonly Kind[] = [
  { name: 'literal', maxLog: 9, maxSymbol: 35 },
  { name: 'offset', maxLog: 8, maxSymbol: 31 },
  { name: 'match', maxLog: 9, maxSymbol: 52 },
];

// biome-ignore format: tables of RFC 8878 §3.1.1.3.2.1.1, from code 16 (literals) and code 32 (matches) on
const LITERAL_BASE = [16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
// biome-ignore format: see above
const LITERAL_EXTRA = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
// biome-ignore format: see above
const MATCH_BASE = [35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539];
// biome-ignore format: see above
const MATCH_EXTRA = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/** Offsets beyond 2^24 reach out of every window that is allowed here. */
const MAX_OFFSET_CODE = 24;

/** Called per sequence; `offset` is the offset value as coded (1 to 3 are repeats). */
export type SequenceSink = (literals: number, match: number, offset: number) => void;

interface Head {
  readonly count: number;
  readonly next: number;
}

function readHead(bytes: Uint8Array): Head {
  const [first, second = 0, third = 0] = bytes;
  if (first === undefined) throw new ZstdDamage('a block without sequences section');
  if (first < 128) return { count: first, next: 1 };
  if (first < 255) return { count: ((first - 128) << 8) + second, next: 2 };
  return { count: second + (third << 8) + 0x7f00, next: 3 };
}

function readTable(
  kind: Kind,
  mode: number,
  bytes: Uint8Array,
  at: number,
  last: SequenceTables | undefined,
): { table: FseTable; next: number } {
  if (mode === 0) return { table: PREDEFINED[kind.name], next: at };
  if (mode === 2) return readFseTable(bytes, at, kind);
  if (mode === 3) {
    if (last === undefined) throw new ZstdDamage('a repeated table before the first');
    return { table: last[kind.name], next: at };
  }
  const symbol = bytes[at];
  if (symbol === undefined || symbol > kind.maxSymbol) throw new ZstdDamage('a symbol out of range');
  return { table: singleSymbolTable(symbol), next: at + 1 };
}

/** Decodes all sequences of `section`; returns the tables, for the next block to repeat. */
export function readSequences(
  section: Uint8Array,
  last: SequenceTables | undefined,
  sink: SequenceSink,
): SequenceTables | undefined {
  const { count, next } = readHead(section);
  if (count === 0) return last;
  const modes = section[next] ?? 3;
  if (modes & 3) throw new ZstdDamage('reserved bits of the sequences section');
  const tables: Record<keyof SequenceTables, FseTable> = { ...PREDEFINED };
  let at = next + 1;
  for (const [index, kind] of KINDS.entries()) {
    const read = readTable(kind, (modes >> (6 - index * 2)) & 3, section, at, last);
    tables[kind.name] = read.table;
    at = read.next;
  }
  decode(new BackwardBits(section.subarray(at)), tables, count, sink);
  return tables;
}

function decode(input: BackwardBits, tables: SequenceTables, count: number, sink: SequenceSink): void {
  const literal = new FseState(tables.literal, input);
  const offset = new FseState(tables.offset, input);
  const match = new FseState(tables.match, input);
  for (let index = 0; index < count; index++) {
    const offsetCode = offset.symbol;
    if (offsetCode > MAX_OFFSET_CODE) throw new ZstdDamage('an offset out of every window');
    const offsetValue = (1 << offsetCode) + input.read(offsetCode);
    const matchLength = lengthOf(match.symbol, 32, 3, MATCH_BASE, MATCH_EXTRA, input);
    const literalLength = lengthOf(literal.symbol, 16, 0, LITERAL_BASE, LITERAL_EXTRA, input);
    if (input.left < 0) throw new ZstdDamage('sequences longer than their bits');
    sink(literalLength, matchLength, offsetValue);
    if (index === count - 1) break;
    literal.advance(input);
    match.advance(input);
    offset.advance(input);
  }
  if (input.left !== 0) throw new ZstdDamage('bits left behind the sequences');
}

/** Codes below `plain` stand for themselves plus `least`; the others have a base and extra bits. */
function lengthOf(
  code: number,
  plain: number,
  least: number,
  base: readonly number[],
  extra: readonly number[],
  input: BackwardBits,
): number {
  if (code < plain) return code + least;
  return (base[code - plain] ?? 0) + input.read(extra[code - plain] ?? 0);
}
