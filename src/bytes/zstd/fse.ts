// Finite State Entropy tables (RFC 8878 §4.1): from normalized counts to a table of (symbol, bits to read, next state).

import { type BackwardBits, ForwardBits, ZstdDamage } from './bits.ts';

export interface FseTable {
  readonly accuracyLog: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly base: Uint16Array;
}

const highestBit = (value: number): number => 31 - Math.clz32(value);

/** RFC 8878 §4.1.1: a count of -1 is a probability below one and gets one cell at the end. */
export function buildFseTable(counts: ArrayLike<number>, accuracyLog: number): FseTable {
  const size = 1 << accuracyLog;
  const table = { accuracyLog, symbols: new Uint8Array(size), bits: new Uint8Array(size), base: new Uint16Array(size) };
  const next = new Uint16Array(counts.length);
  const high = placeRare(counts, table.symbols, next);
  spread(counts, table.symbols, next, high);
  for (let state = 0; state < size; state++) {
    const symbol = table.symbols[state] ?? 0;
    const value = next[symbol] ?? 1;
    next[symbol] = value + 1;
    const bits = accuracyLog - highestBit(value);
    table.bits[state] = bits;
    table.base[state] = (value << bits) - size;
  }
  return table;
}

function placeRare(counts: ArrayLike<number>, symbols: Uint8Array, next: Uint16Array): number {
  let high = symbols.length;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol] !== -1) continue;
    symbols[--high] = symbol;
    next[symbol] = 1;
  }
  return high;
}

function spread(counts: ArrayLike<number>, symbols: Uint8Array, next: Uint16Array, high: number): void {
  const size = symbols.length;
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] ?? 0;
    if (count <= 0) continue;
    next[symbol] = count;
    for (let index = 0; index < count; index++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  }
  if (at !== 0) throw new ZstdDamage('FSE counts do not fill their table');
}

/** A table that always gives the same symbol and reads nothing. */
export function singleSymbolTable(symbol: number): FseTable {
  return { accuracyLog: 0, symbols: Uint8Array.of(symbol), bits: Uint8Array.of(0), base: Uint16Array.of(0) };
}

/** Reads a table description (RFC 8878 §4.1.1) at `byteOffset`; `next` is the index behind it. */
export function readFseTable(
  bytes: Uint8Array,
  byteOffset: number,
  limits: { maxLog: number; maxSymbol: number },
): { table: FseTable; next: number } {
  const input = new ForwardBits(bytes, byteOffset);
  const accuracyLog = input.read(4) + 5;
  if (accuracyLog > limits.maxLog) throw new ZstdDamage('FSE accuracy over its limit');
  const counts: number[] = [];
  let remaining = 1 << accuracyLog;
  while (remaining > 0 && counts.length <= limits.maxSymbol) {
    const count = readCount(input, remaining);
    remaining -= Math.abs(count);
    counts.push(count);
    if (count === 0) readZeroRun(input, counts, limits.maxSymbol);
  }
  if (remaining !== 0 || counts.length > limits.maxSymbol + 1 || input.byteAt > bytes.length) {
    throw new ZstdDamage('FSE counts do not add up');
  }
  return { table: buildFseTable(counts, accuracyLog), next: input.byteAt };
}

/** One count, in as few bits as the remaining sum allows. */
function readCount(input: ForwardBits, remaining: number): number {
  const bits = highestBit(remaining + 1) + 1;
  const value = input.read(bits);
  const lowMask = (1 << (bits - 1)) - 1;
  const threshold = (1 << bits) - 1 - (remaining + 1);
  const low = value & lowMask;
  if (low < threshold) {
    input.at--;
    return low - 1;
  }
  return (value > lowMask ? value - threshold : value) - 1;
}

function readZeroRun(input: ForwardBits, counts: number[], maxSymbol: number): void {
  let repeat: number;
  do {
    repeat = input.read(2);
    for (let index = 0; index < repeat; index++) counts.push(0);
  } while (repeat === 3 && counts.length <= maxSymbol);
}

/** One decoding state over a table. */
export class FseState {
  readonly #table: FseTable;
  #state: number;

  constructor(table: FseTable, input: BackwardBits) {
    this.#table = table;
    this.#state = input.read(table.accuracyLog);
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] ?? 0;
  }

  advance(input: BackwardBits): void {
    const { bits, base } = this.#table;
    this.#state = (base[this.#state] ?? 0) + input.read(bits[this.#state] ?? 0);
  }
}
