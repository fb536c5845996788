// Content codings written without compressing: each piece goes out at once as stored blocks, so that a body keeps its coding
// and the moments of its pieces. gzip (RFC 1952), deflate (RFC 1950) around stored blocks of RFC 1951 §3.2.4, br (RFC 7932
// §9.2, uncompressed meta-blocks), zstd (RFC 8878 §3.1.1.2, raw blocks).

import { crc32 } from 'node:zlib';

export interface StoredCoder {
  push(bytes: Uint8Array): Buffer;
  /** What ends the coded body. */
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Pieces of at most `size` bytes; none for an empty one. */
function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const uint32 = (value: number, isLittle: boolean): Buffer => {
  const bytes = Buffer.alloc(4);
  if (isLittle) bytes.writeUInt32LE(value >>> 0);
  else bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const MAX_STORED = 0xffff;

function storedBlock(bytes: Uint8Array, isLast: boolean): Buffer {
  const head = Buffer.alloc(5);
  head[0] = isLast ? 1 : 0;
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

const deflated = (bytes: Uint8Array): Buffer[] =>
  [...pieces(bytes, MAX_STORED)].map((piece) => storedBlock(piece, false));

/** Sends `head` before the first bytes. */
function startingWith(head: Buffer): () => Buffer {
  let next = head;
  return () => {
    const bytes = next;
    next = NOTHING;
    return bytes;
  };
}

function gzip(): StoredCoder {
  const start = startingWith(Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255));
  let sum = 0;
  let length = 0;
  return {
    push(bytes) {
      sum = crc32(bytes, sum);
      length += bytes.length;
      return Buffer.concat([start(), ...deflated(bytes)]);
    },
    end: () => Buffer.concat([start(), storedBlock(NOTHING, true), uint32(sum, true), uint32(length, true)]),
  };
}

/** RFC 1950 §8.2; 5552 is the largest count for which the sums stay below 2^32. */
function adler32(bytes: Uint8Array, before: number): number {
  let [low, high] = [before & 0xffff, before >>> 16];
  for (const piece of pieces(bytes, 5552)) {
    for (const byte of piece) {
      low += byte;
      high += low;
    }
    low %= 65_521;
    high %= 65_521;
  }
  return ((high << 16) | low) >>> 0;
}

function deflate(): StoredCoder {
  const start = startingWith(Buffer.of(0x78, 0x01));
  let sum = 1;
  return {
    push(bytes) {
      sum = adler32(bytes, sum);
      return Buffer.concat([start(), ...deflated(bytes)]);
    },
    end: () => Buffer.concat([start(), storedBlock(NOTHING, true), uint32(sum, false)]),
  };
}

/** Sixteen bits of length less one. */
const MAX_META_BLOCK = 0x1_0000;

function brotli(): StoredCoder {
  /** The very first bit is the window size: 0 for 64 KiB. */
  let shift = 1;
  const head = (bits: number, count: number): Buffer => {
    const bytes = Buffer.alloc(Math.ceil((count + shift) / 8));
    bytes.writeUIntLE(bits << shift, 0, bytes.length);
    shift = 0;
    return bytes;
  };
  // ISLAST 0, MNIBBLES 0 (four), MLEN - 1, ISUNCOMPRESSED 1; lowest bits first.
  const block = (bytes: Uint8Array): Buffer => Buffer.concat([head(((bytes.length - 1) << 3) | (1 << 19), 20), bytes]);
  return {
    push: (bytes) => Buffer.concat([...pieces(bytes, MAX_META_BLOCK)].map(block)),
    // ISLAST 1, ISLASTEMPTY 1.
    end: () => head(3, 2),
  };
}

/** Block_Maximum_Size is the smaller of the window and 128 KiB. */
const MAX_RAW = 128 * 1024;

function zstd(): StoredCoder {
  // Magic, a descriptor that promises nothing, a window of 128 KiB (exponent 7).
  const start = startingWith(Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3));
  const block = (bytes: Uint8Array, isLast: boolean): Buffer => {
    const head = Buffer.alloc(3);
    head.writeUIntLE((bytes.length << 3) | (isLast ? 1 : 0), 0, 3);
    return Buffer.concat([head, bytes]);
  };
  return {
    push: (bytes) => Buffer.concat([start(), ...[...pieces(bytes, MAX_RAW)].map((piece) => block(piece, false))]),
    end: () => Buffer.concat([start(), block(NOTHING, true)]),
  };
}

const CODERS: Readonly<Record<string, () => StoredCoder>> = { gzip, 'x-gzip': gzip, deflate, br: brotli, zstd };

/** The coder of a Content-Encoding field; null for several codings at once, or one that is not known. */
export const storedCoder = (contentEncoding: string): StoredCoder | null =>
  CODERS[contentEncoding.trim().toLowerCase()]?.() ?? null;
