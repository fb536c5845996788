// Recordings as a capture source. Waits for slow sinks, stops at the first damage and says where. Needs no addon, no root,
// no Linux.

import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureSource, RecordSink } from '../source.ts';
import { AT_ONCE, type Pace, paceOf } from './pace.ts';
import { type FileEnding, Recordings } from './recordings.ts';

/** A replay and, once `run` has resolved, what was found at the end of the files. */
export interface ReplaySource extends CaptureSource {
  /** Null until `run` has resolved. Of several files the one with damage, else one that was cut, else the last. */
  ending(): ReplayEnding | null;
  /** Of every file, in the order given; empty until `run` has resolved. */
  endings(): readonly ReplayEnding[];
  /** A file was read to its end, which came before that of its session: what is missing is not known. */
  endsEarly(): boolean;
  /** How far it has come; `totalBytes` is null when the input has no size (a pipe). */
  position(): { readonly readBytes: number; readonly totalBytes: number | null };
  /** What is missing among the files, in words. */
  warnings(): readonly string[];
}

export type ReplayEnding = FileEnding;

export interface ReplayOptions {
  /** Times as fast as it happened; absent: as fast as it goes. */
  readonly speed?: number | undefined;
}

/** A stop is heeded after this time at the latest, however long nothing happens in the recording. */
const MAX_SLEEP_MS = 100;

class FileReplay implements ReplaySource {
  readonly #paths: readonly string[];
  readonly #pace: Pace;
  #stopReason: string | null = null;
  #recordings: Recordings | null = null;
  #endings: readonly ReplayEnding[] = [];

  constructor(paths: readonly string[], { speed }: ReplayOptions) {
    this.#paths = paths;
    this.#pace = speed === undefined ? AT_ONCE : paceOf(speed, () => performance.now());
  }

  stop(reason: string): void {
    this.#stopReason ??= reason;
  }

  ending(): ReplayEnding | null {
    const endings = this.#endings;
    return endings.find((one) => one.error) ?? endings.find((one) => one.end.state === 'cut') ?? endings.at(-1) ?? null;
  }

  endings(): readonly ReplayEnding[] {
    return this.#endings;
  }

  endsEarly(): boolean {
    return this.#stopReason === null && this.#endings.some(({ end }) => end.state !== 'whole');
  }

  position(): { readonly readBytes: number; readonly totalBytes: number | null } {
    return this.#recordings?.position() ?? { readBytes: 0, totalBytes: null };
  }

  warnings(): readonly string[] {
    return this.#recordings?.warnings ?? [];
  }

  async run(sink: RecordSink, ready: () => Promise<void>): Promise<string> {
    const recordings = await Recordings.open(this.#paths);
    this.#recordings = recordings;
    try {
      await this.#pump(recordings, sink, ready);
    } finally {
      await recordings.close();
    }
    this.#endings = recordings.endings();
    return this.#stopReason ?? recordings.recordedReason ?? 'the recording ends here';
  }

  async #pump(recordings: Recordings, sink: RecordSink, ready: () => Promise<void>): Promise<void> {
    while (this.#stopReason === null) {
      const batch = await recordings.next();
      if (batch === null) return;
      for (const { record, raw } of batch) {
        if (record.kind === 'malformed') continue;
        // No await where nothing is to be waited for: a recording has millions of records.
        if (this.#pace.waitMs(record.tsNs) > 0) await this.#untilDue(record.tsNs);
        sink(record, raw);
      }
      await ready();
    }
  }

  async #untilDue(tsNs: bigint): Promise<void> {
    for (let ms = this.#pace.waitMs(tsNs); ms > 0 && this.#stopReason === null; ms = this.#pace.waitMs(tsNs)) {
      await sleep(Math.min(ms, MAX_SLEEP_MS));
    }
  }
}

/**
 * `-` is standard input. `run` throws E_RECORDING_UNREADABLE when a file cannot be opened; damage inside one is in
 * `ending()`.
 */
export const openReplay = (paths: string | readonly string[], options: ReplayOptions = {}): ReplaySource =>
  new FileReplay(typeof paths === 'string' ? [paths] : paths, options);
