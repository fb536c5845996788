// Reads the two primitives of HPACK, integers and strings (RFC 7541 §5), from one header block. A fault is remembered,
// not thrown: after it every read gives nothing.

import { decodeHuffman } from './huffman.ts';
import { latin1 } from './latin1.ts';

/** Larger integers have no use (indices and lengths within a block): refused, §5.1. */
const MAX_INTEGER = 1 << 28;

export class BlockReader {
  private readonly bytes: Uint8Array;
  at = 0;
  /** Why reading stopped, or undefined. */
  fault: string | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** True while octets are left and nothing went wrong. */
  get hasMore(): boolean {
    return this.fault === undefined && this.at < this.bytes.length;
  }

  /** The next octet, not consumed. */
  peekByte(): number {
    return this.bytes[this.at] ?? 0;
  }

  /** Integer with a prefix of `prefixBits` (§5.1); -1 on a fault. */
  takeInteger(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    const first = this.bytes[this.at++];
    if (first === undefined) return this.fail('block ends in an integer');
    const prefix = first & mask;
    return prefix < mask ? prefix : this.takeIntegerRest(mask);
  }

  private takeIntegerRest(start: number): number {
    let value = start;
    for (let scale = 1; scale <= MAX_INTEGER; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) return this.fail('block ends in an integer');
      value += (byte & 0x7f) * scale;
      if (value > MAX_INTEGER) return this.fail('integer too large');
      if (byte < 0x80) return value;
    }
    return this.fail('integer too long');
  }

  /** String literal (§5.2); undefined on a fault. */
  takeString(): string | undefined {
    const isHuffman = (this.peekByte() & 0x80) !== 0;
    const lenBytes = this.takeInteger(7);
    if (lenBytes < 0) return undefined;
    const start = this.at;
    this.at += lenBytes;
    if (this.at > this.bytes.length) return this.failText('block ends in a string');
    if (!isHuffman) return latin1(this.bytes, start, this.at);
    return decodeHuffman(this.bytes, start, this.at) ?? this.failText('invalid Huffman code');
  }

  /** Steps over a string literal without decoding it; false on a fault. */
  skipString(): boolean {
    const lenBytes = this.takeInteger(7);
    if (lenBytes < 0) return false;
    this.at += lenBytes;
    if (this.at > this.bytes.length) this.fail('block ends in a string');
    return this.fault === undefined;
  }

  fail(why: string): -1 {
    this.fault ??= why;
    return -1;
  }

  private failText(why: string): undefined {
    this.fail(why);
    return undefined;
  }
}
