// What a frame has decoded: the last window of it for references, and the current block's part to give out. Grows with
// what is really decoded, so a small body does not cost the window that its head allows.

import { ZstdDamage } from './bits.ts';
import { BLOCK_LIMIT_BYTES } from './literals.ts';

/** Room behind the window before it is moved to the front: makes the move rare. */
const SLACK_BYTES = 1024 * 1024;

export class Window {
  #sizeBytes = 0;
  #bytes = new Uint8Array(0);
  #at = 0;
  #blockStart = 0;
  /** Repeat offsets (RFC 8878 §3.1.1.5), newest first. */
  #repeats: [number, number, number] = [1, 4, 8];

  /** Another frame: nothing of the one before is left but the memory. */
  begin(sizeBytes: number): void {
    this.#sizeBytes = Math.max(sizeBytes, 1024);
    this.#at = 0;
    this.#blockStart = 0;
    this.#repeats = [1, 4, 8];
  }

  beginBlock(): void {
    this.#makeRoom(BLOCK_LIMIT_BYTES);
    this.#blockStart = this.#at;
  }

  /** The block's bytes: a view, valid until the next block begins. */
  block(): Uint8Array {
    return this.#bytes.subarray(this.#blockStart, this.#at);
  }

  append(bytes: Uint8Array): void {
    this.#check(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  fill(byte: number, count: number): void {
    this.#check(count);
    this.#bytes.fill(byte, this.#at, this.#at + count);
    this.#at += count;
  }

  /** Copies a match. `offsetValue` as coded; `hasLiterals`: the sequence has literals (RFC 8878 §3.1.1.5). */
  match(offsetValue: number, length: number, hasLiterals: boolean): void {
    const offset = this.#resolve(offsetValue, hasLiterals);
    if (offset <= 0 || offset > this.#at || offset > this.#sizeBytes + BLOCK_LIMIT_BYTES)
      throw new ZstdDamage('a match before the start');
    this.#check(length);
    const bytes = this.#bytes;
    let to = this.#at;
    const end = to + length;
    if (offset >= length) bytes.copyWithin(to, to - offset, end - offset);
    else for (; to < end; to++) bytes[to] = bytes[to - offset] as number;
    this.#at = end;
  }

  #resolve(value: number, hasLiterals: boolean): number {
    const [first, second, third] = this.#repeats;
    if (value > 3) {
      this.#repeats = [value - 3, first, second];
      return value - 3;
    }
    const index = value - 1 + (hasLiterals ? 0 : 1);
    if (index === 0) return first;
    const offset = index === 1 ? second : index === 2 ? third : first - 1;
    this.#repeats = index === 1 ? [offset, first, third] : [offset, first, second];
    return offset;
  }

  #check(count: number): void {
    if (this.#at - this.#blockStart + count > BLOCK_LIMIT_BYTES) throw new ZstdDamage('a block over 128 KiB');
  }

  #makeRoom(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    if (this.#at > this.#sizeBytes + SLACK_BYTES) {
      this.#bytes.copyWithin(0, this.#at - this.#sizeBytes, this.#at);
      this.#at = this.#sizeBytes;
    }
    if (this.#at + count <= this.#bytes.length) return;
    const most = this.#sizeBytes + SLACK_BYTES + BLOCK_LIMIT_BYTES * 2;
    const grown = new Uint8Array(Math.max(this.#at + count, Math.min(most, this.#bytes.length * 2)));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
  }
}
