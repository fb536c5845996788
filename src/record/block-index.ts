// The index at the end of a recording: where each block begins and which time it covers, so that a reader can go straight
// to a moment. Bounded: in a file of very many blocks one row stands for several. The layout is in recording.proto.

import protobuf from 'protobufjs/minimal.js';
import { crc32 } from './crc32.ts';
import { fromFixed64, toFixed64 } from './entries.ts';
import { FRAME_HEAD_BYTES, MAX_INDEX_ROWS, TRAILER_BYTES } from './format.ts';
import { tracer } from './recording.gen.js';

const { Block } = tracer.recording;

/** One block, or several in a row. */
export interface IndexRow {
  /** Offset of the first block's frame in the file. */
  readonly offset: number;
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  readonly records: number;
  /** Before compression. */
  readonly contentBytes: number;
}

export interface RecordingIndex {
  readonly rows: readonly IndexRow[];
  /** The session goes on in the next part. */
  readonly continues: boolean;
}

/** Math.min takes no bigint. */
function earlier(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

const joined = (a: IndexRow, b: IndexRow): IndexRow => ({
  offset: a.offset,
  firstNs: earlier(a.firstNs, b.firstNs),
  lastNs: -earlier(-a.lastNs, -b.lastNs),
  records: a.records + b.records,
  contentBytes: a.contentBytes + b.contentBytes,
});

/** Collects rows; when there are too many, joins neighbours, so that each row stands for twice as many blocks. */
export class IndexBuilder {
  readonly #maxRows: number;
  #rows: IndexRow[] = [];
  /** Blocks in each row but the last. */
  #blocksPerRow = 1;
  #blocksInLast = 0;

  constructor(maxRows = MAX_INDEX_ROWS) {
    this.#maxRows = maxRows;
  }

  get rows(): readonly IndexRow[] {
    return this.#rows;
  }

  add(row: IndexRow): void {
    const last = this.#rows.at(-1);
    if (last !== undefined && this.#blocksInLast < this.#blocksPerRow) {
      this.#rows[this.#rows.length - 1] = joined(last, row);
      this.#blocksInLast += 1;
      return;
    }
    if (this.#rows.length >= this.#maxRows) this.#halve();
    this.#rows.push(row);
    this.#blocksInLast = 1;
  }

  #halve(): void {
    const rows = this.#rows;
    this.#rows = [];
    for (let i = 0; i < rows.length; i += 2) {
      const [a, b] = [rows[i], rows[i + 1]];
      if (a !== undefined) this.#rows.push(b === undefined ? a : joined(a, b));
    }
    this.#blocksPerRow *= 2;
  }
}

/** Payload of the index frame that begins at `offset` of the file. */
export function encodeIndex({ rows, continues }: RecordingIndex, offset: number): Uint8Array {
  const blocks = rows.map((row) => ({
    offset: toFixed64(BigInt(row.offset)),
    firstNs: toFixed64(row.firstNs),
    lastNs: toFixed64(row.lastNs),
    records: row.records,
    contentBytes: row.contentBytes,
  }));
  return Block.encode({ index: { blocks, continues }, indexOffset: toFixed64(BigInt(offset)) }).finish();
}

type IndexShape = tracer.recording.Index.$Shape;

/** A uint64 field as a number: protobufjs gives either form. */
const toCount = (value: tracer.recording.IndexedBlocks.$Shape['contentBytes']): number => Number(fromFixed64(value));

export const toIndex = ({ blocks, continues }: IndexShape): RecordingIndex => ({
  rows: (blocks ?? []).map((row) => ({
    offset: Number(fromFixed64(row.offset)),
    firstNs: fromFixed64(row.firstNs),
    lastNs: fromFixed64(row.lastNs),
    records: row.records ?? 0,
    contentBytes: toCount(row.contentBytes),
  })),
  continues: continues ?? false,
});

/** Offset of the index frame as the file's last bytes tell it, or null when they cannot be one. */
export function indexOffsetIn(trailer: Uint8Array, fileBytes: number): number | null {
  if (trailer.length < TRAILER_BYTES) return null;
  const view = new DataView(trailer.buffer, trailer.byteOffset + trailer.length - TRAILER_BYTES, TRAILER_BYTES);
  const offset = view.getBigUint64(0, true);
  return offset < BigInt(fileBytes - FRAME_HEAD_BYTES) ? Number(offset) : null;
}

/** The index in `frame`, the bytes of the file from that offset to its end; null when there is none or it is damaged. */
export function readIndex(frame: Uint8Array): RecordingIndex | null {
  if (frame.length <= FRAME_HEAD_BYTES) return null;
  const view = new DataView(frame.buffer, frame.byteOffset, FRAME_HEAD_BYTES);
  const payload = frame.subarray(FRAME_HEAD_BYTES);
  if (view.getUint32(0, true) !== payload.length || view.getUint32(4, true) !== crc32(payload)) return null;
  try {
    const { index } = Block.decode(new protobuf.Reader(payload));
    return index ? toIndex(index) : null;
  } catch {
    // A right checksum over something else: no index.
    return null;
  }
}
