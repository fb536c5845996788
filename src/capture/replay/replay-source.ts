// A recording file as a capture source. Reads in blocks, waits for slow sinks, stops at the first damage and says where.
// Needs no addon, no root, no Linux.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { TracerError } from '../../errors.ts';
import { createRecordingReader, FORMAT_VERSION, type RecordingEnd, type RecordingReader } from '../../record/index.ts';
import type { CaptureSource, RecordSink } from '../source.ts';

/** 1 MiB per read: four blocks of a recording at most, so waiting for a slow sink happens often enough. */
const READ_BYTES = 1024 * 1024;

/** A replay and, once `run` has resolved, what was found at the end of the file. */
export interface ReplaySource extends CaptureSource {
  /** Null until `run` has resolved. */
  ending(): ReplayEnding | null;
  /** How far it has come; `totalBytes` is null when the input has no size (a pipe). */
  position(): { readonly readBytes: number; readonly totalBytes: number | null };
}

export interface ReplayEnding {
  readonly end: RecordingEnd;
  /** Kernel records that could not be decoded. */
  readonly malformed: number;
  /** Damage or a newer format; null when the file was replayed to its end, even if that end was cut. */
  readonly error: TracerError | null;
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, constants.O_RDONLY);
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new TracerError('E_RECORDING_UNREADABLE', { path, reason }, { cause });
  }
  throw new TracerError('E_RECORDING_UNREADABLE', { path, reason: 'it is a directory' });
}

function errorOf(path: string, end: RecordingEnd, tool: string): TracerError | null {
  switch (end.state) {
    case 'whole':
    case 'cut':
      return null;
    case 'newer':
      return new TracerError('E_RECORDING_NEWER', { path, found: end.formatVersion, known: FORMAT_VERSION, tool });
    case 'corrupt':
    case 'foreign':
      return new TracerError('E_RECORDING_CORRUPT', {
        path,
        offset: end.lastWholeOffset,
        reason: end.problem ?? 'unreadable',
      });
  }
}

class FileReplay implements ReplaySource {
  readonly #path: string;
  #stopReason: string | null = null;
  #ending: ReplayEnding | null = null;
  /** Reason in the session's end record: the replay ends for the same reason as the live run did. */
  #recordedReason: string | null = null;
  #malformed = 0;
  #tool = 'unknown';
  #readBytes = 0;
  #totalBytes: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  stop(reason: string): void {
    this.#stopReason ??= reason;
  }

  ending(): ReplayEnding | null {
    return this.#ending;
  }

  position(): { readonly readBytes: number; readonly totalBytes: number | null } {
    return { readBytes: this.#readBytes, totalBytes: this.#totalBytes };
  }

  async run(sink: RecordSink, ready: () => Promise<void>): Promise<string> {
    const file = await openFile(this.#path);
    const facts = await file.stat();
    if (facts.isFile()) this.#totalBytes = facts.size;
    const reader = this.#createReader(sink);
    try {
      await this.#pump(file, reader, ready);
    } finally {
      await file.close();
    }
    const end = reader.end();
    this.#ending = { end, malformed: this.#malformed, error: errorOf(this.#path, end, this.#tool) };
    return this.#stopReason ?? this.#recordedReason ?? 'the recording ends here';
  }

  #createReader(sink: RecordSink): RecordingReader {
    return createRecordingReader({
      onHeader: (header) => {
        this.#tool = header.toolVersion;
      },
      onRecord: (record) => {
        if (record.kind === 'malformed') this.#malformed += 1;
        else sink(record, null);
        if (record.kind === 'session' && record.phase === 'end') this.#recordedReason = record.reason;
      },
    });
  }

  async #pump(file: FileHandle, reader: RecordingReader, ready: () => Promise<void>): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    while (this.#stopReason === null) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
      this.#readBytes += bytesRead;
      if (bytesRead === 0 || !reader.push(buffer.subarray(0, bytesRead))) return;
      await ready();
    }
  }
}

/** `run` throws E_RECORDING_UNREADABLE when the file cannot be opened; damage inside it is in `ending()`. */
export function openReplay(path: string): ReplaySource {
  return new FileReplay(path);
}
