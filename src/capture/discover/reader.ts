// Small reads at scattered offsets, through a few cached blocks. All numbers are little-endian; outside the file there is
// `undefined`, so a parser of a cut or hostile file meets an absent value instead of an exception.

import type { ByteSource } from './source.ts';

/** Headers, symbols and a few dozen functions lie in few places: 64 blocks of 64 KiB hold them. */
const BLOCK_BYTES = 64 * 1024;
const MAX_BLOCKS = 64;

/** Longest name that is looked at; C++ symbols reach a few KiB, those sought here are short. */
const MAX_TEXT_BYTES = 512;

export class Reader {
  readonly source: ByteSource;
  readonly #blocks = new Map<number, Uint8Array>();

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** `length` bytes at `at`, all or none. A fresh copy only where a block boundary is crossed. */
  bytes(at: number, length: number): Uint8Array | undefined {
    if (!this.#isInside(at, length)) return undefined;
    const first = Math.floor(at / BLOCK_BYTES);
    const within = at - first * BLOCK_BYTES;
    if (within + length <= BLOCK_BYTES) {
      const part = this.#block(first).subarray(within, within + length);
      return part.length === length ? part : undefined;
    }
    const joined = new Uint8Array(length);
    return this.source.read(at, joined) === length ? joined : undefined;
  }

  u8(at: number): number | undefined {
    return this.bytes(at, 1)?.[0];
  }

  u16(at: number): number | undefined {
    return this.#view(at, 2)?.getUint16(0, true);
  }

  u32(at: number): number | undefined {
    return this.#view(at, 4)?.getUint32(0, true);
  }

  i32(at: number): number | undefined {
    return this.#view(at, 4)?.getInt32(0, true);
  }

  /** A 64-bit number, or `undefined` when it exceeds 2^53: no offset, size or address in a program file does. */
  u64(at: number): number | undefined {
    const view = this.#view(at, 8);
    if (view === undefined) return undefined;
    const high = view.getUint32(4, true);
    return high < 0x20_0000 ? high * 0x1_0000_0000 + view.getUint32(0, true) : undefined;
  }

  /** The NUL-terminated Latin-1 text at `at`. */
  text(at: number): string | undefined {
    const room = Math.min(MAX_TEXT_BYTES, this.source.sizeBytes - at);
    const bytes = room > 0 ? this.bytes(at, room) : undefined;
    const end = bytes?.indexOf(0) ?? -1;
    return bytes === undefined || end < 0 ? undefined : Buffer.from(bytes.subarray(0, end)).toString('latin1');
  }

  #isInside(at: number, length: number): boolean {
    return Number.isSafeInteger(at) && at >= 0 && length >= 0 && at + length <= this.source.sizeBytes;
  }

  #view(at: number, length: number): DataView | undefined {
    const bytes = this.bytes(at, length);
    return bytes && new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  #block(index: number): Uint8Array {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const whole = new Uint8Array(BLOCK_BYTES);
    const block = whole.subarray(0, this.source.read(index * BLOCK_BYTES, whole));
    const oldest = this.#blocks.keys().next();
    if (this.#blocks.size >= MAX_BLOCKS && !oldest.done) this.#blocks.delete(oldest.value);
    this.#blocks.set(index, block);
    return block;
  }
}
