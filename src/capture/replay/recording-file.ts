// One recording file, or standard input, read front to back in batches. The reader of the record room does the decoding;
// here are the file, the decompressor, and the words for what is wrong with it.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { readingReason, TracerError } from '../../errors.ts';
import type { SessionRecord } from '../../model/index.ts';
import {
  createRecordingReader,
  type DecodedRecord,
  FORMAT_VERSION,
  indexOffsetIn,
  MAX_FRAME_BYTES,
  type RecordingEnd,
  type RecordingHeader,
  type RecordingIndex,
  readIndex,
  TRAILER_BYTES,
  type Unpack,
} from '../../record/index.ts';
import { decrypt, isEncrypted, MAGIC_BYTES } from './decryption.ts';

/** 1 MiB per read: a few blocks of a recording, so waiting for a slow sink happens often enough. */
const READ_BYTES = 1024 * 1024;

/** Standard input as a file that can be opened. */
const STDIN = '/dev/stdin';

/** A record as it stands in the file. `raw`: the kernel's bytes, null when user space made it. Views into the batch. */
export interface Entry {
  readonly record: DecodedRecord;
  readonly raw: Uint8Array | null;
  /** An earlier part of the session has it, too. */
  readonly repeated: boolean;
}

/** Gives batches until there are none. What a batch holds is valid until the next one is asked for. */
export interface EntryStream {
  next(): Promise<readonly Entry[] | null>;
}

export const unpackBlock: Unpack = (packed, maxBytes) =>
  brotliDecompressSync(packed, { maxOutputLength: Math.max(1, maxBytes) });

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path === '-' ? STDIN : path, constants.O_RDONLY);
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (cause) {
    throw new TracerError('E_RECORDING_UNREADABLE', { path, reason: readingReason(cause) }, { cause });
  }
  throw new TracerError('E_RECORDING_UNREADABLE', { path, reason: 'it is a directory' });
}

const unusable = (path: string, what: string): TracerError =>
  new TracerError('E_RECORDING_CORRUPT', { path, what, kept: '' });

/** A file that merely ends early is no error, unless it ends before there is anything to show. */
function cutError(path: string, end: RecordingEnd, part: number): TracerError | null {
  if (end.records > 0 || part > 1) return null;
  if (end.lastWholeOffset + end.leftBytes === 0) return unusable(path, 'is empty');
  return unusable(path, 'ends before its first record');
}

/** Damage as an error. `part`: of a rotated session, else 0. */
function errorOf(path: string, end: RecordingEnd, tool: string, part: number): TracerError | null {
  switch (end.state) {
    case 'whole':
      return null;
    case 'cut':
      return cutError(path, end, part);
    case 'newer':
      return new TracerError('E_RECORDING_NEWER', { path, found: end.formatVersion, known: FORMAT_VERSION, tool });
    case 'foreign':
      return unusable(path, 'is not a recording');
    case 'corrupt': {
      // The reader's words name the offset, too.
      const reason = (end.problem ?? 'unreadable').replace(/, at offset \d+$/, '');
      const what = `is damaged at byte ${end.lastWholeOffset}: ${reason}`;
      return new TracerError('E_RECORDING_CORRUPT', { path, what, kept: '; everything before that byte was replayed' });
    }
  }
}

