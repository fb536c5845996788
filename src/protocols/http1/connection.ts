// Both directions of an HTTP/1 connection: which response answers which request (RFC 9112 §9.3). Responses come in the
// order of the requests; so pairing is certain as long as no request and no response can be missing.
//
// Rule behind holes and late joins: a request is paired only while it is certain that no earlier request is still to be
// answered. Certainty is lost when requests may be missing (hole outside a known body, damage, a start line found behind
// unknown bytes) and regained when a response completes while no request waits (two of them when both directions were
// damaged), unless this connection was seen to pipeline. A request without certainty ends as `lost`; a response without
// a request becomes an exchange of its own (`joinedLate`). Requests whose response may lie in a hole end as `lost`.
//
// LIMITS: a connection that is joined exactly between two pipelined requests looks like an idle one. A response joined
// late is taken to have a body as its head says, since nothing tells that its request was HEAD.

import { ByteBuffer } from '../../bytes/index.ts';
import { type Dir, type EndReason, headerValue, type Side } from '../../model/index.ts';
import type { ConnInfo, ProtocolParser, ProtoEvent } from '../protocol.ts';
import { type Framed, type Framing, requestFraming, responseFraming } from './framing.ts';
import { requestHead, responseHead, tokenOf } from './heads.ts';
import { HELD_LIMIT_BYTES, PIPELINE_LIMIT, SEEK_GIVE_UP_BYTES } from './limits.ts';
import { type MessageHead, MessageReader, type ReaderHost } from './message-reader.ts';
import type { RequestLine, StatusLine } from './syntax.ts';

interface Exchange {
  readonly stream: number;
  /** null: the request was not seen. */
  readonly method: string | null;
  /** The Upgrade field, or `connect`: behind this request the client may speak another protocol. */
  readonly switchTo: string | undefined;
  isRequestDone: boolean;
  isResponseDone: boolean;
  /** Will never be paired, or its request cannot be completed: ends as `lost` when nothing more can come. */
  isDamaged: boolean;
  /** `lost` was reported: nothing more is said about it. */
  isOver: boolean;
}

const opposite = (dir: Dir): Dir => (dir === 'out' ? 'in' : 'out');
export class Http1Connection implements ProtocolParser {
  readonly #info: ConnInfo;
  readonly #readers: Readonly<Record<Dir, MessageReader>>;
  #tsNs = 0n;
  #lastStream = 0;
  #hasSeenHead = false;
  /** Requests whose final response has not begun, in order. */
  #waiting: Exchange[] = [];
  /** Whose body is being read in each role. */
  #requestNow: Exchange | undefined;
  #responseNow: Exchange | undefined;
  /** `joined`: nothing seen yet, decided by how the first request is found. */
  #certainty: 'joined' | 'certain' | 'lost' = 'joined';
  /** Responses that must still complete before certainty is regained: two when holes hit both directions. */
  #cyclesNeeded = 1;
  /** Directions that were damaged since certainty was last regained. */
  readonly #damagedDirs = new Set<Dir>();
  /** Requests since the last complete response: two prove pipelining. */
  #requestsInFlight = 0;
  #hasPipelined = false;
  /** Requests may have been missed since the last complete response: one response without a request is no wonder. */
  #mayHaveMissed = true;
  /** A response came that no known or missed request explains: pipelining, unless a hole turns out to explain it. */
  #isSuspect = false;
  /** Bytes of the client behind a request to switch protocols, until the answer is seen. */
  readonly #held = new ByteBuffer(HELD_LIMIT_BYTES);
  #hasHeldGap = false;
  /** What the last response would switch to. */
  #switchedTo = 'unknown';
  #isOver = false;

