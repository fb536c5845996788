// gzip (RFC 1952): members one behind the other, each a head, a DEFLATE stream, and a tail of CRC-32 and length.
// A wrong checksum is reported at the end of its member; what it decoded to has been given out by then.

import { ByteBuffer } from './byte-buffer.ts';
import { Crc32 } from './crc32.ts';
import { Inflater, type Sink } from './inflater.ts';
import type { DecodeError, Stage } from './stage.ts';

/** A head holds a name and a comment of any length; none seen in HTTP has either. */
export const GZIP_HEAD_LIMIT_BYTES = 64 * 1024;
const TAIL_BYTES = 8;
const FLAG_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

const corrupt = (detail: string): DecodeError => ({ code: 'body.corrupt', detail });

/** Length of the member head at the start of `bytes`; 0: more is needed; -1: not a gzip head (RFC 1952 §2.3). */
function headLength(bytes: Uint8Array): number {
  if ((bytes[0] ?? 0x1f) !== 0x1f || (bytes[1] ?? 0x8b) !== 0x8b || (bytes[2] ?? 8) !== 8) return -1;
  if (bytes.length < 10) return 0;
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & FLAG_EXTRA) {
    if (bytes.length < at + 2) return 0;
    at += 2 + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
  }
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if (!(flags & flag)) continue;
    const nul = bytes.indexOf(0, at);
    if (nul < 0) return 0;
    at = nul + 1;
  }
  if (flags & FLAG_CRC) at += 2;
  return at <= bytes.length ? at : 0;
}

const littleEndian = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;

class GzipStage implements Stage {
  readonly #inflater: Inflater;
  readonly #crc = new Crc32();
  /** A head or tail that was cut. */
  readonly #held = new ByteBuffer(GZIP_HEAD_LIMIT_BYTES);
  #part: 'head' | 'data' | 'tail' | 'after' = 'head';
  #members = 0;
  #memberBytes = 0;

  constructor(sink: Sink) {
    this.#inflater = new Inflater((bytes) => {
      this.#crc.update(bytes);
      this.#memberBytes = (this.#memberBytes + bytes.length) >>> 0;
      return sink(bytes);
    });
  }

  push(bytes: Uint8Array): DecodeError | undefined {
    let at = 0;
    while (at < bytes.length && this.#part !== 'after') {
      const before = this.#part;
      const next =
        before === 'head' ? this.#head(bytes, at) : before === 'data' ? this.#data(bytes, at) : this.#tail(bytes, at);
      if (typeof next !== 'number') return next;
      if (next === at && this.#part === before) return undefined;
      at = next;
    }
    return undefined;
  }

  end(): DecodeError | undefined {
    const isWhole = this.#part === 'after' || (this.#part === 'head' && this.#members > 0);
    return isWhole ? undefined : { code: 'body.truncated', detail: 'the gzip stream has no end' };
  }

  close(): void {
    this.#held.clear();
  }

  #head(bytes: Uint8Array, at: number): number | DecodeError {
    const heldBefore = this.#held.length;
    const taken = bytes.subarray(at, at + this.#held.room);
    this.#held.append(taken);
    const length = headLength(this.#held.view());
    if (length === 0) return this.#held.room > 0 ? at + taken.length : corrupt('endless gzip head');
    if (length < 0) return this.#notAHead(bytes);
    this.#held.clear();
    this.#part = 'data';
    this.#inflater.reset();
    this.#crc.reset();
    this.#memberBytes = 0;
    return at + length - heldBefore;
  }

  /** Padding behind the last member is common (RFC 1952 §2.2 does not know it): ignored, as gzip(1) does. */
  #notAHead(bytes: Uint8Array): number | DecodeError {
    if (this.#members === 0) return corrupt('no gzip head');
    this.#part = 'after';
    return bytes.length;
  }

  #data(bytes: Uint8Array, at: number): number | DecodeError {
    const next = this.#inflater.push(bytes, at);
    if (this.#inflater.isCorrupt) return corrupt('the DEFLATE data of the gzip stream is damaged');
    if (this.#inflater.isDone) this.#part = 'tail';
    return next;
  }

  #tail(bytes: Uint8Array, at: number): number | DecodeError {
    const taken = bytes.subarray(at, at + TAIL_BYTES - this.#held.length);
    this.#held.append(taken);
    if (this.#held.length < TAIL_BYTES) return at + taken.length;
    const tail = this.#held.view();
    const isRight = littleEndian(tail, 0) === this.#crc.value && littleEndian(tail, 4) === this.#memberBytes;
    this.#held.clear();
    this.#members++;
    this.#part = 'head';
    return isRight ? at + taken.length : corrupt('the gzip checksum does not fit the data');
  }
}

export const createGzipStage = (sink: Sink): Stage => new GzipStage(sink);
