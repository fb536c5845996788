// The pending block of the writer: one growing buffer that holds serialized `Entries`. The few protobuf tags of the hot way
// (an entry, a kernel record in it) are written here by hand: a chunk is copied once on its way in and once on its way out,
// where generated code would copy it four times.

import { BLOCK_TARGET_BYTES } from './format.ts';
import { RECORD_LAYOUT } from './layout.gen.ts';

/** Tags of recording.proto: field number << 3 | 2 (length-delimited). */
const TAG = { entriesEntry: 0x0a, entryKernel: 0x0a } as const;

/** Serialized entries and what an index says about them. */
export interface PendingBlock {
  readonly content: Uint8Array;
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  readonly records: number;
  /** Facts that an earlier part has given already. */
  readonly repeated: boolean;
}

/** A u32 takes five bytes at most. */
const MAX_VARINT_BYTES = 5;
/** A record that is shorter has no time. */
const TIME_END = RECORD_LAYOUT.tsNs + 8;
/** Room for two tags and two lengths. */
const MAX_ENTRY_HEAD_BYTES = 2 * (1 + MAX_VARINT_BYTES);

export const varintBytes = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;

/** Writes `value` (u32, below 2^31 here) at `at`; the offset behind it. */
export function putVarint(out: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest >= 0x80; rest >>>= 7) out[end++] = (rest & 0x7f) | 0x80;
  out[end++] = rest;
  return end;
}

export class BlockBuffer {
  /** A block exceeds its target by its last record only: this grows at most a few times in a session. */
  #bytes = new Uint8Array(BLOCK_TARGET_BYTES + 64 * 1024);
  #length = 0;
  #records = 0;
  #firstNs = 0n;
  #lastNs = 0n;

  get length(): number {
    return this.#length;
  }

  /** Adds `Entry { kernel: record }`. */
  addKernel(record: Uint8Array): void {
    if (record.length >= TIME_END) {
      this.#covers(new DataView(record.buffer, record.byteOffset, TIME_END).getBigUint64(RECORD_LAYOUT.tsNs, true));
    }
    this.#records += 1;
    this.#reserve(MAX_ENTRY_HEAD_BYTES + record.length);
    const entryBytes = 1 + varintBytes(record.length) + record.length;
    this.#bytes[this.#length] = TAG.entriesEntry;
    let at = putVarint(this.#bytes, this.#length + 1, entryBytes);
    this.#bytes[at] = TAG.entryKernel;
    at = putVarint(this.#bytes, at + 1, record.length);
    this.#bytes.set(record, at);
    this.#length = at + record.length;
  }

  /** Adds a serialized `Entry` of the time `tsNs`. */
  addEntry(entry: Uint8Array, tsNs: bigint): void {
    this.#covers(tsNs);
    this.#records += 1;
    this.#reserve(MAX_ENTRY_HEAD_BYTES + entry.length);
    this.#bytes[this.#length] = TAG.entriesEntry;
    const at = putVarint(this.#bytes, this.#length + 1, entry.length);
    this.#bytes.set(entry, at);
    this.#length = at + entry.length;
  }

  /** All that was added, and an empty buffer again. */
  take(repeated: boolean): PendingBlock {
    const content = this.#bytes.slice(0, this.#length);
    const block = { content, firstNs: this.#firstNs, lastNs: this.#lastNs, records: this.#records, repeated };
    this.#length = 0;
    this.#records = 0;
    this.#firstNs = 0n;
    this.#lastNs = 0n;
    return block;
  }

  /** Records come nearly in order: the range is kept, not the ends. Zero stands for no time yet. */
  #covers(tsNs: bigint): void {
    if (this.#firstNs === 0n || tsNs < this.#firstNs) this.#firstNs = tsNs;
    if (tsNs > this.#lastNs) this.#lastNs = tsNs;
  }

  #reserve(moreBytes: number): void {
    if (this.#length + moreBytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + moreBytes));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