  constructor(info: ConnInfo) {
    this.#info = info;
    this.#readers = {
      out: new MessageReader(this.#host('out'), info.outWhole),
      in: new MessageReader(this.#host('in'), info.inWhole),
    };
  }

  data(dir: Dir, bytes: Uint8Array, tsNs: bigint): void {
    this.#tsNs = tsNs;
    if (this.#isOver || bytes.length === 0) return;
    const reader = this.#readers[dir];
    const rest = bytes.subarray(reader.data(bytes));
    if (reader.isSwitched) this.#switch(dir, rest);
    else if (reader.isHeld) this.#hold(dir, rest);
    else if (!this.#hasSeenHead && reader.soughtBytes > SEEK_GIVE_UP_BYTES) this.#giveUp('no HTTP/1 start line');
  }

  gap(dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.#tsNs = tsNs;
    if (this.#isOver) return;
    if (this.#readers[dir].isHeld) {
      this.#hasHeldGap = true;
      this.#requestBroken(false);
    } else this.#readers[dir].gap(lostBytes);
  }

  end(dir: Dir, why: EndReason, tsNs: bigint): void {
    this.#tsNs = tsNs;
    if (!this.#isOver && why === 'closed') this.#readers[dir].close();
  }

  #emit(event: ProtoEvent): void {
    if (!this.#isOver) this.#info.emit(event, this.#tsNs);
  }

  #emitFor(exchange: Exchange | undefined, event: (stream: number) => ProtoEvent): void {
    if (exchange !== undefined && !exchange.isOver) this.#emit(event(exchange.stream));
  }

  #host(dir: Dir): ReaderHost {
    const side = (): Side => this.#readers[dir].kind ?? 'request';
    const now = (): Exchange | undefined => (side() === 'request' ? this.#requestNow : this.#responseNow);
    return {
      head: (head) => this.#head(dir, head),
      body: (bytes) => this.#emitFor(now(), (stream) => ({ type: 'body', stream, side: side(), bytes })),
      bodyGap: (lostBytes) => this.#emitFor(now(), (stream) => ({ type: 'body-gap', stream, side: side(), lostBytes })),
      trailers: (headers) => this.#emitFor(now(), (stream) => ({ type: 'trailers', stream, side: side(), headers })),
      complete: () => (side() === 'request' ? this.#requestComplete() : this.#responseComplete()),
      broken: (inMessage) => this.#broken(dir, inMessage),
      problem: (code, detail, spec) =>
        this.#emit({ type: 'wire-error', ...this.#streamOf(now()), dir, code, detail, spec }),
      startMissed: () => this.#startMissed(),
    };
  }

  #streamOf(exchange: Exchange | undefined): { stream?: number } {
    return exchange === undefined || exchange.isOver ? {} : { stream: exchange.stream };
  }

  #head(dir: Dir, head: MessageHead): Framing {
    this.#hasSeenHead = true;
    this.#readers[opposite(dir)].kind = head.start.kind === 'request' ? 'response' : 'request';
    return head.start.kind === 'request' ? this.#request(dir, head, head.start) : this.#response(dir, head, head.start);
  }

  #framed(dir: Dir, exchange: Exchange, { framing, problem }: Framed): Framing {
    if (problem !== undefined) this.#emitFor(exchange, (stream) => ({ type: 'wire-error', stream, dir, ...problem }));
    return framing;
  }

  #request(dir: Dir, head: MessageHead, start: RequestLine): Framing {
    if (++this.#requestsInFlight > 1) this.#hasPipelined = true;
    if (this.#certainty === 'joined') this.#certainty = head.found === 'sought' ? 'lost' : 'certain';
    const isCertain = this.#certainty === 'certain';
    const exchange = this.#newExchange(start.method, this.#switchWanted(start, head), !isCertain);
    this.#requestNow = exchange;
    const { stream } = exchange;
    const value = requestHead(start, head.headers);
    this.#emit({ type: 'request-head', stream, dir, head: value, joinedLate: false, amends: false });
    if (isCertain) this.#wait(dir, exchange);
    return this.#framed(dir, exchange, requestFraming(start, head.headers));
  }

  #switchWanted(start: RequestLine, head: MessageHead): string | undefined {
    return start.method === 'CONNECT' ? 'connect' : tokenOf(headerValue(head.headers, 'upgrade'));
  }

  #newExchange(method: string | null, switchTo: string | undefined, isDamaged: boolean): Exchange {
    const stream = ++this.#lastStream;
    return { stream, method, switchTo, isRequestDone: false, isResponseDone: false, isDamaged, isOver: false };
  }

  #wait(dir: Dir, exchange: Exchange): void {
    if (this.#waiting.length >= PIPELINE_LIMIT) {
      const detail = `${PIPELINE_LIMIT} requests without a response`;
      this.#emit({ type: 'wire-error', dir, code: 'h1.pipeline', detail });
      this.#loseWaiting();
    }
    if (this.#waiting.length === 0) this.#readers[opposite(dir)].demandStart();
    this.#waiting.push(exchange);
  }

  #response(dir: Dir, head: MessageHead, start: StatusLine): Framing {
    const exchange = this.#waiting[0] ?? this.#unasked();
    const { stream } = exchange;
    const value = responseHead(start, head.headers);
    const isFinal = start.status >= 200 || start.status === 101;
    if (!isFinal) {
      this.#responseNow = undefined;
      this.#emitFor(exchange, () => ({ type: 'informational', stream, head: value }));
      return { kind: 'none' };
    }
    this.#waiting.shift();
    this.#responseNow = exchange;
    const joinedLate = exchange.method === null;
    this.#emitFor(exchange, () => ({ type: 'response-head', stream, dir, head: value, joinedLate, amends: false }));
    this.#switchedTo = tokenOf(headerValue(head.headers, 'upgrade')) ?? exchange.switchTo ?? 'unknown';
    const framing = this.#framed(dir, exchange, responseFraming(start, exchange.method, head.headers));
    if (framing.kind !== 'switch') this.#release(opposite(dir));
    return framing;
  }

