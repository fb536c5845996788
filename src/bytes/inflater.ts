// DEFLATE (RFC 1951), as a stream that may be cut at any bit. It is our own because of three needs that the kept
// libraries do not meet together: every push gives all that is decodable so far (the text of a gzip SSE stream flows),
// output comes in views of at most 32 KiB with no allocation per push, and the caller may stop it in the middle of a
// push (bombs). It also knows where the stream ends, which gzip members and permessage-deflate need.
//
// Invariant between pushes: all decoded bytes have been given out; `#window` holds the last 32 KiB of them.

import { buildTable, fixedDistances, fixedLiterals, type HuffmanTable } from './huffman.ts';

/** A reference reaches back at most this far (RFC 1951 §2). */
const REACH = 32_768;
/** Longest match. */
const MATCH_MAX = 258;
const WINDOW_BYTES = REACH * 2 + MATCH_MAX;

// RFC 1951 §3.2.5: base and number of extra bits of length codes 257… and of distance codes.
// biome-ignore format: a table of RFC 1951
const LENGTH_BASE = Uint16Array.of(3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258);
// biome-ignore format: a table of RFC 1951
const LENGTH_EXTRA = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0);
// biome-ignore format: a table of RFC 1951
const DIST_BASE = Uint16Array.of(1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577);
// biome-ignore format: a table of RFC 1951
const DIST_EXTRA = Uint8Array.of(0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13);
// RFC 1951 §3.2.7: order in which the lengths of the code length code are sent.
// biome-ignore format: a table of RFC 1951
const CODE_LENGTH_ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15);

type Step =
  | 'block-head'
  | 'stored-head'
  | 'stored'
  | 'table-head'
  | 'code-lengths'
  | 'lengths'
  | 'codes'
  | 'match'
  | 'done'
  | 'corrupt';

/** Takes a view of decoded bytes (valid until it returns); false stops the decoder for good. */
export type Sink = (bytes: Uint8Array) => boolean;

