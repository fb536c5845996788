// Content codings (RFC 9110 §8.4.1) as one streaming interface: bytes in, decoded views out, errors as values. Codings
// may be stacked (`gzip, br`); they are undone from the last to the first. This file knows no HTTP beyond coding names.

import { createBrotliStage } from './brotli.ts';
import { createDeflateStage } from './deflate.ts';
import { createGzipStage } from './gzip.ts';
import type { Sink } from './inflater.ts';
import type { DecodeError, Stage } from './stage.ts';
import { createZstdStage } from './zstd/stage.ts';

/** Below this size nothing is called a bomb: highly repetitive honest bodies exist, and this much is cheap to scan. */
export const BOMB_FREE_BYTES = 16 * 1024 * 1024;
/** Honest JSON, HTML and logs reach 5 to 60; DEFLATE can reach 1032, brotli and zstd far more. */
export const BOMB_RATIO = 250;
/** The same over all bodies of one connection: a bomb in many small bodies would begin with the free part each time. */
export const CONNECTION_FREE_BYTES = 128 * 1024 * 1024;
/** The most that one body may decode to, whatever its ratio: bounds the time that one body can cost. */
export const DECODED_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;
/** Stacked codings beyond this serve only bombs. */
export const MAX_STACKED_CODINGS = 4;

/** What the coded bodies of one connection came to, together. */
export interface CodedTotals {
  codedBytes: number;
  decodedBytes: number;
}

type StageFactory = (sink: Sink) => Stage;

/** By coding name, `x-` forms as RFC 9110 §8.4.1.1 and §8.4.1.3 ask for. Order has no meaning. */
const STAGES: readonly (readonly [coding: string, factory: StageFactory])[] = [
  ['gzip', createGzipStage],
  ['x-gzip', createGzipStage],
  ['deflate', createDeflateStage],
  ['br', createBrotliStage],
  ['zstd', createZstdStage],
];

const IDENTITY = new Set(['', 'identity', 'none']);

/** Names in a Content-Encoding value, in the order applied, without `identity`. */
export function codingNames(value: string): string[] {
  return value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !IDENTITY.has(name));
}

/** Undoes the codings of one body. `emit` gets views that are valid until it returns. */
export class ContentDecoder {
  readonly #emit: (bytes: Uint8Array) => void;
  readonly #totals: CodedTotals;
  readonly #stages: Stage[] = [];
  #inBytes = 0;
  /** Of all stages: what a stacked coding gives to the next costs as much as what is given out. */
  #outBytes = 0;
  #error: DecodeError | undefined;
  #isStopped = false;

  /** `totals`: of the connection that the body belongs to, if others do, too. */
  constructor(
    codings: readonly string[],
    emit: (bytes: Uint8Array) => void,
    totals: CodedTotals = { codedBytes: 0, decodedBytes: 0 },
  ) {
    this.#emit = emit;
    this.#totals = totals;
    if (codings.length > MAX_STACKED_CODINGS) {
      this.#fail({ code: 'body.unsupported-coding', detail: `${codings.length} stacked codings` });
    } else this.#build(codings);
  }

  /** Set once decoding has stopped before its end; nothing is emitted after that. */
  get error(): DecodeError | undefined {
    return this.#error;
  }

  push(bytes: Uint8Array): void {
    if (this.#error !== undefined) return;
    const first = this.#stages[0];
    if (first === undefined) this.#emit(bytes);
    else {
      this.#inBytes += bytes.length;
      this.#totals.codedBytes += bytes.length;
      if (this.#allows(0)) this.#fail(first.push(bytes));
    }
  }

  /** Nothing more is wanted: decoding stops where it is, also from inside `emit`. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The body is complete: says whether the coded stream was, too. */
  end(): void {
    for (const stage of this.#stages) if (this.#error === undefined && this.#inBytes > 0) this.#fail(stage.end());
    this.close();
  }

  close(): void {
    for (const stage of this.#stages) stage.close();
  }

  #fail(error: DecodeError | undefined): void {
    if (error !== undefined) this.#error ??= error;
  }

  /** Stage 0 undoes the coding that was applied last. */
  #build(codings: readonly string[]): void {
    let sink: Sink = (bytes) => this.#deliver(bytes);
    for (const name of codings) {
      const factory = STAGES.find(([coding]) => coding === name)?.[1];
      if (factory === undefined) {
        this.#fail({ code: 'body.unsupported-coding', detail: name.slice(0, 40) });
        return;
      }
      const stage = factory(sink);
      this.#stages.unshift(stage);
      sink = (bytes) => {
        if (!this.#allows(bytes.length)) return false;
        this.#fail(stage.push(bytes));
        return this.#error === undefined && !this.#isStopped;
      };
    }
  }

  #deliver(bytes: Uint8Array): boolean {
    if (!this.#allows(bytes.length)) return false;
    this.#emit(bytes);
    return !this.#isStopped;
  }

  /** Counts what a stage has decoded; false: no more of it. */
  #allows(decodedBytes: number): boolean {
    if (this.#error !== undefined || this.#isStopped) return false;
    this.#outBytes += decodedBytes;
    this.#totals.decodedBytes += decodedBytes;
    const bomb = this.#bomb();
    if (bomb !== undefined) this.#fail({ code: 'body.bomb', detail: bomb });
    return bomb === undefined;
  }

  #bomb(): string | undefined {
    const { codedBytes, decodedBytes } = this.#totals;
    if (this.#outBytes > DECODED_LIMIT_BYTES || isTooMuch(this.#inBytes, this.#outBytes, BOMB_FREE_BYTES))
      return `${this.#inBytes} bytes decode to more than ${this.#outBytes}`;
    if (isTooMuch(codedBytes, decodedBytes, CONNECTION_FREE_BYTES))
      return `${codedBytes} bytes of this connection decode to more than ${decodedBytes}`;
    return undefined;
  }
}

const isTooMuch = (codedBytes: number, decodedBytes: number, freeBytes: number): boolean =>
  decodedBytes > freeBytes && decodedBytes > codedBytes * BOMB_RATIO;