  /** An exchange for a response whose request was not seen. */
  #unasked(): Exchange {
    const exchange = this.#newExchange(null, undefined, false);
    exchange.isRequestDone = true;
    this.#waiting.unshift(exchange);
    if (this.#requestsInFlight === 0 && !this.#mayHaveMissed) {
      this.#isSuspect = true;
      this.#certainty = 'lost';
    }
    return exchange;
  }

  #requestComplete(): void {
    const exchange = this.#requestNow;
    this.#requestNow = undefined;
    if (exchange === undefined) return;
    exchange.isRequestDone = true;
    this.#emitFor(exchange, (stream) => ({ type: 'side-end', stream, side: 'request' }));
    if (exchange.isDamaged) this.#lose(exchange);
    else if (exchange.switchTo !== undefined && this.#waiting.includes(exchange)) this.#requestReader().isHeld = true;
  }

  #responseComplete(): void {
    const exchange = this.#responseNow;
    this.#responseNow = undefined;
    if (exchange === undefined) return;
    exchange.isResponseDone = true;
    this.#requestsInFlight = 0;
    this.#emitFor(exchange, (stream) => ({ type: 'side-end', stream, side: 'response' }));
    if (exchange.isDamaged) this.#lose(exchange);
    this.#mayHaveMissed = false;
    if (this.#waiting.length === 0 && !this.#hasPipelined && !this.#isSuspect) this.#regain();
  }

  #regain(): void {
    if (--this.#cyclesNeeded > 0) return;
    this.#cyclesNeeded = 1;
    this.#damagedDirs.clear();
    this.#certainty = 'certain';
  }

  #lose(exchange: Exchange): void {
    this.#emitFor(exchange, (stream) => ({ type: 'lost', stream }));
    exchange.isOver = true;
  }

  /** Ends an exchange that will get no response: at once, or when its request is complete. */
  #loseResponse(exchange: Exchange): void {
    if (exchange.isRequestDone || exchange.isDamaged) this.#lose(exchange);
    else exchange.isDamaged = true;
  }

  #loseWaiting(): void {
    for (const exchange of this.#waiting) this.#loseResponse(exchange);
    this.#waiting = [];
  }

  #broken(dir: Dir, inMessage: boolean): void {
    this.#damagedDirs.add(dir);
    this.#cyclesNeeded = this.#damagedDirs.size;
    if (this.#readers[dir].kind === 'response') this.#responseBroken(inMessage);
    else this.#requestBroken(inMessage);
  }

  #requestBroken(inMessage: boolean): void {
    this.#certainty = 'lost';
    this.#mayHaveMissed = true;
    this.#isSuspect = false;
    const exchange = this.#requestNow;
    this.#requestNow = undefined;
    if (!inMessage || exchange === undefined) return;
    if (exchange.isResponseDone || exchange.isDamaged) this.#lose(exchange);
    else exchange.isDamaged = true;
  }

  #responseBroken(inMessage: boolean): void {
    const exchange = this.#responseNow;
    this.#responseNow = undefined;
    if (inMessage && exchange !== undefined) this.#loseResponse(exchange);
    this.#requestsInFlight = 0;
    // Behind pipelined requests it is not known how many of their responses the damage took.
    if (this.#hasPipelined || this.#isSuspect) this.#certainty = 'lost';
    this.#loseWaiting();
  }

  /** What came behind a request is the rest of an older response: others may be due before its own. */
  #startMissed(): void {
    this.#certainty = 'lost';
    this.#loseWaiting();
  }

  #requestReader(): MessageReader {
    return this.#readers.out.kind === 'request' ? this.#readers.out : this.#readers.in;
  }

  #hold(dir: Dir, bytes: Uint8Array): void {
    if (this.#held.append(bytes)) return;
    const detail = `more than ${HELD_LIMIT_BYTES} bytes behind a request to switch protocols`;
    this.#emit({ type: 'wire-error', dir, code: 'h1.held', detail, spec: 'RFC 9110 §7.8' });
    this.#release(dir);
    this.#readers[dir].data(bytes);
  }

  /** No switch: what the client sent meanwhile is HTTP/1. */
  #release(dir: Dir): void {
    const reader = this.#readers[dir];
    if (!reader.isHeld) return;
    reader.isHeld = false;
    const held = this.#held.take();
    if (this.#hasHeldGap) reader.gap(1);
    this.#hasHeldGap = false;
    const rest = held.subarray(reader.data(held));
    if (reader.isHeld) this.#hold(dir, rest);
  }

  #switch(dir: Dir, rest: Uint8Array): void {
    const exchange = this.#responseNow;
    if (exchange === undefined || this.#hasHeldGap) {
      this.#giveUp('a hole where the protocol was switched');
      return;
    }
    const client = this.#held.take();
    const leftOver = dir === 'in' ? { out: client, in: rest } : { out: rest, in: client };
    this.#emit({ type: 'upgrade', stream: exchange.stream, to: this.#switchedTo, leftOver });
    this.#isOver = true;
  }

  #giveUp(reason: string): void {
    this.#emit({ type: 'give-up', reason });
    this.#isOver = true;
  }
}