export class RecordingFile implements EntryStream {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #buffer = new Uint8Array(READ_BYTES);
  /** Plaintext of a file that is encrypted; null for one in the clear. */
  #plain: ReadableStreamDefaultReader<Uint8Array> | null = null;
  /** The first read decides which it is. */
  #isFirst = true;
  readonly #reader = createRecordingReader(
    {
      onHeader: (header) => {
        this.#header = header;
      },
      onRecord: (record, raw, repeated) => this.#add({ record, raw, repeated }),
    },
    unpackBlock,
  );
  /** Null until it was reached, and for a file that has none. */
  #header: RecordingHeader | null = null;
  #batch: Entry[] = [];
  #malformed = 0;
  #readBytes = 0;
  #sessionEnd: SessionRecord | null = null;
  #isAtEnd = false;
  readonly totalBytes: number | null;

  private constructor(path: string, file: FileHandle, totalBytes: number | null) {
    this.path = path;
    this.#file = file;
    this.totalBytes = totalBytes;
  }

  /** Throws E_RECORDING_UNREADABLE. Reads up to the header, so that it is known whose part the file is. */
  static async open(path: string): Promise<RecordingFile> {
    const file = await openFile(path);
    const facts = await file.stat();
    const recording = new RecordingFile(path, file, facts.isFile() ? facts.size : null);
    try {
      while (recording.#header === null && !recording.#isAtEnd) await recording.#read();
    } catch (error) {
      await file.close();
      throw error;
    }
    return recording;
  }

  get header(): RecordingHeader | null {
    return this.#header;
  }

  get readBytes(): number {
    return this.#readBytes;
  }

  /** Kernel records that could not be decoded, so far. */
  get malformed(): number {
    return this.#malformed;
  }

  async next(): Promise<readonly Entry[] | null> {
    while (this.#batch.length === 0 && !this.#isAtEnd) await this.#read();
    const batch = this.#batch;
    this.#batch = [];
    return batch.length === 0 ? null : batch;
  }

  /** How it ended, as far as it was read. */
  end(): { readonly end: RecordingEnd; readonly error: TracerError | null } {
    const end = this.#reader.end();
    const { toolVersion = 'unknown', part = 0 } = this.#header ?? {};
    const error = errorOf(this.path, end, toolVersion, part);
    // Who stopped before the end of the file does not know that it is cut.
    return { end, error: this.#isAtEnd ? error : null };
  }

  /** The session's end record, once it was read. */
  get sessionEnd(): SessionRecord | null {
    return this.#sessionEnd;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #read(): Promise<void> {
    const bytes = await this.#take();
    if (bytes === null || !this.#reader.push(bytes)) this.#isAtEnd = true;
  }

  /** The next piece of plaintext, valid until the next call. */
  async #take(): Promise<Uint8Array | null> {
    if (this.#plain !== null) return takePlain(this.#plain);
    const bytes = await this.#takeRaw();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst || bytes === null || !isEncrypted(bytes)) return bytes;
    this.#plain = await decrypt(this.path, bytes.slice(0, MAGIC_BYTES), this.#rawFrom(bytes.slice()));
    return takePlain(this.#plain);
  }

  async #takeRaw(): Promise<Uint8Array | null> {
    const { bytesRead } = await this.#file.read(this.#buffer, 0, READ_BYTES, null);
    this.#readBytes += bytesRead;
    return bytesRead === 0 ? null : this.#buffer.subarray(0, bytesRead);
  }

  /** All bytes of the file from its first ones on. */
  #rawFrom(first: Uint8Array): ReadableStream<Uint8Array> {
    let next: Uint8Array | null = first;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const bytes = next ?? (await this.#takeRaw())?.slice() ?? null;
        next = null;
        if (bytes === null) controller.close();
        else controller.enqueue(bytes);
      },
    });
  }

  #add(entry: Entry): void {
    if (entry.record.kind === 'malformed') this.#malformed += 1;
    if (entry.record.kind === 'session' && entry.record.phase === 'end') this.#sessionEnd = entry.record;
    this.#batch.push(entry);
  }
}

/** Damage, or a file that is cut: what came before was whole, and the reader says how far it went. */
async function takePlain(plain: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | null> {
  try {
    const { done, value } = await plain.read();
    return done ? null : value;
  } catch {
    return null;
  }
}

/** The index at the end of a file; null when it has none (the tracer was killed) or cannot be sought in (a pipe). */
export async function readIndexOf(path: string): Promise<{ index: RecordingIndex; fileBytes: number } | null> {
  const file = await openFile(path);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return null;
    const trailer = await readAt(file, Math.max(0, facts.size - TRAILER_BYTES), TRAILER_BYTES);
    const offset = indexOffsetIn(trailer, facts.size);
    if (offset === null || facts.size - offset > MAX_FRAME_BYTES + 8) return null;
    const index = readIndex(await readAt(file, offset, facts.size - offset));
    return index === null ? null : { index, fileBytes: facts.size };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, offset: number, lenBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(lenBytes);
  const { bytesRead } = await file.read(bytes, 0, lenBytes, offset);
  return bytes.subarray(0, bytesRead);
}
