// A bounded, growing run of bytes: what a parser must keep between two calls because the input was cut in the middle of
// something. The input itself is never kept (its views die when the call returns); `append` copies.

/** First allocation: most left-overs are a part of one line or one frame head. */
const FIRST_BYTES = 256;

export class ByteBuffer {
  readonly #limitBytes: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  /** `limitBytes` is the most that it will ever hold. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** How many more bytes fit. */
  get room(): number {
    return this.#limitBytes - this.#length;
  }

  /** Copies `bytes` to the end. False, and nothing is taken, when they do not fit in the limit. */
  append(bytes: Uint8Array): boolean {
    const needed = this.#length + bytes.length;
    if (needed > this.#limitBytes) return false;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
    return true;
  }

  /** All held bytes as a view: valid until the next call that changes the buffer. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** All held bytes, handed over; the buffer is empty afterwards and the caller owns the memory. */
  take(): Uint8Array {
    const taken = this.view();
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return taken;
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    if (count >= this.#length) {
      this.clear();
      return;
    }
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  /** Empties it. Memory is kept for the next use unless it had grown large. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > 65_536) this.#bytes = new Uint8Array(0);
  }

  #grow(needed: number): void {
    const size = Math.min(this.#limitBytes, Math.max(FIRST_BYTES, this.#bytes.length * 2, needed));
    const grown = new Uint8Array(size);
    grown.set(this.view());
    this.#bytes = grown;
  }
}
