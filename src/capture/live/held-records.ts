// Process records that the tracer made by looking, kept until the ring's records of the time before have been handed out: the
// ring is read some milliseconds late, and lines would be out of order. What is held is as short-lived as that delay.

import type { ProcessRecord } from '../../model/index.ts';
import type { DecodedRecord } from '../../record/index.ts';

/** The ring is polled every few milliseconds; on a busy machine a batch takes some tens to get here. */
const HOLD_MS = 50;

export class HeldRecords {
  readonly #hand: (record: ProcessRecord) => void;
  #held: ProcessRecord[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(hand: (record: ProcessRecord) => void) {
    this.#hand = hand;
  }

  hold(record: ProcessRecord): void {
    this.#held.push(record);
    this.#timer ??= setTimeout(() => this.passAll(), HOLD_MS);
    this.#timer.unref();
  }

  /** Before `next` is handed out: what is older goes, and what is known of a process that exits, as of its exit. */
  passTo(next: Exclude<DecodedRecord, { kind: 'malformed' }>): void {
    if (this.#held.length === 0) return;
    const isDue = (record: ProcessRecord): boolean =>
      record.tsNs <= next.tsNs || (next.kind === 'exit' && next.pid === record.pid);
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((record) => !isDue(record));
    // What is held next has its own time to wait.
    if (this.#held.length === 0) this.#stopTimer();
    for (const record of due) this.#hand(record.tsNs <= next.tsNs ? record : { ...record, tsNs: next.tsNs });
  }

  passAll(): void {
    this.#stopTimer();
    for (const record of this.#held.splice(0)) this.#hand(record);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
