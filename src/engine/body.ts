// One side's body: wire bytes in, decoded bytes and messages out, sizes kept. It holds no body bytes: views pass through.
//
// A hole in a coded body ends its decoding (nothing behind it can be read); a hole in an identity body only costs the
// bytes it hit. Either way the sizes stay exact.

import { type CodedTotals, ContentDecoder, lenientUtf8 } from '../bytes/index.ts';
import type { BodySizes } from '../model/index.ts';
import { type BodyFormatParser, bodyFormatOf, type SseEvent } from '../protocols/index.ts';
import { binaryTypeOf } from './binary-type.ts';
import { codingsOf, contentTypeOf, type KnownHead } from './body-coding.ts';
import type { BodyHash, EngineOutput } from './output.ts';

export interface BodyHost {
  decoded(bytes: Uint8Array): void;
  message(event: SseEvent): void;
  problem(code: string, detail: string): void;
}

/** Bytes of the start of a body that are looked at where its type is not known. */
const SNIFF_BYTES = 64;

export class Body {
  readonly #output: EngineOutput;
  readonly #host: BodyHost;
  /** Of its connection. */
  readonly #totals: CodedTotals;
  #bytes = 0;
  #decodedBytes = 0;
  #lostBytes = 0;
  /** Beyond `#lostBytes`: what holes may have held of this body, at most. */
  #doubtBytes = 0;
  #coding = '';
  #decoder: ContentDecoder | undefined;
  #format: BodyFormatParser | undefined;
  /** `new`: no byte seen; `open`; `dead`: decoding has stopped, bytes are only counted. */
  #state: 'new' | 'open' | 'dead' = 'new';
  #hasDecoded = false;
  /** Decoding stopped before the end. */
  #isDamaged = false;
  #binaryType: string | undefined;
  #hash: BodyHash | undefined;
  #digest: string | undefined;
  /** First bytes while they do not tell yet how the body is coded. */
  #held: Uint8Array | undefined;
  head: KnownHead | undefined;
  /** Content-Length, where it tells the length of this body. */
  declaredBytes: number | undefined;
  /** The protocol said that this side is complete. */
  isEnded = false;

  constructor(output: EngineOutput, host: BodyHost, totals: CodedTotals) {
    this.#output = output;
    this.#host = host;
    this.#totals = totals;
  }

