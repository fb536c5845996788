// Recording writer, sans-IO: records in, bytes of the file out. The caller writes what it is handed, in order, and decides
// when a block is due (full, or too old). Knows no file.

import { BlockBuffer, sealFrame } from './block-buffer.ts';
import { ownBytes } from './decode.ts';
import { encodeUser, toFixed64, type UserRecord } from './entries.ts';
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

function header(facts: RecordingFacts): Uint8Array {
  const { monoNs, wallNs, bootId, host, toolVersion } = facts;
  const clocks = { clock: CLOCK, monoNs: toFixed64(monoNs), wallNs: toFixed64(wallNs) };
  const fields = { formatVersion: FORMAT_VERSION, ...clocks, bootId, host, toolVersion };
  const payload = tracer.recording.Header.encode(fields).finish();
  const out = new Uint8Array(MAGIC.length + FRAME_HEAD_BYTES + payload.length);
  out.set(MAGIC);
  out.set(payload, MAGIC.length + FRAME_HEAD_BYTES);
  sealFrame(out.subarray(MAGIC.length));
  return out;
}

export function createRecordingWriter(): RecordingWriter {
  const block = new BlockBuffer();
  return {
    header,
    addKernel: (record) => block.addKernel(ownBytes(record)),
    addUser: (record) => block.addEntry(encodeUser(record)),
    isFull: () => block.length >= BLOCK_TARGET_BYTES,
    takeBlock: () => (block.length === 0 ? null : block.take()),
  };
}
