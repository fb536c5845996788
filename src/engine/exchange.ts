// One exchange from its first head to its end: numbers it, keeps both bodies, emits its events. It does not know which
// protocol carried it.

import type { CodedTotals } from '../bytes/index.ts';
import type {
  ConnectionId,
  Dir,
  ExchangeEnd,
  ExchangeId,
  HeaderField,
  RequestHead,
  ResponseHead,
  Side,
} from '../model/index.ts';
import { headerValue } from '../model/index.ts';
import type { ProtocolParser, SseEvent } from '../protocols/index.ts';
import { Body, type BodyHost } from './body.ts';
import type { EngineOutput } from './output.ts';

export interface ExchangeStart {
  readonly connection: ConnectionId;
  readonly exchange: number;
  /** Direction of the request. */
  readonly requestDir: Dir;
  readonly joinedLate: boolean;
  /** What the coded bodies of the connection came to so far. */
  readonly totals: CodedTotals;
}

/** Digits only, once (RFC 9110 §8.6); anything else says nothing, nor does it beside Transfer-Encoding. */
function contentLength(headers: readonly HeaderField[]): number | undefined {
  if (headerValue(headers, 'transfer-encoding') !== undefined) return undefined;
  const values = headers.filter(([name]) => name === 'content-length');
  const [first] = values;
  return values.length === 1 && first !== undefined && /^\d{1,15}$/.test(first[1]) ? Number(first[1]) : undefined;
}

const isKnown = (head: RequestHead | ResponseHead): boolean => head.unknown.length === 0;

export class Exchange {
  readonly #output: EngineOutput;
  readonly id: ExchangeId;
  readonly requestDir: Dir;
  readonly request: Body;
  readonly response: Body;
  /** Set while a stream of a multiplexed connection speaks WebSocket. */
  webSocket: ProtocolParser | undefined;
  /** Sec-WebSocket-Extensions of the response. */
  extensions: string | undefined;
  #closeCode: number | undefined;
  #isHead = false;
  #tsNs: bigint;

  constructor(output: EngineOutput, start: ExchangeStart, tsNs: bigint) {
    this.#output = output;
    this.#tsNs = tsNs;
    this.id = { connection: start.connection, exchange: start.exchange };
    this.requestDir = start.requestDir;
    this.request = new Body(output, this.#bodyHost('request'), start.totals);
    this.response = new Body(output, this.#bodyHost('response'), start.totals);
    const served = start.requestDir === 'in';
    output.emit({ type: 'ExchangeStarted', tsNs, id: this.id, served, joinedLate: start.joinedLate });
  }

  get isEnded(): boolean {
    return this.request.isEnded && this.response.isEnded;
  }

  /**
   * Nothing more than the mark of the end can have been missing: clients leave a response as soon as its announced length
   * has come.
   */
  get isDelivered(): boolean {
    const { request, response } = this;
    return (request.isEnded || request.isDelivered) && (response.isEnded || response.isDelivered);
  }

  /** Time of the record that is being read, for everything that this exchange emits. */
  at(tsNs: bigint): this {
    this.#tsNs = tsNs;
    return this;
  }

  body(side: Side): Body {
    return side === 'request' ? this.request : this.response;
  }

  dirOf(side: Side): Dir {
    if (side === 'request') return this.requestDir;
    return this.requestDir === 'out' ? 'in' : 'out';
  }

  requestHead(head: RequestHead, amends: boolean): void {
    this.request.head = { headers: head.headers, isComplete: isKnown(head) };
    this.request.declaredBytes = contentLength(head.headers);
    this.#isHead = head.method === 'HEAD';
    this.#output.emit({ type: 'HeadReceived', tsNs: this.#tsNs, id: this.id, amends, side: 'request', head });
  }

  responseHead(head: ResponseHead, amends: boolean): void {
    this.response.head = { headers: head.headers, isComplete: isKnown(head) };
    this.response.declaredBytes = this.#hasNoBody(head) ? undefined : contentLength(head.headers);
    this.extensions = headerValue(head.headers, 'sec-websocket-extensions');
    this.#output.emit({ type: 'HeadReceived', tsNs: this.#tsNs, id: this.id, amends, side: 'response', head });
  }

  /** Content-Length then tells what GET would have given (RFC 9110 §8.6). */
  #hasNoBody({ status }: ResponseHead): boolean {
    return this.#isHead || status === 304;
  }

  informational(head: ResponseHead): void {
    this.#output.emit({ type: 'InformationalReceived', tsNs: this.#tsNs, id: this.id, head });
  }

  trailers(side: Side, headers: readonly HeaderField[]): void {
    this.#output.emit({ type: 'TrailersReceived', tsNs: this.#tsNs, id: this.id, side, headers });
  }

  webSocketMessage(side: Side, isBinary: boolean, text: string, bytes: Uint8Array): void {
    const base = { type: 'MessageReceived', tsNs: this.#tsNs, id: this.id, side } as const;
    this.body(side).count(0, bytes.length);
    if (isBinary) this.#output.emit({ ...base, format: 'websocket-binary', data: '', bytes });
    else this.#output.emit({ ...base, format: 'websocket-text', data: text });
  }

  closeCode(code: number): void {
    this.#closeCode ??= code;
  }

  /** A hole that was reported before may have held so much of this body. */
  doubt(side: Side, atMostBytes: number): void {
    const { connection } = this.id;
    const base = { type: 'GapSeen', tsNs: this.#tsNs, connection, id: this.id, side, dir: this.dirOf(side) } as const;
    this.#output.emit({ ...base, lostBytes: 0, atMostBytes });
  }

  problem(side: Side, code: string, detail: string, spec?: string): void {
    const { connection } = this.id;
    const dir = this.dirOf(side);
    const base = { type: 'WireErrorSeen', tsNs: this.#tsNs, connection, id: this.id, dir, code, detail } as const;
    this.#output.emit(spec === undefined ? base : { ...base, spec });
  }

  end(end: ExchangeEnd, reset?: { by: Dir; errorCode: number }): void {
    this.request.close();
    this.response.close();
    this.#output.emit({
      type: 'ExchangeEnded',
      tsNs: this.#tsNs,
      id: this.id,
      end,
      ...(reset === undefined ? {} : { resetBy: reset.by, errorCode: reset.errorCode }),
      ...(this.#closeCode === undefined ? {} : { closeCode: this.#closeCode }),
      request: this.request.sizes,
      response: this.response.sizes,
    });
  }

  #bodyHost(side: Side): BodyHost {
    return {
      decoded: (bytes) => this.#output.emit({ type: 'BodyReceived', tsNs: this.#tsNs, id: this.id, side, bytes }),
      message: (event) => this.#sse(side, event),
      problem: (code, detail) => this.problem(side, code, detail),
    };
  }

  #sse(side: Side, event: SseEvent): void {
    this.#output.emit({ type: 'MessageReceived', tsNs: this.#tsNs, id: this.id, side, format: 'sse', ...event });
  }
}
