// Content coding `deflate`: the zlib format (RFC 1950) by RFC 9110 §8.4.1.2, bare DEFLATE by the habit of some servers.
// The first two bytes decide: a zlib head is a multiple of 31 with method 8, which no usual bare stream starts with.

import { Inflater, type Sink } from './inflater.ts';
import type { DecodeError, Stage } from './stage.ts';

const HEAD_BYTES = 2;
const PRESET_DICTIONARY = 0x20;

const isZlibHead = (head: number): boolean =>
  head % 31 === 0 && ((head >> 8) & 15) === 8 && (head & PRESET_DICTIONARY) === 0;

class DeflateStage implements Stage {
  readonly #inflater: Inflater;
  /** First byte, when the input was cut behind it. */
  #first: number | undefined;
  #isOpen = false;

  constructor(sink: Sink) {
    this.#inflater = new Inflater(sink);
  }

  push(bytes: Uint8Array): DecodeError | undefined {
    if (!this.#isOpen) return this.#open(bytes);
    this.#inflater.push(bytes);
    return this.#inflater.isCorrupt ? { code: 'body.corrupt', detail: 'the deflate data is damaged' } : undefined;
  }

  /** The Adler-32 behind a zlib stream is not checked: bytes behind the end of the DEFLATE data are ignored. */
  end(): DecodeError | undefined {
    return this.#inflater.isDone ? undefined : { code: 'body.truncated', detail: 'the deflate stream has no end' };
  }

  close(): void {
    this.#first = undefined;
  }

  #open(bytes: Uint8Array): DecodeError | undefined {
    const held = this.#first;
    if (bytes.length === 0) return undefined;
    if (held === undefined && bytes.length < HEAD_BYTES) {
      this.#first = bytes[0];
      return undefined;
    }
    this.#isOpen = true;
    const high = held ?? bytes[0] ?? 0;
    const low = held === undefined ? (bytes[1] ?? 0) : (bytes[0] ?? 0);
    if (isZlibHead((high << 8) | low)) return this.push(bytes.subarray(held === undefined ? HEAD_BYTES : 1));
    if (held !== undefined) this.push(Uint8Array.of(held));
    return this.push(bytes);
  }
}

export const createDeflateStage = (sink: Sink): Stage => new DeflateStage(sink);
