// The consumer of a BPF ring buffer: a native thread reads, JavaScript gets batches.
import { Batch } from './batch.ts';
import { binding, type NativeRingStats, type RingHandle } from './binding.ts';
import { checkInteger } from './check.ts';
import { unwrap } from './error.ts';
import { type BpfMap, handleOf } from './map.ts';

const DEFAULT_POLL_MS = 3;
const DEFAULT_BATCH_BYTES = 1024 * 1024;
const DEFAULT_MAX_PENDING = 8;
/** More would only hide a stopped consumer. */
const MAX_POLL_MS = 10_000;
/** A batch is one allocation. */
const MAX_BATCH_BYTES = 1024 * 1024 * 1024;
const MAX_PENDING = 1024;
/** More is no burst any more. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024 * 1024;

export interface RingBufferOptions {
  /**
   * Gets every batch, in order, on the thread that made the ring. The batch counts as pending until this returns or, when it
   * returns a promise, until that settles; later batches do not wait for it. What it throws is an uncaught exception.
   */
  readonly onBatch: (batch: Batch) => void | Promise<void>;
  /**
   * How often the ring is looked at, in milliseconds (default 3): the latency of records whose program did not ask for a
   * wake-up. After some empty looks it falls to every 10 ms. A wake-up by the program is honoured at once.
   */
  readonly pollMs?: number;
  /** Size of a full batch (default 1 MiB). A larger record gets a batch of its own. */
  readonly batchBytes?: number;
  /**
   * Pending batches at which no more is handed over (default 8). Then the thread keeps what it reads, see `backlogBytes`.
   * While draining or closing the limit does not hold.
   */
  readonly maxPendingBatches?: number;
  /**
   * Memory for batches that are read and kept while `maxPendingBatches` are pending (default 0: nothing is read then), so
   * that a burst that JavaScript cannot follow does not depend on the size of the ring. It is taken when needed and given
   * back to the system as JavaScript catches up. When it is used up the thread stops reading: the ring fills, and the
   * kernel side sees its reserves fail and can count them.
   */
  readonly backlogBytes?: number;
  /**
   * Has the ring's thread run before all ordinary ones (SCHED_RR at its lowest priority; where that is refused, niceness -10;
   * default false), because a ring overflows while its reader waits for its turn on a busy machine. It only copies what is
   * there and sleeps between. Needs CAP_SYS_NICE when the ring is made; without it the thread runs as all others do.
   */
  readonly realTime?: boolean;
}

/** Totals since the ring was opened. */
export interface RingBufferStats extends Readonly<NativeRingStats> {
  /** Records delivered. */
  readonly records: number;
  /** Bytes delivered, frames included. */
  readonly bytes: number;
  /** Records that the program reserved and discarded. */
  readonly discarded: number;
  readonly batches: number;
  /** How often the thread stopped reading because `maxPendingBatches` were pending and the backlog was full. */
  readonly stalls: number;
  /** Read and kept at the last look, because JavaScript is behind. */
  readonly backlogBytes: number;
  /** The most that it has been. */
  readonly backlogPeakBytes: number;
  /** The most bytes that were in the ring when the thread looked. */
  readonly highWaterBytes: number;
  /** Size of the ring. */
  readonly sizeBytes: number;
}

/**
 * Reads a ring buffer map on a thread of its own, from construction until {@link close}. It keeps the process alive like an
 * open socket does, and is not garbage-collected before it is closed; nor are the map's object and the object's links, so
 * what is attached stays attached. Closing the object does not end it: it has a descriptor of the map of its own. One reader
 * per map: two would steal each other's records.
 */
export class RingBuffer {
  /** What it reads. */
  readonly map: BpfMap;
  readonly #handle: RingHandle;
  readonly #onBatch: RingBufferOptions['onBatch'];
  readonly #flushes = new Map<number, () => void>();
  readonly #ended: Promise<void>;
  #onEnd: () => void = () => {};
  #nextToken = 1;
  #isClosing = false;

  constructor(map: BpfMap, options: RingBufferOptions) {
    const {
      onBatch,
      pollMs = DEFAULT_POLL_MS,
      batchBytes = DEFAULT_BATCH_BYTES,
      maxPendingBatches = DEFAULT_MAX_PENDING,
      backlogBytes = 0,
      realTime = false,
    } = options;
    if (typeof onBatch !== 'function') throw new TypeError('onBatch must be a function');
    checkInteger('pollMs', pollMs, 1, MAX_POLL_MS);
    checkInteger('batchBytes', batchBytes, 4096, MAX_BATCH_BYTES);
    checkInteger('maxPendingBatches', maxPendingBatches, 1, MAX_PENDING);
    checkInteger('backlogBytes', backlogBytes, 0, MAX_BACKLOG_BYTES);
    this.map = map;
    this.#onBatch = onBatch;
    this.#ended = new Promise((resolve) => {
      this.#onEnd = resolve;
    });
    this.#handle = unwrap(
      binding.ringOpen(
        handleOf(map),
        pollMs,
        batchBytes,
        maxPendingBatches,
        backlogBytes,
        realTime,
        (kind, buffer, records, token) => {
          if (kind === 0) this.#deliver(new Batch(new Uint8Array(buffer ?? new ArrayBuffer(0)), records));
          else if (kind === 1) this.#resolveFlush(token);
          else this.#end();
        },
      ),
    );
  }

  /** Resolves when everything that was in the ring at the call has been given to `onBatch`. After close: at once. */
  drain(): Promise<void> {
    if (this.#isClosing) return this.#ended;
    const token = this.#nextToken++;
    return new Promise((resolve) => {
      this.#flushes.set(token, resolve);
      unwrap(binding.ringFlush(this.#handle, token));
    });
  }

  /**
   * Delivers what is in the ring, then ends the thread; resolves when no further call of `onBatch` will come. Idempotent;
   * allowed inside `onBatch`, also awaited there.
   */
  close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      unwrap(binding.ringStop(this.#handle));
    }
    return this.#ended;
  }

  stats(): RingBufferStats {
    return unwrap(binding.ringStats(this.#handle));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #deliver(batch: Batch): void {
    try {
      const pending: unknown = this.#onBatch(batch);
      // A rejection stays unhandled on purpose: the process learns of it as of any other.
      if (pending instanceof Promise) return void pending.finally(() => this.#acknowledge());
    } catch (error) {
      // Hazard: Node swallows what is thrown through a thread-safe function (DEP0168), so it is thrown from a task of its own.
      queueMicrotask(() => {
        throw error;
      });
    }
    this.#acknowledge();
  }

  #acknowledge(): void {
    unwrap(binding.ringAcknowledge(this.#handle));
  }

  #resolveFlush(token: number): void {
    this.#flushes.get(token)?.();
    this.#flushes.delete(token);
  }

  #end(): void {
    for (const resolve of this.#flushes.values()) resolve();
    this.#flushes.clear();
    this.#onEnd();
  }
}
