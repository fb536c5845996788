// What a capture source is: something that delivers records in one order until it ends. Live capture and replay are the
// two; everything behind them cannot tell which one it is.

import type { CaptureRecord } from '../model/index.ts';

/**
 * Takes one record. `raw` is the kernel record's bytes as emitted (header and payload), or null for records made by user
 * space: a recorder keeps the former as they are. Both are views, valid until the call returns.
 */
export type RecordSink = (record: CaptureRecord, raw: Uint8Array | null) => void;

/** A source of records. `run` may be called once. */
export interface CaptureSource {
  /**
   * Delivers until the source ends by itself or `stop` is called. Resolves with why, e.g. `all targets exited`.
   * `ready` is awaited between batches by a source that can wait (a file); a live capture cannot and ignores it.
   */
  run(sink: RecordSink, ready: () => Promise<void>): Promise<string>;
  /** Asks for an orderly end: what was captured up to now is still delivered. Idempotent. */
  stop(reason: string): void;
}
