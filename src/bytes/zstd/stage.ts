// Zstandard (RFC 8878) as a content coding: frames one behind the other, cut anywhere, each block given out as soon as it
// is whole. It is our own because the pure JavaScript library at hand (fzstd) does not bound the work that a damaged
// block can cause: fuzzing it found inputs of 8 KB that kept it busy without end.
//
// LIMITS: the frame's checksum is not verified; dictionaries are not supported (RFC 8878 §5), frames that name one fail.

import { ByteBuffer } from '../byte-buffer.ts';
import type { Sink } from '../inflater.ts';
import type { DecodeError, Stage } from '../stage.ts';
import { ZstdDamage } from './bits.ts';
import { BLOCK_LIMIT_BYTES, type LiteralCode, readLiterals } from './literals.ts';
import { readSequences, type SequenceTables } from './sequences.ts';
import { Window } from './window.ts';

/** RFC 9659 §3: as a content coding, windows are at most 8 MiB. */
export const ZSTD_WINDOW_LIMIT_BYTES = 8 * 1024 * 1024;
const BLOCK_HEAD_BYTES = 3;
const CHECKSUM_BYTES = 4;
const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

type Part = 'magic' | 'skip' | 'frame-head' | 'block-head' | 'block' | 'checksum';

const littleEndian = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
};

class ZstdStage implements Stage {
  readonly #sink: Sink;
  /** Bytes of the part that is not whole yet: at most one block. */
  readonly #held = new ByteBuffer(BLOCK_LIMIT_BYTES + BLOCK_HEAD_BYTES);
  #part: Part = 'magic';
  /** Bytes that the current part needs. */
  #need = 4;
  #skipLeft = 0;
  #frames = 0;
  #hasChecksum = false;
  #window = new Window();
  #blockType = 0;
  #blockBytes = 0;
  #isLastBlock = false;
  #code: LiteralCode | undefined;
  #tables: SequenceTables | undefined;
  #isStopped = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): DecodeError | undefined {
    try {
      for (let at = 0; at < bytes.length && !this.#isStopped; ) at = this.#take(bytes, at);
      return undefined;
    } catch (error) {
      if (error instanceof ZstdDamage) return { code: 'body.corrupt', detail: `zstd: ${error.message}` };
      throw error;
    }
  }

  end(): DecodeError | undefined {
    const isWhole = this.#part === 'magic' && this.#held.length === 0;
    return isWhole ? undefined : { code: 'body.truncated', detail: 'the zstd stream has no end' };
  }

  close(): void {
    this.#held.clear();
    this.#window = new Window();
  }

