// Files that could not be looked into when it was costly to find out: they are asked for again later, each time after twice the wait,
// so that a file that becomes readable is noticed and one that never does costs next to nothing. A replaced file has another inode
// and is asked for at once.

import type { MappedFile } from '../proc/maps.ts';

/** A process is looked at seven times when it starts and then once a second; asking blocks for some 100 ms, or 20 s where a file
 * system does not answer. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/** A user has a handful of such mounts; the oldest refusals are forgotten. */
const MAX_FILES = 1_024;

interface Refusal {
  readonly why: string;
  readonly waitMs: number;
  readonly untilMs: number;
}

const keyOf = ({ dev, inode }: MappedFile): string => `${dev}/${inode}`;

export class Refusals {
  readonly #files = new Map<string, Refusal>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Why it was refused, while it is not to be asked for again. */
  standing(file: MappedFile): string | undefined {
    const refusal = this.#files.get(keyOf(file));
    return refusal !== undefined && this.#nowMs() < refusal.untilMs ? refusal.why : undefined;
  }

  /** The wait counts from now, when the answer is there: asking may have taken long. */
  add(file: MappedFile, why: string): void {
    const before = this.#files.get(keyOf(file));
    const waitMs = before === undefined ? FIRST_WAIT_MS : Math.min(2 * before.waitMs, LONGEST_WAIT_MS);
    this.#files.delete(keyOf(file));
    const oldest = this.#files.keys().next();
    if (this.#files.size >= MAX_FILES && oldest.done !== true) this.#files.delete(oldest.value);
    this.#files.set(keyOf(file), { why, waitMs, untilMs: this.#nowMs() + waitMs });
  }

  delete(file: MappedFile): void {
    this.#files.delete(keyOf(file));
  }
}
