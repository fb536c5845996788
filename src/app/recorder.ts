// The recorder tap, left of the engine: it keeps the raw capture, secrets included, so that a later parser can decode it
// again. Files belong to the user as whom the tracer runs by then, mode 0600.
//
// Blocks are compressed on Node's thread pool and written in order, all that wait in one call: on a busy event loop a call
// costs a turn, whatever its size. When that falls behind they are stored as they are; when the disk is slower than the
// capture for long, data is left out, record by record, and counted: offsets make the hole visible on replay to the byte, nothing
// is spliced. Everything else (who, when, which connection, how it ended) is small and goes on being recorded.

import { promisify } from 'node:util';
import { brotliCompress, constants, crc32 } from 'node:zlib';
import type { Encrypter } from 'age-encryption';
import { TracerError } from '../errors.ts';
import type { CaptureRecord } from '../model/index.ts';
import {
  createRecordingWriter,
  type PendingBlock,
  type RecordingFacts,
  type RecordingWriter,
} from '../record/index.ts';
import { openRecordingFile, type RecordingSink } from './encrypted-file.ts';
import { SessionFacts } from './session-facts.ts';

/** 128 MiB: what a disk that stalls for a second may owe us at the highest rate that the addon delivers. */
const MAX_BACKLOG_BYTES = 128 * 1024 * 1024;
/** From this backlog on, blocks are stored as they are: a large file is better than one with holes. */
const HURRY_BACKLOG_BYTES = 16 * 1024 * 1024;
/** Beyond the backlog's bound, for what is no data. When that is used up as well, whole blocks go. */
const SMALL_RECORDS_BYTES = 16 * 1024 * 1024;
/** Blocks in one call of the disk: bounds the copies that are made for it. */
const MAX_BATCH_BLOCKS = 32;
/** A pending block is written after this time even when it is small, so that kill -9 costs at most this much. */
const BLOCK_AGE_MS = 250;
/**
 * Brotli at its second level, by measurement on a session of an agent (6.7 MB in blocks of 256 KiB, one core): brotli 1 gives
 * 7.3:1 at 390 MB/s, zstd 1 7.8:1 at 330 MB/s, gzip 1 3.6:1 at 69 MB/s. Of these Node 20 has brotli and gzip built in.
 */
const BROTLI_QUALITY = 1;

