// The exchanges of one connection, by the parser's stream numbers: turns what a parser reports into engine events.

import type { CodedTotals } from '../bytes/index.ts';
import type { ConnectionId, Dir, ExchangeEnd, Side } from '../model/index.ts';
import { openWebSocket, type ProtoEvent } from '../protocols/index.ts';
import { Exchange } from './exchange.ts';
import type { EngineOutput } from './output.ts';

type StreamEvent = Exclude<ProtoEvent, { type: 'wire-error' } | { type: 'give-up' } | { type: 'upgrade' }>;
type HeadEvent = Extract<ProtoEvent, { type: 'request-head' } | { type: 'response-head' }>;

const opposite = (dir: Dir): Dir => (dir === 'out' ? 'in' : 'out');

/** RFC 9113 §7. */
const NO_ERROR = 0x0;
const STREAM_CLOSED = 0x5;
const CANCEL = 0x8;

type Reset = Extract<StreamEvent, { type: 'reset' }>;

/**
 * A server that has answered in full may refuse the rest of the request with NO_ERROR (RFC 9113 §8.1). A client that has
 * all that Content-Length announced may leave before it has read the frame that ends the stream: curl does, with
 * STREAM_CLOSED.
 */
function isHarmless({ errorCode, by }: Reset, exchange: Exchange): boolean {
  if (errorCode === NO_ERROR && exchange.response.isEnded) return true;
  if (!exchange.isDelivered) return false;
  return (
    errorCode === NO_ERROR || (by === exchange.requestDir && (errorCode === STREAM_CLOSED || errorCode === CANCEL))
  );
}

export class Exchanges {
  readonly #output: EngineOutput;
  readonly #connection: ConnectionId;
  /** In order of their start: the first is the oldest. */
  #open = new Map<number, Exchange>();
  #started = 0;
  readonly #totals: CodedTotals = { codedBytes: 0, decodedBytes: 0 };
  /** Direction of requests, as last seen: for exchanges whose request was not seen. */
  #requestDir: Dir = 'out';

  constructor(output: EngineOutput, connection: ConnectionId) {
    this.#output = output;
    this.#connection = connection;
  }

  get(stream: number): Exchange | undefined {
    return this.#open.get(stream);
  }

  /** Forgets the parser's numbers: another parser, which counts from the start, follows. */
  endAll(end: ExchangeEnd, tsNs: bigint): void {
    for (const exchange of this.#open.values()) exchange.at(tsNs).end(exchange.isDelivered ? 'complete' : end);
    this.#open = new Map();
  }

  /** One exchange goes on under another number, as the first of the next parser; all others have ended. */
  hand(stream: number, nextStream: number, tsNs: bigint): void {
    const kept = this.#open.get(stream);
    this.#open.delete(stream);
    this.endAll('complete', tsNs);
    if (kept !== undefined) this.#open.set(nextStream, kept);
  }

  accept(event: StreamEvent, tsNs: bigint): void {
    if (event.type === 'request-head' || event.type === 'response-head') this.#head(event, tsNs);
    else {
      const exchange = this.#open.get(event.stream) ?? this.#startLate(event, tsNs);
      if (exchange !== undefined) this.#part(exchange.at(tsNs), event, tsNs);
    }
  }

  #head(event: HeadEvent, tsNs: bigint): void {
    const isRequest = event.type === 'request-head';
    const requestDir = isRequest ? event.dir : opposite(event.dir);
    this.#requestDir = requestDir;
    const known = this.#open.get(event.stream);
    if (known === undefined && event.amends) return;
    const exchange = (known ?? this.#start(event.stream, requestDir, event.joinedLate, tsNs)).at(tsNs);
    if (isRequest) exchange.requestHead(event.head, event.amends);
    else exchange.responseHead(event.head, event.amends);
  }

  #start(stream: number, requestDir: Dir, joinedLate: boolean, tsNs: bigint): Exchange {
    if (this.#open.size >= this.#output.limits.exchangesPerConnection) this.#dropOldest(tsNs);
    const exchange = ++this.#started;
    const started = new Exchange(
      this.#output,
      { connection: this.#connection, exchange, requestDir, joinedLate, totals: this.#totals },
      tsNs,
    );
    this.#open.set(stream, started);
    return started;
  }

  /** Body bytes of a stream that was open before the capture began. Anything else of an unknown stream says nothing. */
  #startLate(event: StreamEvent, tsNs: bigint): Exchange | undefined {
    if (event.type !== 'body') return undefined;
    return this.#start(event.stream, this.#requestDir, true, tsNs);
  }

  #dropOldest(tsNs: bigint): void {
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    const [stream, exchange] = oldest;
    const detail = `more than ${this.#output.limits.exchangesPerConnection} open exchanges: the oldest is let go`;
    exchange.at(tsNs).problem('request', 'engine.exchange-limit', detail);
    this.#end(stream, exchange, 'lost');
  }

