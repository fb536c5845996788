// Recording writer, sans-IO: records in, frames of the file out. The caller writes what it is handed, in order, decides when
// a block is due (full, or too old), and packs its content, for packing takes time that the capture does not have. Knows no
// file and no compressor.

import { BlockBuffer, type PendingBlock, sealFrame } from './block-buffer.ts';
import { encodeIndex, IndexBuilder } from './block-index.ts';
import { ownBytes } from './decode.ts';
import { encodeUser, toFixed64, type UserRecord } from './entries.ts';
import { BLOCK_TARGET_BYTES, CLOCK, FORMAT_VERSION, FRAME_HEAD_BYTES, MAGIC, PLAIN_FORMAT_VERSION } from './format.ts';
import { tracer } from './recording.gen.js';

const { Block, Codec } = tracer.recording;

/** Facts of the session that every reader needs before the first record. */
export interface RecordingFacts {
  /** CLOCK_MONOTONIC and UTC at one moment, nanoseconds. */
  readonly monoNs: bigint;
  readonly wallNs: bigint;
  readonly bootId: string;
  readonly host: string;
  readonly toolVersion: string;
}

export interface RecordingWriter {
  /** First bytes of a file: magic and header. Begins a new index. `part`: from 1 in a rotated session, 0 otherwise. */
  header(facts: RecordingFacts, part?: number): Uint8Array;
  /** Adds one kernel record exactly as emitted (header and payload; what the ring left behind them is not kept). Copied. */
  addKernel(record: Uint8Array): void;
  /** Adds one record made by user space. */
  addUser(record: UserRecord): void;
  /** True when the pending block has reached its target size. */
  isFull(): boolean;
  /** The pending records, or null when there are none. `repeated`: an earlier part has them, too. */
  takeBlock(repeated?: boolean): PendingBlock | null;
  /** The block as a frame, next in the file. `packed`: its content after brotli (RFC 7932), null to store it plain. */
  frame(block: PendingBlock, packed: Uint8Array | null): Uint8Array;
  /** The last frame of the file: its index. `continues`: the session goes on in the next part. */
  finish(continues: boolean): Uint8Array;
}

/** Room for magic or nothing, then one frame. */
function framed(payload: Uint8Array, magic: Uint8Array = new Uint8Array()): Uint8Array {
  const out = new Uint8Array(magic.length + FRAME_HEAD_BYTES + payload.length);
  out.set(magic);
  out.set(payload, magic.length + FRAME_HEAD_BYTES);
  sealFrame(out.subarray(magic.length));
  return out;
}

function headerPayload(facts: RecordingFacts, part: number, formatVersion: number): Uint8Array {
  const { monoNs, wallNs, bootId, host, toolVersion } = facts;
  const clocks = { clock: CLOCK, monoNs: toFixed64(monoNs), wallNs: toFixed64(wallNs) };
  const fields = { formatVersion, ...clocks, bootId, host, toolVersion, ...(part > 0 && { part }) };
  return tracer.recording.Header.encode(fields).finish();
}

function blockPayload({ content, repeated }: PendingBlock, packed: Uint8Array | null): Uint8Array {
  const fields = packed === null ? { content } : { codec: Codec.CODEC_BROTLI, content: packed };
  return Block.encode({ contentBytes: content.length, ...fields, ...(repeated && { repeated }) }).finish();
}

class Writer implements RecordingWriter {
  readonly #block = new BlockBuffer();
  readonly #formatVersion: number;
  #index = new IndexBuilder();
  /** Offset of the next frame in the file. */
  #offset = 0;

  constructor(formatVersion: number) {
    this.#formatVersion = formatVersion;
  }

  header(facts: RecordingFacts, part = 0): Uint8Array {
    const bytes = framed(headerPayload(facts, part, this.#formatVersion), MAGIC);
    this.#index = new IndexBuilder();
    this.#offset = bytes.length;
    return bytes;
  }

  addKernel(record: Uint8Array): void {
    this.#block.addKernel(ownBytes(record));
  }

  addUser(record: UserRecord): void {
    this.#block.addEntry(encodeUser(record), record.tsNs);
  }

  isFull(): boolean {
    return this.#block.length >= BLOCK_TARGET_BYTES;
  }

  takeBlock(repeated = false): PendingBlock | null {
    return this.#block.length === 0 ? null : this.#block.take(repeated);
  }

  frame(block: PendingBlock, packed: Uint8Array | null): Uint8Array {
    if (packed !== null && this.#formatVersion === PLAIN_FORMAT_VERSION)
      throw new Error('a file of format version 1 cannot hold a compressed block');
    const bytes = framed(blockPayload(block, packed));
    const { firstNs, lastNs, records } = block;
    this.#index.add({ offset: this.#offset, firstNs, lastNs, records, contentBytes: block.content.length });
    this.#offset += bytes.length;
    return bytes;
  }

  finish(continues: boolean): Uint8Array {
    return framed(encodeIndex({ rows: this.#index.rows, continues }, this.#offset));
  }
}

/** `plain`: blocks will not be compressed, and a reader of version 1 shall read the file. */
export const createRecordingWriter = ({ plain = false } = {}): RecordingWriter =>
  new Writer(plain ? PLAIN_FORMAT_VERSION : FORMAT_VERSION);