/** When a new part begins: by size of the file, or by its age; whatever comes first. */
export interface Rotation {
  readonly maxBytes?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

export interface RecorderResult {
  readonly bytes: number;
  /** Left out because the disk was too slow. Bytes: of plaintext in records of data. */
  readonly droppedRecords: number;
  readonly droppedBytes: number;
  readonly error: TracerError | null;
}

export interface Recorder {
  record(record: CaptureRecord, raw: Uint8Array | null): void;
  /** Writes what is pending and closes the file. */
  close(): Promise<RecorderResult>;
}

/** `chat.trc`, then `chat.0002.trc`, …: sorted by name, and matched by `chat*.trc`. */
export function partPath(path: string, part: number): string {
  if (part <= 1) return path;
  const dot = path.lastIndexOf('.');
  const stem = dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
  return `${stem}.${String(part).padStart(4, '0')}${path.slice(stem.length)}`;
}

const pack = promisify(brotliCompress);

/** The block's content compressed, or null when that makes it no smaller. */
export async function packBlock({ content }: PendingBlock): Promise<Uint8Array | null> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const packed = await pack(content, { params: { ...params, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
  return packed.length < content.length ? packed : null;
}

/** A block to write; `opens`: it is the first of a new part. */
interface Queued {
  readonly block: PendingBlock | null;
  readonly opensPart: boolean;
}

const contentBytes = (queue: readonly Queued[]): number =>
  queue.reduce((sum, { block }) => sum + (block?.content.length ?? 0), 0);

class FileRecorder implements Recorder {
  readonly #path: string;
  readonly #open: (path: string) => RecordingSink;
  readonly #facts: RecordingFacts;
  readonly #rotation: Rotation | null;
  readonly #writer: RecordingWriter = createRecordingWriter({ checksum: crc32 });
  readonly #known = new SessionFacts();
  readonly #timer: NodeJS.Timeout;
  readonly #onError: (error: TracerError) => void;
  #file: RecordingSink;
  #part: number;
  #partSinceMs = performance.now();
  /** A new part is in the queue and not begun yet. */
  #isRotating = false;
  #queue: Queued[] = [];
  #backlogBytes = 0;
  #closedBytes = 0;
  #droppedRecords = 0;
  #droppedBytes = 0;
  #error: TracerError | null = null;
  /** Settled when the queue is empty. */
  #working: Promise<void>;

  constructor(
    path: string,
    user: string,
    facts: RecordingFacts,
    rotation: Rotation | null,
    encrypter: Encrypter | null,
    onError: (error: TracerError) => void,
  ) {
    this.#path = path;
    this.#open = (file) => openRecordingFile(file, user, encrypter);
    this.#facts = facts;
    this.#rotation = rotation;
    this.#part = rotation === null ? 0 : 1;
    this.#file = this.#open(path);
    this.#onError = onError;
    this.#working = this.#guard(() => this.#file.write(this.#writer.header(facts, this.#part)));
    this.#timer = setInterval(() => this.#flushBlock(), BLOCK_AGE_MS);
  }

  record(record: CaptureRecord, raw: Uint8Array | null): void {
    if (this.#rotation !== null) this.#known.learn(record);
    if (record.kind === 'data' && this.#backlogBytes >= MAX_BACKLOG_BYTES) {
      this.#droppedRecords += 1;
      this.#droppedBytes += record.bytes.length;
      return;
    }
    if (raw !== null) this.#writer.addKernel(raw);
    else this.#addUser(record);
    if (this.#writer.isFull()) this.#flushBlock();
  }

  async close(): Promise<RecorderResult> {
    clearInterval(this.#timer);
    // The end of the session must not be left out: there is time for it now.
    await this.#working;
    this.#enqueuePending();
    await this.#working;
    await this.#guard(() => this.#file.write(this.#writer.finish(false)));
    await this.#guard(async () => this.#file.close());
    const bytes = this.#closedBytes + this.#file.writtenBytes;
    return { bytes, droppedRecords: this.#droppedRecords, droppedBytes: this.#droppedBytes, error: this.#error };
  }

  #addUser(record: CaptureRecord): void {
    switch (record.kind) {
      case 'process':
      case 'counters':
      case 'progress':
      case 'call-facts':
      case 'session':
        this.#writer.addUser(record);
        return;
      default:
        throw new Error(`a ${record.kind} record comes from the kernel and must be recorded raw`);
    }
  }

  #flushBlock(): void {
    if (this.#enqueuePending() && this.#isPartFull()) this.#rotate();
  }

  /** True when there was something to write. */
  #enqueuePending(): boolean {
    const block = this.#writer.takeBlock();
    if (block === null || this.#error !== null) return false;
    if (this.#backlogBytes + block.content.length > MAX_BACKLOG_BYTES + SMALL_RECORDS_BYTES)
      this.#droppedRecords += block.records;
    else this.#enqueue({ block, opensPart: false });
    return true;
  }

  #isPartFull(): boolean {
    if (this.#rotation === null || this.#isRotating) return false;
    const { maxBytes = Number.POSITIVE_INFINITY, maxAgeMs = Number.POSITIVE_INFINITY } = this.#rotation;
    return this.#file.writtenBytes >= maxBytes || performance.now() - this.#partSinceMs >= maxAgeMs;
  }

  /** The facts are taken now: they are what holds before the next record. */
  #rotate(): void {
    this.#isRotating = true;
    for (const record of this.#known.records()) this.#writer.addUser(record);
    this.#enqueue({ block: this.#writer.takeBlock(true), opensPart: true });
  }

  #enqueue(queued: Queued): void {
    this.#backlogBytes += queued.block?.content.length ?? 0;
    this.#queue.push(queued);
    if (this.#queue.length === 1) this.#working = this.#working.then(() => this.#guard(() => this.#work()));
  }

  /** Takes blocks off the queue once they are written, so that the queue is empty only when nothing is left to do. */
  async #work(): Promise<void> {
    while (this.#queue.length > 0 && this.#error === null) {
      if (this.#queue[0]?.opensPart) await this.#openNextPart();
      const isHurry = this.#backlogBytes > HURRY_BACKLOG_BYTES;
      const batch = this.#nextBatch(isHurry ? this.#backlogBytes - HURRY_BACKLOG_BYTES : Number.POSITIVE_INFINITY);
      const blocks = batch.flatMap(({ block }) => block ?? []);
      const packed = await Promise.all(blocks.map((block) => (isHurry ? null : packBlock(block))));
      await this.#file.writeAll(blocks.flatMap((block, i) => this.#writer.framePieces(block, packed[i] ?? null)));
      this.#backlogBytes -= contentBytes(batch);
      this.#queue.splice(0, batch.length);
    }
  }

  /** What is written next: from the head of the queue, of one part, until it has `enoughBytes`. */
  #nextBatch(enoughBytes: number): readonly Queued[] {
    let bytes = 0;
    const end = this.#queue.findIndex((queued, i) => {
      const isFull = i >= MAX_BATCH_BLOCKS || bytes >= enoughBytes || (i > 0 && queued.opensPart);
      bytes += queued.block?.content.length ?? 0;
      return isFull;
    });
    return this.#queue.slice(0, end < 0 ? undefined : end);
  }

  async #openNextPart(): Promise<void> {
    await this.#file.write(this.#writer.finish(true));
    const next = this.#open(partPath(this.#path, this.#part + 1));
    await this.#file.close();
    this.#closedBytes += this.#file.writtenBytes;
    this.#file = next;
    this.#part += 1;
    this.#partSinceMs = performance.now();
    this.#isRotating = false;
    await this.#file.write(this.#writer.header(this.#facts, this.#part));
  }

  /** The first failure ends the recording, not the capture. */
  async #guard(work: () => Promise<void>): Promise<void> {
    if (this.#error !== null) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TracerError)) throw error;
      this.#error = error;
      this.#queue = [];
      this.#backlogBytes = 0;
      this.#onError(error);
    }
  }
}

/** Throws E_FILE_UNWRITABLE. `onError` is called once, when writing fails later on (a full disk). */
export function openRecorder(
  path: string,
  user: string,
  facts: RecordingFacts,
  onError: (error: TracerError) => void,
  rotation: Rotation | null = null,
  encrypter: Encrypter | null = null,
): Recorder {
  return new FileRecorder(path, user, facts, rotation, encrypter, onError);
}
