// Recordings as one stream: opens them, orders them, and says at the end what each was like.

import type { TracerError } from '../../errors.ts';
import type { RecordingEnd, RecordingHeader } from '../../record/index.ts';
import { groupParts, missingParts, PartChain, SessionMerge } from './parts.ts';
import { type Entry, type EntryStream, RecordingFile } from './recording-file.ts';

export interface FileEnding {
  readonly path: string;
  /** Size of the file; null for a pipe. */
  readonly bytes: number | null;
  readonly header: RecordingHeader | null;
  readonly end: RecordingEnd;
  /** Kernel records that could not be decoded. */
  readonly malformed: number;
  /** Damage or a newer format; null when the file was read to its end, even if that end was cut. */
  readonly error: TracerError | null;
}

export class Recordings implements EntryStream {
  readonly #files: readonly RecordingFile[];
  readonly #stream: EntryStream;
  /** What is known to be missing before anything was read. */
  readonly warnings: readonly string[];

  private constructor(files: readonly RecordingFile[]) {
    this.#files = files;
    const groups = byStart(groupParts(files));
    this.warnings = missingParts(groups);
    const chains = groups.map((group) => new PartChain(group));
    const [only] = chains;
    const clocks = groups.map(([first]) => (first?.header?.wallNs ?? 0n) - (first?.header?.monoNs ?? 0n));
    this.#stream = chains.length === 1 && only !== undefined ? only : new SessionMerge(chains, clocks);
  }

  /** Throws E_RECORDING_UNREADABLE, E_RECORDING_SAME. */
  static async open(paths: readonly string[]): Promise<Recordings> {
    const files: RecordingFile[] = [];
    try {
      for (const path of paths) files.push(await RecordingFile.open(path));
      return new Recordings(files);
    } catch (error) {
      await Promise.all(files.map((file) => file.close()));
      throw error;
    }
  }

  next(): Promise<readonly Entry[] | null> {
    return this.#stream.next();
  }

  /** Header of the session that began first; null when no file has one. */
  get header(): RecordingHeader | null {
    return byStart(groupParts(this.#files))[0]?.[0]?.header ?? null;
  }

  position(): { readonly readBytes: number; readonly totalBytes: number | null } {
    const readBytes = this.#files.reduce((sum, file) => sum + file.readBytes, 0);
    const totalBytes = this.#files.reduce<number | null>(
      (sum, { totalBytes: bytes }) => (sum === null || bytes === null ? null : sum + bytes),
      0,
    );
    return { readBytes, totalBytes };
  }

  endings(): readonly FileEnding[] {
    return this.#files.map((file) => ({
      path: file.path,
      bytes: file.totalBytes,
      header: file.header,
      ...file.end(),
      malformed: file.malformed,
    }));
  }

  /** Reason in the last end record: the replay ends for the same reason as the live run did. */
  get recordedReason(): string | null {
    return this.#files.reduce<string | null>((reason, file) => file.sessionEnd?.reason ?? reason, null);
  }

  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }
}

/** The session that began first comes first; order of the command line where they began at once. */
const byStart = (groups: RecordingFile[][]): RecordingFile[][] =>
  groups.sort(([a], [b]) => {
    const difference = (a?.header?.wallNs ?? 0n) - (b?.header?.wallNs ?? 0n);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