  get sizes(): BodySizes {
    const missing = this.#missingBytes();
    return {
      bytes: this.#bytes + missing,
      decodedBytes: this.#decodedBytes,
      lostBytes: this.#lostBytes + missing,
      coding: this.#coding,
      ...(missing > 0 && !this.#knowsLength() && { lostAtMost: true }),
      ...(this.#binaryType !== undefined && { binary: { mediaType: this.#binaryType, sha256: this.#sha256() } }),
    };
  }

  #sha256(): string | null {
    const isWhole = this.isEnded && !this.#isDamaged && this.#lostBytes + this.#doubtBytes === 0;
    if (isWhole) this.#digest ??= this.#hash?.hex();
    return isWhole ? (this.#digest ?? null) : null;
  }

  /** All that Content-Length announced has passed, whatever came of its end. */
  get isDelivered(): boolean {
    return this.#bytes === this.declaredBytes;
  }

  /** What doubtful holes took: exact when the announced length of a complete body tells, else an upper bound. */
  #missingBytes(): number {
    const { declaredBytes } = this;
    if (this.#doubtBytes === 0 || declaredBytes === undefined) return this.#doubtBytes;
    return Math.max(0, Math.min(this.#doubtBytes, declaredBytes - this.#bytes));
  }

  #knowsLength(): boolean {
    return this.isEnded && this.declaredBytes !== undefined;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    if (this.#state === 'new') this.#begin(bytes);
    else this.#decode(bytes);
  }

  #decode(bytes: Uint8Array): void {
    if (this.#state !== 'open') return;
    if (this.#decoder === undefined) this.#decoded(bytes);
    else {
      this.#decoder.push(bytes);
      this.#checkDecoder();
    }
  }

  /** Bytes that never reach a decoder (WebSocket frames on their way to their own parser). */
  count(wireBytes: number, decodedBytes: number): void {
    this.#bytes += wireBytes;
    this.#decodedBytes += decodedBytes;
  }

  /** `isAtMost`: perhaps nothing of this body was lost. What follows is not read as its continuation all the same. */
  gap(lostBytes: number, isAtMost = false): void {
    if (isAtMost) this.#doubtBytes += lostBytes;
    else {
      this.#bytes += lostBytes;
      this.#lostBytes += lostBytes;
    }
    this.#settle();
    if (this.#decoder === undefined) this.#format?.gap();
    else if (this.#state === 'open') {
      this.#host.problem('body.hole', `a hole in a ${this.#coding} body: the rest cannot be decoded`);
      this.#kill();
    }
  }

  /** The side is complete. */
  end(): void {
    this.isEnded = true;
    if (this.#held !== undefined) this.#settle();
    if (this.#state === 'open') {
      this.#decoder?.end();
      this.#checkDecoder();
    }
    this.close();
  }

  /** The protocol behind an upgrade goes on in this direction; its end is that protocol's to tell. */
  reopen(): void {
    this.isEnded = false;
  }

  /** Gives the decoder back; what it had decoded so far has been given out. */
  close(): void {
    if (this.#held !== undefined) this.#settle();
    if (this.#decoder !== undefined && this.#state === 'open') this.#kill();
  }

  /** The first bytes, held until they tell how the body is coded (at most UNDECIDED_BYTES and one piece). */
  #begin(bytes: Uint8Array): void {
    const first = this.#held === undefined ? bytes : joined(this.#held, bytes);
    const codings = codingsOf(this.head, first);
    this.#held = codings === undefined ? first.slice() : undefined;
    if (codings === undefined) return;
    this.#open(codings);
    this.#decode(first);
  }

  /** Nothing more will tell how the body is coded. */
  #settle(): void {
    if (this.#state !== 'new') return;
    const first = this.#held ?? new Uint8Array(0);
    this.#held = undefined;
    this.#open(codingsOf(this.head, first) ?? []);
    if (first.length > 0) this.#decode(first);
  }

  #open(codings: readonly string[]): void {
    this.#coding = codings.join(', ');
    this.#state = 'open';
    if (codings.length === 0) return;
    if (this.#output.openDecoders >= this.#output.limits.decoders) {
      this.#host.problem('body.decoder-limit', `more than ${this.#output.limits.decoders} bodies at once`);
      this.#state = 'dead';
      return;
    }
    this.#decoder = new ContentDecoder(codings, (bytes) => this.#decoded(bytes), this.#totals);
    this.#output.openDecoders++;
    this.#checkDecoder();
  }

  #decoded(bytes: Uint8Array): void {
    if (!this.#hasDecoded) this.#openFormat(bytes);
    this.#decodedBytes += bytes.length;
    this.#host.decoded(bytes);
    this.#hash?.update(bytes);
    this.#format?.push(bytes);
  }

  #openFormat(first: Uint8Array): void {
    this.#hasDecoded = true;
    const type = contentTypeOf(this.head, lenientUtf8(first.subarray(0, SNIFF_BYTES)));
    this.#format = bodyFormatOf(type)?.open({
      message: (event) => this.#host.message(event),
      problem: (code, detail) => this.#host.problem(code, detail),
    });
    if (this.#lostBytes + this.#doubtBytes > 0) this.#format?.gap();
    this.#binaryType = binaryTypeOf(type);
    if (this.#binaryType !== undefined) this.#hash = this.#output.newHash?.();
  }

  #checkDecoder(): void {
    const error = this.#decoder?.error;
    if (error === undefined || this.#state !== 'open') return;
    this.#host.problem(error.code, error.detail);
    this.#isDamaged = true;
    this.#kill();
  }

  #kill(): void {
    this.#state = 'dead';
    this.#output.openDecoders--;
    this.#decoder?.close();
    // Its window, not only its place: a stream that stays open keeps its Body.
    this.#decoder = undefined;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