  #part(exchange: Exchange, event: Exclude<StreamEvent, HeadEvent>, tsNs: bigint): void {
    switch (event.type) {
      case 'informational':
        exchange.informational(event.head);
        break;
      case 'body':
        this.#body(exchange, event.side, event.bytes, tsNs);
        break;
      case 'body-gap':
        exchange.body(event.side).gap(event.lostBytes, event.atMost);
        if (event.atMost) exchange.doubt(event.side, event.lostBytes);
        exchange.webSocket?.gap(exchange.dirOf(event.side), event.lostBytes, tsNs);
        break;
      case 'trailers':
        exchange.trailers(event.side, event.headers);
        break;
      case 'message':
        exchange.webSocketMessage(event.side, event.binary, event.text, event.bytes);
        break;
      case 'close-code':
        exchange.closeCode(event.code);
        break;
      default:
        this.#finish(exchange, event);
    }
  }

  #finish(exchange: Exchange, event: Extract<StreamEvent, { type: 'side-end' | 'reset' | 'lost' }>): void {
    if (event.type === 'side-end') {
      exchange.body(event.side).end();
      if (exchange.isEnded) this.#end(event.stream, exchange, 'complete');
    } else if (event.type === 'lost') {
      this.#end(event.stream, exchange, exchange.isDelivered ? 'complete' : 'lost');
    } else if (isHarmless(event, exchange)) this.#end(event.stream, exchange, 'complete');
    else this.#end(event.stream, exchange, 'reset', event);
  }

  #end(stream: number, exchange: Exchange, end: ExchangeEnd, reset?: { by: Dir; errorCode: number }): void {
    this.#open.delete(stream);
    exchange.end(end, reset);
  }

  #body(exchange: Exchange, side: Side, bytes: Uint8Array, tsNs: bigint): void {
    if (exchange.webSocket === undefined) exchange.body(side).push(bytes);
    else {
      exchange.body(side).count(bytes.length, 0);
      exchange.webSocket.data(exchange.dirOf(side), bytes, tsNs);
    }
  }

  /** Extended CONNECT (RFC 8441): one stream of the connection speaks WebSocket from here on. */
  openWebSocket(stream: number, problem: (event: ProtoEvent & { type: 'wire-error' }, tsNs: bigint) => void): void {
    const exchange = this.#open.get(stream);
    if (exchange === undefined) return;
    const emit = (event: ProtoEvent, tsNs: bigint): void => {
      if (event.type === 'wire-error') problem(event, tsNs);
      // The stream's own ends and holes come from the protocol that carries it.
      else if (event.type === 'message' || event.type === 'close-code' || event.type === 'lost')
        this.accept(event, tsNs);
    };
    const options = { client: exchange.requestDir, stream, extensions: exchange.extensions };
    exchange.webSocket = openWebSocket({ emit, outWhole: true, inWhole: true }, options);
  }
}
