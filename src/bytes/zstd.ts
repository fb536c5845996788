// Zstandard (RFC 8878) through the kept library fzstd, one frame after the other. The library allocates the window that
// a frame asks for and throws on damage: here the window is checked before it sees the frame, and throws become values.

import { Decompress } from 'fzstd';
import { ByteBuffer } from './byte-buffer.ts';
import type { DecodeError, Stage } from './content-decoder.ts';
import type { Sink } from './inflater.ts';

/** RFC 9659 §3: a content coding uses windows of at most 8 MiB. */
export const ZSTD_WINDOW_LIMIT_BYTES = 8 * 1024 * 1024;
/** Magic number, descriptor, window, dictionary id, content size (RFC 8878 §3.1.1.1). */
const HEAD_MAX_BYTES = 18;
/** Input per step: a step of 4-byte RLE blocks gives at most 256 blocks before the sink is asked again. */
const STEP_BYTES = 1024;
const MAGIC = 0xfd2fb528;
const SINGLE_SEGMENT = 0x20;

const corrupt = (detail: string): DecodeError => ({ code: 'body.corrupt', detail });

/** Thrown through the library when the sink wants no more; never leaves this file. */
const STOP = Symbol('stop');

/** Window that the frame head asks for (RFC 8878 §3.1.1.1.2); undefined when `head` is too short to tell. */
function windowBytes(head: Uint8Array): number | undefined {
  const descriptor = head[4];
  const windowByte = head[5];
  if (descriptor === undefined || windowByte === undefined) return undefined;
  if (!(descriptor & SINGLE_SEGMENT)) {
    const base = 2 ** (10 + (windowByte >> 3));
    return base + (base / 8) * (windowByte & 7);
  }
  const sizeBytes = [1, 2, 4, 8][descriptor >> 6] ?? 1;
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  if (head.length < at + sizeBytes) return undefined;
  let size = sizeBytes === 2 ? 256 : 0;
  for (let index = 0; index < sizeBytes; index++) size += (head[at + index] ?? 0) * 256 ** index;
  return size;
}

class ZstdStage implements Stage {
  readonly #head = new ByteBuffer(HEAD_MAX_BYTES);
  readonly #decoder: Decompress;
  #isOpen = false;

  constructor(sink: Sink) {
    this.#decoder = new Decompress((bytes) => {
      if (bytes.length > 0 && !sink(bytes)) throw STOP;
    });
  }

  push(bytes: Uint8Array): DecodeError | undefined {
    if (this.#isOpen) return this.#feed(bytes);
    const taken = bytes.subarray(0, this.#head.room);
    this.#head.append(taken);
    const problem = this.#checkHead(this.#head.view());
    if (problem !== undefined || !this.#isOpen) return problem;
    return this.#feed(this.#head.take()) ?? this.#feed(bytes.subarray(taken.length));
  }

  end(): DecodeError | undefined {
    if (!this.#isOpen) return this.#head.length === 0 ? undefined : { code: 'body.truncated', detail: 'cut zstd head' };
    const problem = this.#step(new Uint8Array(0), true);
    return problem && { code: 'body.truncated', detail: 'the zstd stream has no end' };
  }

  close(): void {
    this.#head.clear();
  }

  #checkHead(head: Uint8Array): DecodeError | undefined {
    const magic = ((head[0] ?? 0) | ((head[1] ?? 0) << 8) | ((head[2] ?? 0) << 16) | ((head[3] ?? 0) << 24)) >>> 0;
    if (head.length >= 4 && magic !== MAGIC) return corrupt('no zstd head');
    const window = head.length < 4 ? undefined : windowBytes(head);
    if (window === undefined) return undefined;
    if (window > ZSTD_WINDOW_LIMIT_BYTES) return corrupt(`zstd window of ${window} bytes`);
    this.#isOpen = true;
    return undefined;
  }

  #feed(bytes: Uint8Array): DecodeError | undefined {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      const problem = this.#step(bytes.slice(at, at + STEP_BYTES), false);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #step(bytes: Uint8Array, isFinal: boolean): DecodeError | undefined {
    try {
      this.#decoder.push(bytes, isFinal);
      return undefined;
    } catch (error) {
      return error === STOP ? undefined : corrupt('the zstd data is damaged');
    }
  }
}

export const createZstdStage = (sink: Sink): Stage => new ZstdStage(sink);