  #take(bytes: Uint8Array, at: number): number {
    if (this.#part === 'skip') return this.#skip(bytes, at);
    const missing = this.#need - this.#held.length;
    const piece = bytes.subarray(at, at + missing);
    if (this.#held.length === 0 && piece.length === this.#need) this.#whole(piece);
    else {
      this.#held.append(piece);
      if (this.#held.length === this.#need) this.#whole(this.#held.take());
    }
    return at + piece.length;
  }

  #skip(bytes: Uint8Array, at: number): number {
    const count = Math.min(this.#skipLeft, bytes.length - at);
    this.#skipLeft -= count;
    if (this.#skipLeft === 0) this.#await('magic', 4);
    return at + count;
  }

  #await(part: Part, need: number): void {
    this.#part = part;
    this.#need = need;
  }

  #whole(bytes: Uint8Array): void {
    if (this.#part === 'magic') this.#magic(bytes);
    else if (this.#part === 'frame-head') this.#frameHead(bytes);
    else if (this.#part === 'block-head') this.#blockHead(bytes);
    else if (this.#part === 'block') this.#block(bytes);
    else this.#endFrame();
  }

  #magic(bytes: Uint8Array): void {
    if (bytes.length === 8) {
      this.#skipLeft = littleEndian(bytes, 4, 4);
      this.#await(this.#skipLeft > 0 ? 'skip' : 'magic', 4);
      return;
    }
    const magic = littleEndian(bytes, 0, 4);
    if (magic === MAGIC) this.#await('frame-head', 1);
    else if (magic - (magic % 16) === SKIPPABLE) this.#keep(bytes, 8);
    else throw new ZstdDamage(this.#frames === 0 ? 'no frame' : 'bytes behind the last frame');
  }

  /** The part is longer than it seemed: keeps what is there and waits for the rest. */
  #keep(bytes: Uint8Array, need: number): void {
    this.#held.append(bytes);
    this.#need = need;
  }

  /** RFC 8878 §3.1.1.1: descriptor, window byte, dictionary id, content size. The first byte says how long it is. */
  #frameHead(bytes: Uint8Array): void {
    const descriptor = bytes[0] ?? 0;
    const isSingle = (descriptor & 0x20) !== 0;
    const idBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const need = 1 + (isSingle ? 0 : 1) + idBytes + sizeBytes;
    if (bytes.length < need) {
      this.#keep(bytes, need);
      return;
    }
    if (descriptor & 8) throw new ZstdDamage('a reserved bit of the frame head');
    if (littleEndian(bytes, isSingle ? 1 : 2, idBytes) !== 0) throw new ZstdDamage('a dictionary is needed');
    const size = littleEndian(bytes, need - sizeBytes, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    this.#openFrame(isSingle ? size : windowBytes(bytes[1] ?? 0), (descriptor & 4) !== 0);
  }

  #openFrame(window: number, hasChecksum: boolean): void {
    if (window > ZSTD_WINDOW_LIMIT_BYTES) throw new ZstdDamage(`a window of ${window} bytes`);
    this.#window.begin(window);
    this.#hasChecksum = hasChecksum;
    this.#code = undefined;
    this.#tables = undefined;
    this.#await('block-head', BLOCK_HEAD_BYTES);
  }

  /** RFC 8878 §3.1.1.2: last flag, type (raw, run, compressed, reserved), size. */
  #blockHead(bytes: Uint8Array): void {
    const head = littleEndian(bytes, 0, 3);
    this.#isLastBlock = (head & 1) === 1;
    this.#blockType = (head >> 1) & 3;
    this.#blockBytes = head >> 3;
    if (this.#blockType === 3 || this.#blockBytes > BLOCK_LIMIT_BYTES) throw new ZstdDamage('a bad block head');
    const need = this.#blockType === 1 ? 1 : this.#blockBytes;
    this.#await('block', need);
    if (need === 0) this.#block(bytes.subarray(0, 0));
  }

  #block(bytes: Uint8Array): void {
    this.#window.beginBlock();
    if (this.#blockType === 0) this.#window.append(bytes);
    else if (this.#blockType === 1) this.#window.fill(bytes[0] ?? 0, this.#blockBytes);
    else this.#compressed(bytes);
    const decoded = this.#window.block();
    if (decoded.length > 0 && !this.#sink(decoded)) this.#isStopped = true;
    if (!this.#isLastBlock) this.#await('block-head', BLOCK_HEAD_BYTES);
    else if (this.#hasChecksum) this.#await('checksum', CHECKSUM_BYTES);
    else this.#endFrame();
  }

  #compressed(block: Uint8Array): void {
    const literals = readLiterals(block, this.#code);
    this.#code = literals.code;
    let used = 0;
    this.#tables = readSequences(block.subarray(literals.next), this.#tables, (literalLength, matchLength, offset) => {
      if (used + literalLength > literals.bytes.length) throw new ZstdDamage('more literals used than there are');
      this.#window.append(literals.bytes.subarray(used, used + literalLength));
      used += literalLength;
      this.#window.match(offset, matchLength, literalLength > 0);
    });
    this.#window.append(literals.bytes.subarray(used));
  }

  #endFrame(): void {
    this.#frames++;
    this.#await('magic', 4);
  }
}

/** RFC 8878 §3.1.1.1.2: exponent in the upper five bits, mantissa in the lower three. */
function windowBytes(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

export const createZstdStage = (sink: Sink): Stage => new ZstdStage(sink);
