// The two bit orders of Zstandard (RFC 8878 §4.1): forward for table descriptions, backward (from the last byte, whose
// highest set bit only marks the end) for coded data. Reading past the edge gives zeros and shows in `left` or `at`.

/** Damaged data. Thrown inside this folder only; the stage turns it into a value. */
export class ZstdDamage extends Error {}

export class ForwardBits {
  readonly #bytes: Uint8Array;
  /** Next bit, counted from the first byte's lowest. */
  at: number;

  constructor(bytes: Uint8Array, byteOffset: number) {
    this.#bytes = bytes;
    this.at = byteOffset * 8;
  }

  /** At most 16 bits. */
  read(count: number): number {
    const value = window32(this.#bytes, this.at >> 3) >>> (this.at & 7);
    this.at += count;
    return value & ((1 << count) - 1);
  }

  /** Index of the next whole byte. */
  get byteAt(): number {
    return (this.at + 7) >> 3;
  }
}

export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** Bits not read yet; negative when more was read than there is. */
  left: number;

  constructor(bytes: Uint8Array) {
    const last = bytes[bytes.length - 1];
    if (!last) throw new ZstdDamage('a bit stream without its end mark');
    this.#bytes = bytes;
    this.left = (bytes.length - 1) * 8 + (31 - Math.clz32(last));
  }

  /** At most 25 bits: the most that four bytes hold at any bit offset. */
  read(count: number): number {
    const value = this.peek(count);
    this.left -= count;
    return value;
  }

  peek(count: number): number {
    const at = this.left - count;
    const mask = (1 << count) - 1;
    if (at >= 0) return (window32(this.#bytes, at >> 3) >>> (at & 7)) & mask;
    if (this.left <= 0) return 0;
    return ((window32(this.#bytes, 0) & ((1 << this.left) - 1)) << -at) & mask;
  }
}

const window32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
