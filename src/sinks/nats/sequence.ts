// Which events of a session were seen: the same event may come twice (sent again after a lost answer), late, or never.

/** Numbers beyond a hole that are remembered; then the hole is taken for a loss. */
const MAX_AHEAD = 4_096;

export class SequenceTracker {
  /** All up to here were seen or are counted as missing. */
  #floor: number;
  readonly #ahead = new Set<number>();
  #missing = 0;

  /** `first`: what came before it is not missed. */
  constructor(first: number) {
    this.#floor = first - 1;
  }

  /** Events that did not come, holes that may still be filled included. */
  get missing(): number {
    const highest = Math.max(this.#floor, ...this.#ahead);
    return this.#missing + highest - this.#floor - this.#ahead.size;
  }

  /** True when the event is new. */
  add(seq: number): boolean {
    if (seq <= this.#floor || this.#ahead.has(seq)) return false;
    this.#ahead.add(seq);
    if (this.#ahead.size > MAX_AHEAD) this.#skipHole();
    while (this.#ahead.delete(this.#floor + 1)) this.#floor += 1;
    return true;
  }

  #skipHole(): void {
    const next = Math.min(...this.#ahead);
    this.#missing += next - this.#floor - 1;
    this.#floor = next - 1;
  }
}
