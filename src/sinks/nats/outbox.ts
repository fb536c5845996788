// The one queue between events and the server: in order, first in memory, beyond that on disk. Invariant: everything in
// memory is older than everything on disk, so that reading on keeps the order.
//
//   accept ─▶ memory [ in flight | unsent ] ◀─ take ─ spool (oldest … newest) ◀─ accept, while the server is away, while
//   memory is full, and until the spool has been read to its end

import { type Outgoing, sizeOf } from './message.ts';
import type { Spool } from './spool.ts';

/** In memory; beyond that a message goes to disk. A second of a fast publisher. */
const MAX_MEMORY_BYTES = 16 * 1024 * 1024;
/** Below this much unsent in memory the next segment is read. */
const REFILL_BYTES = 512 * 1024;
/** Array elements that may be used up before the array is cut. */
const COMPACT_AT = 4096;

interface Queued {
  readonly message: Outgoing;
  isConfirmed: boolean;
  /** The last message of a segment: its confirmation releases the file. */
  endsSegment: boolean;
  /** A file holds it as well. */
  isOnDisk: boolean;
}

export class Outbox {
  readonly #spool: Spool;
  #queue: Queued[] = [];
  /** Used up at the front of `#queue`. */
  #head = 0;
  /** Next to be sent. */
  #next = 0;
  #memoryBytes = 0;
  #unsentBytes = 0;
  /** True while new messages go to disk. */
  #isSpooling: boolean;
  #isAway = true;
  #isTaking = false;

  constructor(spool: Spool) {
    this.#spool = spool;
    this.#isSpooling = !spool.isEmpty();
  }

  /**
   * While the server is away new messages go to disk at once, and what is in memory is written there as well: a tracer
   * that is killed then has lost nothing.
   */
  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) void this.#keepOnDisk();
  }

  accept(message: Outgoing): void {
    this.#isSpooling ||= this.#isAway || this.#memoryBytes > MAX_MEMORY_BYTES;
    if (this.#isSpooling) this.#spool.append(message);
    else this.#push(message, false, false);
  }

  /** The oldest message that is not in flight; it is in flight from now on. */
  takeNext(): Outgoing | null {
    for (;;) {
      const queued = this.#queue[this.#next];
      if (queued === undefined) return null;
      this.#next += 1;
      this.#unsentBytes -= sizeOf(queued.message);
      if (!queued.isConfirmed) return queued.message;
    }
  }

  /** Puts the oldest segment into memory when there is little left. False: there was none, or one is being read. */
  async refill(): Promise<boolean> {
    if (!this.#isSpooling || this.#isTaking || this.#unsentBytes > REFILL_BYTES) return false;
    this.#isTaking = true;
    const messages = await this.#spool.take();
    this.#isTaking = false;
    // Between the last segment and now, messages may have come: then there is more to read.
    if (messages === null) this.#isSpooling = !this.#spool.isEmpty() || this.#isAway;
    else if (messages.length === 0) this.#spool.release();
    else for (const [i, message] of messages.entries()) this.#push(message, i === messages.length - 1, true);
    return messages !== null || this.#isSpooling;
  }

  /** The server has it. */
  confirm(message: Outgoing): void {
    for (let i = this.#head; i < this.#next; i += 1) {
      const queued = this.#queue[i];
      if (queued?.message !== message) continue;
      queued.isConfirmed = true;
      break;
    }
    this.#popConfirmed();
  }

  /** Everything that is not confirmed will be sent again, from the oldest on. */
  rewind(): void {
    this.#next = this.#head;
    this.#unsentBytes = this.#memoryBytes;
  }

  isEmpty(): boolean {
    return this.#head === this.#queue.length && this.#spool.isEmpty();
  }

  memoryBytes(): number {
    return this.#memoryBytes + this.#spool.unwrittenBytes();
  }

  spooledBytes(): number {
    return this.#spool.waitingBytes();
  }

  /** Writes what is not confirmed to disk. */
  async close(): Promise<void> {
    const left = await this.#keepOnDisk();
    if (left.length > 0) this.#spool.giveUp(left);
    await this.#spool.close();
  }

  /**
   * A copy of memory as one segment, which is released with its last message. Resolves with what is on no disk: it takes
   * nothing now.
   */
  async #keepOnDisk(): Promise<readonly Outgoing[]> {
    const inMemory = this.#queue.slice(this.#head);
    const rest = inMemory.filter(({ isConfirmed }) => !isConfirmed);
    const last = rest.at(-1);
    if (last === undefined) return [];
    const segmentEnds = inMemory.filter(({ endsSegment }) => endsSegment);
    for (const queued of segmentEnds) queued.endsSegment = false;
    last.endsSegment = true;
    if (await this.#spool.putBack(rest.map(({ message }) => message))) {
      for (const queued of rest) queued.isOnDisk = true;
      return [];
    }
    last.endsSegment = false;
    for (const queued of segmentEnds) queued.endsSegment = true;
    return rest.filter(({ isOnDisk }) => !isOnDisk).map(({ message }) => message);
  }

  #push(message: Outgoing, endsSegment: boolean, isOnDisk: boolean): void {
    this.#queue.push({ message, isConfirmed: false, endsSegment, isOnDisk });
    this.#memoryBytes += sizeOf(message);
    this.#unsentBytes += sizeOf(message);
  }

  #popConfirmed(): void {
    while (this.#head < this.#next && this.#queue[this.#head]?.isConfirmed) {
      const queued = this.#queue[this.#head];
      this.#head += 1;
      if (queued === undefined) break;
      this.#memoryBytes -= sizeOf(queued.message);
      if (queued.endsSegment) this.#spool.release();
    }
    if (this.#head < COMPACT_AT) return;
    this.#queue.splice(0, this.#head);
    this.#next -= this.#head;
    this.#head = 0;
  }
}
