// Recording writer, sans-IO: records in, bytes of the file out. The caller writes what it is handed, in order, and decides
// when a block is due (full, or too old). Knows no file.

import protobuf from 'protobufjs/minimal.js';
import { crc32 } from './crc32.ts';
import { ownBytes } from './decode.ts';
import { encodeKernel, encodeUser, toFixed64, type UserRecord } from './entries.ts';
import { BLOCK_TARGET_BYTES, CLOCK, FORMAT_VERSION, FRAME_HEAD_BYTES, MAGIC } from './format.ts';
import { tracer } from './recording.gen.js';

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
  /** The file's first bytes: magic and header. */
  header(facts: RecordingFacts): Uint8Array;
  /** Adds one kernel record exactly as emitted (header and payload; what the ring left behind them is not kept). Copied. */
  addKernel(record: Uint8Array): void;
  /** Adds one record made by user space. */
  addUser(record: UserRecord): void;
  /** True when the pending block has reached its target size. */
  isFull(): boolean;
  /** The pending records as one framed block, or null when there are none. */
  takeBlock(): Uint8Array | null;
}

/** Protobuf tag of field 1, length-delimited: `Entries.entries`. */
const ENTRY_TAG = 0x0a;

/** A frame as docs/recording.md draws it: length, CRC-32, payload. */
function frame(payload: Uint8Array): Uint8Array {
  const out = new Uint8Array(FRAME_HEAD_BYTES + payload.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, payload.length, true);
  view.setUint32(4, crc32(payload), true);
  out.set(payload, FRAME_HEAD_BYTES);
  return out;
}

function block(entries: readonly Uint8Array[]): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const entry of entries) writer.uint32(ENTRY_TAG).bytes(entry);
  const content = writer.finish();
  return frame(tracer.recording.Block.encode({ contentBytes: content.length, content }).finish());
}

function header(facts: RecordingFacts): Uint8Array {
  const { monoNs, wallNs, ...names } = facts;
  const fields = {
    formatVersion: FORMAT_VERSION,
    clock: CLOCK,
    monoNs: toFixed64(monoNs),
    wallNs: toFixed64(wallNs),
    ...names,
  };
  const framed = frame(tracer.recording.Header.encode(fields).finish());
  const out = new Uint8Array(MAGIC.length + framed.length);
  out.set(MAGIC);
  out.set(framed, MAGIC.length);
  return out;
}

export function createRecordingWriter(): RecordingWriter {
  let entries: Uint8Array[] = [];
  let pendingBytes = 0;
  const add = (entry: Uint8Array): void => {
    entries.push(entry);
    pendingBytes += entry.length;
  };
  return {
    header,
    addKernel: (record) => add(encodeKernel(ownBytes(record))),
    addUser: (record) => add(encodeUser(record)),
    isFull: () => pendingBytes >= BLOCK_TARGET_BYTES,
    takeBlock() {
      if (entries.length === 0) return null;
      const taken = entries;
      entries = [];
      pendingBytes = 0;
      return block(taken);
    },
  };
}
