// Recording writer, sans-IO: records in, frames of the file out. The caller writes what it is handed, in order, decides when
// a block is due (full, or too old), and packs its content, for packing takes time that the capture does not have. Knows no
// file and no compressor. A block's content is not copied into its frame: at the rate of a busy capture that, and a checksum
// made here instead of by the caller's own means, would be most of the cost of recording.

import { BlockBuffer, type PendingBlock, putVarint, varintBytes } from './block-buffer.ts';
import { encodeIndex, IndexBuilder } from './block-index.ts';
import { crc32 } from './crc32.ts';
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
  /** The same in pieces that follow each other, without a copy of the content. */
  framePieces(block: PendingBlock, packed: Uint8Array | null): readonly Uint8Array[];
  /** The last frame of the file: its index. `continues`: the session goes on in the next part. */
  finish(continues: boolean): Uint8Array;
}

/** CRC-32, unsigned, of bytes behind others whose CRC-32 is `before`. */
export type Checksum = (bytes: Uint8Array, before: number) => number;

/** Tag of `Block.content` in recording.proto: field 3, length-delimited. */
const CONTENT_TAG = (3 << 3) | 2;

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Length and CRC-32 of a payload in pieces. */
function frameHead(payload: readonly Uint8Array[], checksum: Checksum): Uint8Array {
  const head = new Uint8Array(FRAME_HEAD_BYTES);
  const view = new DataView(head.buffer);
  const lenBytes = payload.reduce((sum, { length }) => sum + length, 0);
  view.setUint32(0, lenBytes, true);
  view.setUint32(
    4,
    payload.reduce((sum, piece) => checksum(piece, sum), 0),
    true,
  );
  return head;
}

const framed = (payload: Uint8Array): readonly Uint8Array[] => [frameHead([payload], crc32), payload];

function headerPayload(facts: RecordingFacts, part: number, formatVersion: number): Uint8Array {
  const { monoNs, wallNs, bootId, host, toolVersion } = facts;
  const clocks = { clock: CLOCK, monoNs: toFixed64(monoNs), wallNs: toFixed64(wallNs) };
  const fields = { formatVersion, ...clocks, bootId, host, toolVersion, ...(part > 0 && { part }) };
  return tracer.recording.Header.encode(fields).finish();
}

/** The fields of a block, then its content, which protobuf allows in this order. */
function blockPayload({ content, repeated }: PendingBlock, packed: Uint8Array | null): readonly Uint8Array[] {
  const stored = packed ?? content;
  const codec = packed === null ? {} : { codec: Codec.CODEC_BROTLI };
  const fields = Block.encode({ ...codec, contentBytes: content.length, ...(repeated && { repeated }) }).finish();
  const head = new Uint8Array(fields.length + 1 + varintBytes(stored.length));
  head.set(fields);
  head[fields.length] = CONTENT_TAG;
  putVarint(head, fields.length + 1, stored.length);
  return [head, stored];
}

class Writer implements RecordingWriter {
  readonly #block = new BlockBuffer();
  readonly #formatVersion: number;
  readonly #checksum: Checksum;
  #index = new IndexBuilder();
  /** Offset of the next frame in the file. */
  #offset = 0;

  constructor(formatVersion: number, checksum: Checksum) {
    this.#formatVersion = formatVersion;
    this.#checksum = checksum;
  }

  header(facts: RecordingFacts, part = 0): Uint8Array {
    const bytes = joined([MAGIC, ...framed(headerPayload(facts, part, this.#formatVersion))]);
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
    return joined(this.framePieces(block, packed));
  }

  framePieces(block: PendingBlock, packed: Uint8Array | null): readonly Uint8Array[] {
    if (packed !== null && this.#formatVersion === PLAIN_FORMAT_VERSION)
      throw new Error('a file of format version 1 cannot hold a compressed block');
    const payload = blockPayload(block, packed);
    const pieces = [frameHead(payload, this.#checksum), ...payload];
    const { firstNs, lastNs, records } = block;
    this.#index.add({ offset: this.#offset, firstNs, lastNs, records, contentBytes: block.content.length });
    this.#offset += pieces.reduce((sum, { length }) => sum + length, 0);
    return pieces;
  }

  finish(continues: boolean): Uint8Array {
    return joined(framed(encodeIndex({ rows: this.#index.rows, continues }, this.#offset)));
  }
}

/**
 * `plain`: blocks will not be compressed, and a reader of version 1 shall read the file. `checksum`: a faster CRC-32 than
 * that of this room.
 */
export const createRecordingWriter = ({ plain = false, checksum = crc32 as Checksum } = {}): RecordingWriter =>
  new Writer(plain ? PLAIN_FORMAT_VERSION : FORMAT_VERSION, checksum);
