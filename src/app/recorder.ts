// The recorder tap, left of the engine: it keeps the raw capture, secrets included, so that a later parser can decode it
// again. The file belongs to the user as whom the tracer runs by then, mode 0600.
//
// Blocks are written asynchronously and in order. When the disk is slower than the capture for long, whole blocks are
// left out and counted: the offsets in the records make the hole visible on replay, nothing is spliced.

import { closeSync, constants, fchmodSync, fstatSync, openSync, writev } from 'node:fs';
import { TracerError } from '../errors.ts';
import type { CaptureRecord } from '../model/index.ts';
import { createRecordingWriter, type RecordingFacts, type RecordingWriter } from '../record/index.ts';

/** 128 MiB: what a disk that stalls for a second may owe us at the highest rate that the addon delivers. */
const MAX_BACKLOG_BYTES = 128 * 1024 * 1024;
/** A pending block is written after this time even when it is small, so that kill -9 costs at most this much. */
const BLOCK_AGE_MS = 250;

export interface RecorderResult {
  readonly bytes: number;
  readonly droppedBlocks: number;
  readonly error: TracerError | null;
}

export interface Recorder {
  record(record: CaptureRecord, raw: Uint8Array | null): void;
  /** Writes what is pending and closes the file. */
  close(): Promise<RecorderResult>;
}

function openPrivate(path: string, user: string): number {
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    const fd = openSync(path, flags, 0o600);
    // A file that existed keeps its mode on open; a device or a pipe (e.g. /dev/full) has none of ours to set.
    if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
    return fd;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new TracerError('E_FILE_UNWRITABLE', { path, reason, user }, { cause });
  }
}

class FileRecorder implements Recorder {
  readonly #path: string;
  readonly #fd: number;
  readonly #writer: RecordingWriter = createRecordingWriter();
  readonly #timer: NodeJS.Timeout;
  readonly #onError: (error: TracerError) => void;
  #queue: Uint8Array[] = [];
  #backlogBytes = 0;
  #writtenBytes = 0;
  #droppedBlocks = 0;
  #writing = false;
  #error: TracerError | null = null;
  #idle: (() => void)[] = [];

  constructor(path: string, user: string, facts: RecordingFacts, onError: (error: TracerError) => void) {
    this.#path = path;
    this.#fd = openPrivate(path, user);
    this.#onError = onError;
    this.#enqueue(this.#writer.header(facts));
    this.#timer = setInterval(() => this.#flushBlock(), BLOCK_AGE_MS);
  }

  record(record: CaptureRecord, raw: Uint8Array | null): void {
    if (raw !== null) this.#writer.addKernel(raw);
    else this.#addUser(record);
    if (this.#writer.isFull()) this.#flushBlock();
  }

  async close(): Promise<RecorderResult> {
    clearInterval(this.#timer);
    this.#flushBlock();
    if (this.#writing) await new Promise<void>((resolve) => this.#idle.push(resolve));
    closeSync(this.#fd);
    return { bytes: this.#writtenBytes, droppedBlocks: this.#droppedBlocks, error: this.#error };
  }

  #addUser(record: CaptureRecord): void {
    switch (record.kind) {
      case 'process':
      case 'counters':
      case 'progress':
      case 'session':
        this.#writer.addUser(record);
        return;
      default:
        throw new Error(`a ${record.kind} record comes from the kernel and must be recorded raw`);
    }
  }

  #flushBlock(): void {
    const block = this.#writer.takeBlock();
    if (block === null || this.#error !== null) return;
    if (this.#backlogBytes + block.length > MAX_BACKLOG_BYTES) this.#droppedBlocks += 1;
    else this.#enqueue(block);
  }

  #enqueue(bytes: Uint8Array): void {
    this.#queue.push(bytes);
    this.#backlogBytes += bytes.length;
    if (!this.#writing) this.#writeQueue();
  }

  #writeQueue(): void {
    const blocks = this.#queue;
    this.#queue = [];
    this.#writing = true;
    this.#writeAll(blocks);
  }

  #writeAll(blocks: Uint8Array[]): void {
    writev(this.#fd, blocks, (cause, written) => {
      if (cause !== null) return this.#fail(cause);
      this.#writtenBytes += written;
      this.#backlogBytes -= written;
      const rest = restOf(blocks, written);
      if (rest.length > 0) return this.#writeAll(rest);
      this.#writing = false;
      if (this.#queue.length > 0) this.#writeQueue();
      else this.#wake();
    });
  }

  #fail(cause: NodeJS.ErrnoException): void {
    this.#error = new TracerError('E_FILE_FULL', { path: this.#path, reason: cause.code ?? cause.message }, { cause });
    this.#queue = [];
    this.#backlogBytes = 0;
    this.#writing = false;
    this.#wake();
    this.#onError(this.#error);
  }

  #wake(): void {
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }
}

/** The blocks behind the first `written` bytes. */
function restOf(blocks: readonly Uint8Array[], written: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let skip = written;
  for (const block of blocks) {
    if (skip < block.length) rest.push(skip === 0 ? block : block.subarray(skip));
    skip = Math.max(0, skip - block.length);
  }
  return rest;
}

/** Throws E_FILE_UNWRITABLE. `onError` is called once, when writing fails later on (a full disk). */
export function openRecorder(
  path: string,
  user: string,
  facts: RecordingFacts,
  onError: (error: TracerError) => void,
): Recorder {
  return new FileRecorder(path, user, facts, onError);
}