export class Inflater {
  readonly #sink: Sink;
  readonly #window = new Uint8Array(WINDOW_BYTES);
  /** Next free place in the window; bytes before `#given` have been handed out. */
  #at = 0;
  #given = 0;
  /** Bytes decoded since the start or the last `reset`, capped at REACH: how far a reference may reach. */
  #known = 0;
  #step: Step = 'block-head';
  #isFinal = false;
  #stopped = false;
  // Bit reader: `#bits` valid low bits in `#hold`, then `#input` from `#pos`.
  #hold = 0;
  #bits = 0;
  #input: Uint8Array = new Uint8Array(0);
  #pos = 0;
  #storedLeft = 0;
  // Dynamic block being read: counts, code lengths so far, and the table of the code length code.
  #literalCount = 0;
  #distanceCount = 0;
  #codeLengthCount = 0;
  #lengths = new Uint8Array(320);
  #filled = 0;
  #codeTable: HuffmanTable = fixedLiterals;
  #literals: HuffmanTable = fixedLiterals;
  #distances: HuffmanTable = fixedDistances;
  /** Where the last tables of this stream lie, to build the next in. */
  #literalSpace: Uint16Array | undefined;
  #distanceSpace: Uint16Array | undefined;
  // Match being read: its length once known, and the distance code once known (-1 before).
  #matchLength = 0;
  #lengthCode = -1;
  #distanceCode = -1;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isDone(): boolean {
    return this.#step === 'done';
  }

  get isCorrupt(): boolean {
    return this.#step === 'corrupt';
  }

  /** Decodes all it can of `input` from `from`; returns the index of the first byte that it did not use. */
  push(input: Uint8Array, from = 0): number {
    this.#input = input;
    this.#pos = from;
    while (!this.#stopped && this.#advance()) if (this.#at >= REACH * 2) this.#giveOut();
    if (!this.#stopped) this.#giveOut();
    this.#input = new Uint8Array(0);
    return this.#pos;
  }

  /** Ready for another stream, or (`keepWindow`) for more blocks that refer to what was decoded before. */
  reset(keepWindow = false): void {
    this.#step = 'block-head';
    this.#isFinal = false;
    this.#hold = 0;
    this.#bits = 0;
    if (!keepWindow) this.#known = 0;
  }

  #giveOut(): void {
    if (this.#at > this.#given) {
      const fresh = this.#window.subarray(this.#given, this.#at);
      this.#given = this.#at;
      if (!this.#sink(fresh)) this.#stopped = true;
    }
    if (this.#at < REACH * 2) return;
    this.#window.copyWithin(0, this.#at - REACH, this.#at);
    this.#at = REACH;
    this.#given = REACH;
  }

  /** One step of the machine. False: more input is needed, or it has ended. */
  #advance(): boolean {
    switch (this.#step) {
      case 'block-head':
        return this.#blockHead();
      case 'stored-head':
        return this.#storedHead();
      case 'stored':
        return this.#stored();
      case 'table-head':
        return this.#tableHead();
      case 'code-lengths':
        return this.#codeLengths();
      case 'lengths':
        return this.#readLengths();
      case 'codes':
        return this.#codes();
      case 'match':
        return this.#match();
      default:
        return false;
    }
  }

  #need(count: number): boolean {
    while (this.#bits < count) {
      const byte = this.#input[this.#pos];
      if (byte === undefined) return false;
      this.#pos++;
      this.#hold |= byte << this.#bits;
      this.#bits += 8;
    }
    return true;
  }

  #take(count: number): number {
    const value = this.#hold & ((1 << count) - 1);
    this.#hold >>>= count;
    this.#bits -= count;
    return value;
  }

  /** Next symbol of a table, -1 when more input is needed, -2 when there is no such code. */
  #symbol(table: HuffmanTable): number {
    this.#need(table.maxBits);
    const entry = table.entries[this.#hold & ((1 << table.maxBits) - 1)] ?? 0;
    const length = entry & 15;
    if (length === 0) return this.#bits >= table.maxBits ? -2 : -1;
    if (length > this.#bits) return -1;
    this.#take(length);
    return entry >> 4;
  }

  #corrupt(): boolean {
    this.#step = 'corrupt';
    return false;
  }

  #blockHead(): boolean {
    if (this.#isFinal) return this.#finish();
    if (!this.#need(3)) return false;
    this.#isFinal = this.#take(1) === 1;
    const type = this.#take(2);
    if (type === 3) return this.#corrupt();
    if (type === 1) {
      this.#literals = fixedLiterals;
      this.#distances = fixedDistances;
    }
    this.#step = type === 0 ? 'stored-head' : type === 1 ? 'codes' : 'table-head';
    return true;
  }

  /** Whole bytes that were read ahead go back, so that the caller knows where the stream ended. */
  #finish(): boolean {
    const ahead = this.#bits >> 3;
    this.#pos -= Math.min(ahead, this.#pos);
    this.#hold = 0;
    this.#bits = 0;
    this.#step = 'done';
    return false;
  }

  /** LEN and its complement NLEN; 32 bits fit exactly, since whole held bytes only remain after the alignment. */
  #storedHead(): boolean {
    this.#take(this.#bits & 7);
    if (!this.#need(32)) return false;
    const length = this.#hold & 0xffff;
    const complement = this.#hold >>> 16;
    this.#hold = 0;
    this.#bits = 0;
    if ((length ^ complement) !== 0xffff) return this.#corrupt();
    this.#storedLeft = length;
    this.#step = 'stored';
    return true;
  }

  #stored(): boolean {
    if (this.#storedLeft === 0) {
      this.#step = 'block-head';
      return true;
    }
    const count = Math.min(this.#storedLeft, this.#input.length - this.#pos, REACH * 2 - this.#at);
    if (count <= 0) return false;
    this.#window.set(this.#input.subarray(this.#pos, this.#pos + count), this.#at);
    this.#pos += count;
    this.#storedLeft -= count;
    this.#wrote(count);
    return true;
  }

  #wrote(count: number): void {
    this.#at += count;
    if (this.#known < REACH) this.#known = Math.min(REACH, this.#known + count);
  }

  #tableHead(): boolean {
    if (!this.#need(14)) return false;
    this.#literalCount = this.#take(5) + 257;
    this.#distanceCount = this.#take(5) + 1;
    this.#codeLengthCount = this.#take(4) + 4;
    if (this.#literalCount > 286 || this.#distanceCount > 30) return this.#corrupt();
    this.#filled = 0;
    this.#lengths.fill(0);
    this.#step = 'code-lengths';
    return true;
  }

  #codeLengths(): boolean {
    while (this.#filled < this.#codeLengthCount) {
      if (!this.#need(3)) return false;
      this.#lengths[CODE_LENGTH_ORDER[this.#filled++] ?? 0] = this.#take(3);
    }
    const table = buildTable(this.#lengths.subarray(0, 19));
    if (table === undefined) return this.#corrupt();
    this.#codeTable = table;
    this.#filled = 0;
    this.#lengths.fill(0);
    this.#step = 'lengths';
    return true;
  }

  #readLengths(): boolean {
    const total = this.#literalCount + this.#distanceCount;
    while (this.#filled < total) {
      const outcome = this.#oneLength(total);
      if (outcome !== 'ok') return outcome === 'corrupt' ? this.#corrupt() : false;
    }
    const literals = buildTable(this.#lengths.subarray(0, this.#literalCount), this.#literalSpace);
    const distances = buildTable(this.#lengths.subarray(this.#literalCount, total), this.#distanceSpace);
    if (literals === undefined || distances === undefined || this.#lengths[256] === 0) return this.#corrupt();
    this.#literalSpace = literals.entries;
    this.#distanceSpace = distances.entries;
    this.#literals = literals;
    this.#distances = distances;
    this.#step = 'codes';
    return true;
  }

  /** One code length, or one repeat of the last or of zero (RFC 1951 §3.2.7). Symbol and extra bits are taken together. */
  #oneLength(total: number): 'ok' | 'more' | 'corrupt' {
    this.#need(14);
    const table = this.#codeTable;
    const entry = table.entries[this.#hold & ((1 << table.maxBits) - 1)] ?? 0;
    const length = entry & 15;
    const symbol = entry >> 4;
    if (length === 0) return this.#bits >= table.maxBits ? 'corrupt' : 'more';
    const extra = symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
    if (this.#bits < length + extra) return 'more';
    this.#take(length);
    if (symbol < 16) {
      this.#lengths[this.#filled++] = symbol;
      return 'ok';
    }
    if (symbol === 16 && this.#filled === 0) return 'corrupt';
    const value = symbol === 16 ? (this.#lengths[this.#filled - 1] ?? 0) : 0;
    const times = this.#take(extra) + (symbol === 18 ? 11 : 3);
    if (this.#filled + times > total) return 'corrupt';
    this.#lengths.fill(value, this.#filled, this.#filled + times);
    this.#filled += times;
    return 'ok';
  }

  /** The hot loop: literals are written here, a match code leaves to `#match`. */
  #codes(): boolean {
    const { entries, maxBits } = this.#literals;
    const mask = (1 << maxBits) - 1;
    const window = this.#window;
    const input = this.#input;
    let hold = this.#hold;
    let bits = this.#bits;
    let pos = this.#pos;
    let at = this.#at;
    let symbol = -1;
    while (at < REACH * 2) {
      while (bits < maxBits && pos < input.length) {
        hold |= (input[pos++] as number) << bits;
        bits += 8;
      }
      const entry = entries[hold & mask] as number;
      const length = entry & 15;
      if (length === 0 || length > bits) {
        symbol = length === 0 && bits >= maxBits ? -2 : -1;
        break;
      }
      hold >>>= length;
      bits -= length;
      symbol = entry >> 4;
      if (symbol > 255) break;
      window[at++] = symbol;
    }
    this.#hold = hold;
    this.#bits = bits;
    this.#pos = pos;
    this.#wrote(at - this.#at);
    return this.#afterLiterals(symbol);
  }

  #afterLiterals(symbol: number): boolean {
    if (symbol === -2 || symbol > 285) return this.#corrupt();
    if (symbol === 256) this.#step = 'block-head';
    else if (symbol > 256) {
      this.#lengthCode = symbol - 257;
      this.#matchLength = 0;
      this.#distanceCode = -1;
      this.#step = 'match';
    }
    return symbol !== -1;
  }

  #match(): boolean {
    if (this.#matchLength === 0) {
      const extra = LENGTH_EXTRA[this.#lengthCode] ?? 0;
      if (!this.#need(extra)) return false;
      this.#matchLength = (LENGTH_BASE[this.#lengthCode] ?? 3) + this.#take(extra);
    }
    if (this.#distanceCode < 0) {
      const code = this.#symbol(this.#distances);
      if (code === -1) return false;
      if (code < 0 || code > 29) return this.#corrupt();
      this.#distanceCode = code;
    }
    const extra = DIST_EXTRA[this.#distanceCode] ?? 0;
    if (!this.#need(extra)) return false;
    const distance = (DIST_BASE[this.#distanceCode] ?? 1) + this.#take(extra);
    if (distance > this.#known) return this.#corrupt();
    this.#copyMatch(distance);
    this.#step = 'codes';
    return true;
  }

  #copyMatch(distance: number): void {
    const window = this.#window;
    let to = this.#at;
    const end = to + this.#matchLength;
    if (distance >= this.#matchLength) window.copyWithin(to, to - distance, end - distance);
    else for (; to < end; to++) window[to] = window[to - distance] as number;
    this.#wrote(this.#matchLength);
  }
}
