// Makes a session's records anew from what the engine understood of them: the same connections, exchanges, bodies and holes,
// with heads and bodies that the caller may have changed. So a recording can be written that never had what was taken out.
//
// What is not kept: how well bodies, fields and messages were compressed, padding, order of frames within one direction, bytes of
// connections that were not understood. A body keeps its length after decoding.

import type {
  CaptureRecord,
  ConnectionId,
  ConnectionKey,
  Dir,
  EngineEvent,
  ExchangeId,
  HeaderField,
  HeadReceived,
  RequestHead,
  ResponseHead,
  Side,
} from '../../model/index.ts';
import { MAX_CHUNK_BYTES } from '../../record/index.ts';
import { Http1Writer } from './http1-writer.ts';
import {
  dataFrames,
  lostFrames,
  PREFACE,
  requestFrames,
  resetFrame,
  responseFrames,
  settingsFrame,
  trailerFrames,
} from './http2-writer.ts';
import { type StoredCoder, storedCoder } from './stored-coding.ts';
import { closeFrame, webSocketFrame } from './websocket-frame.ts';

/** What the caller may change on the way. Bodies and messages must keep their length in bytes. */
export interface Changes {
  requestHead(head: RequestHead): RequestHead;
  responseHead(head: ResponseHead): ResponseHead;
  /** `offset`: bytes of this body that came before. */
  body(id: ExchangeId, side: Side, bytes: Uint8Array, offset: number): Uint8Array;
  /** `index`: messages of this side that came before. */
  message(id: ExchangeId, side: Side, bytes: Uint8Array, index: number): Uint8Array;
  /** Records that carry no plaintext of connections; null leaves one out. */
  record(record: CaptureRecord): CaptureRecord | null;
}

interface OpenExchange {
  readonly stream: number;
  readonly requestDir: Dir;
  readonly hasHead: Record<Side, boolean>;
  readonly isEnded: Record<Side, boolean>;
  readonly bodyBytes: Record<Side, number>;
  readonly messages: Record<Side, number>;
  /** Of a body that has a content coding and at least one byte. */
  readonly coder: Record<Side, StoredCoder | null>;
  isWebSocket: boolean;
}

interface OpenConnection {
  readonly key: ConnectionKey;
  readonly offset: Record<Dir, number>;
  /** Of the original: bytes seen, so that a lost tail is known. */
  readonly seen: Record<Dir, number>;
  readonly exchanges: Map<number, OpenExchange>;
  readonly http1: Http1Writer;
  protocol: string;
  isLate: boolean;
  hasPreface: boolean;
  nextStream: number;
}

const otherDir = (dir: Dir): Dir => (dir === 'out' ? 'in' : 'out');
function coderOf(headers: readonly HeaderField[]): StoredCoder | null {
  const codings = headers.filter(([name]) => name === 'content-encoding');
  return codings.length === 1 ? storedCoder(codings[0]?.[1] ?? '') : null;
}

const utf8 = new TextEncoder();
const keyText = ({ pid, startNs, ssl, generation }: ConnectionKey): string => `${pid} ${startNs} ${ssl} ${generation}`;

export class Rebuilder {
  readonly #changes: Changes;
  readonly #emit: (record: CaptureRecord) => void;
  readonly #connections = new Map<ConnectionId, OpenConnection>();
  readonly #byKey = new Map<string, OpenConnection>();
  /** Of the event that is being handled: what it says is written as if it had come then. */
  #tsNs = 0n;

  constructor(changes: Changes, emit: (record: CaptureRecord) => void) {
    this.#changes = changes;
    this.#emit = emit;
  }

  /** Called with every record before the engine gets it. */
  record(record: CaptureRecord): void {
    switch (record.kind) {
      case 'data':
        this.#seen(record.dir, record.offset + record.bytes.length, this.#byKey.get(keyText(record)));
        return;
      case 'close':
      case 'progress': {
        const connection = this.#byKey.get(keyText(record));
        const outBytes = this.#reached(connection, 'out', record.outBytes);
        const inBytes = this.#reached(connection, 'in', record.inBytes);
        this.#emit({ ...record, outBytes, inBytes });
        return;
      }
      default: {
        const changed = this.#changes.record(record);
        if (changed !== null) this.#emit(changed);
      }
    }
  }

  /** Called with everything that the engine says. */
  event(event: EngineEvent): void {
    this.#tsNs = event.tsNs;
    switch (event.type) {
      case 'ConnectionOpened':
        this.#opened(event.connection, event.key);
        return;
      case 'ConnectionIdentified':
        this.#identified(event);
        return;
      case 'ConnectionClosed':
        this.#closed(event.connection);
        return;
      case 'GapSeen':
        this.#gap(event);
        return;
      default:
        if ('id' in event && event.id !== undefined) this.#exchange(event, event.id);
    }
  }

  #seen(dir: Dir, offset: number, connection: OpenConnection | undefined): void {
    if (connection !== undefined) connection.seen[dir] = Math.max(connection.seen[dir], offset);
  }

  /** End of a direction: what was written, and what the original lost behind its last byte. */
  #reached(connection: OpenConnection | undefined, dir: Dir, originalBytes: number): number {
    if (connection === undefined) return 0;
    const lostBytes =
      connection.protocol === '' || connection.protocol === 'opaque' ? 0 : originalBytes - connection.seen[dir];
    return connection.offset[dir] + Math.max(0, lostBytes);
  }

  #opened(id: ConnectionId, key: ConnectionKey): void {
    const connection: OpenConnection = {
      key,
      offset: { out: 0, in: 0 },
      seen: { out: 0, in: 0 },
      exchanges: new Map(),
      http1: new Http1Writer(),
      protocol: '',
      isLate: false,
      hasPreface: false,
      nextStream: 1,
    };
    this.#connections.set(id, connection);
    this.#byKey.set(keyText(key), connection);
    // Without a byte: connections are numbered in the order in which they are met.
    this.#chunk(connection, 'out', new Uint8Array());
  }

  #closed(id: ConnectionId): void {
    const connection = this.#connections.get(id);
    this.#connections.delete(id);
    if (connection !== undefined && this.#byKey.get(keyText(connection.key)) === connection)
      this.#byKey.delete(keyText(connection.key));
  }

  #identified(event: Extract<EngineEvent, { type: 'ConnectionIdentified' }>): void {
    const connection = this.#connections.get(event.connection);
    if (connection === undefined || event.protocol === undefined) return;
    connection.protocol = event.protocol;
    if (event.joinedLate === true) connection.isLate = true;
  }

  #gap({ connection: number, dir, lostBytes, id, side }: Extract<EngineEvent, { type: 'GapSeen' }>): void {
    const connection = this.#connections.get(number);
    if (connection === undefined || lostBytes === 0) return;
    const exchange = id === undefined ? undefined : connection.exchanges.get(id.exchange);
    if (exchange === undefined || side === undefined || exchange.isWebSocket) connection.offset[dir] += lostBytes;
    else this.#lostBody(connection, exchange, side, dir, lostBytes);
  }

  #lostBody(connection: OpenConnection, exchange: OpenExchange, side: Side, dir: Dir, lostBytes: number): void {
    if (connection.protocol === 'http/2') {
      for (const frame of lostFrames(exchange.stream, lostBytes)) {
        this.#write(connection, dir, frame.head);
        connection.offset[dir] += frame.lostBytes;
      }
      return;
    }
    const { before, after } = connection.http1.around(side, lostBytes);
    this.#write(connection, dir, before);
    connection.offset[dir] += lostBytes;
    this.#write(connection, dir, after);
  }

  #exchange(event: EngineEvent, id: ExchangeId): void {
    const connection = this.#connections.get(id.connection);
    if (connection === undefined) return;
    if (event.type === 'ExchangeStarted') {
      this.#started(connection, id.exchange, event.served ? 'in' : 'out');
      return;
    }
    const exchange = connection.exchanges.get(id.exchange);
    if (exchange === undefined) return;
    switch (event.type) {
      case 'HeadReceived':
        if (!event.amends) this.#head(connection, exchange, event);
        return;
      case 'InformationalReceived':
        this.#informational(connection, exchange, this.#changes.responseHead(event.head));
        return;
      case 'BodyReceived':
        this.#body(connection, exchange, id, event.side, event.bytes);
        return;
      case 'MessageReceived':
        if (event.format !== 'sse') this.#message(connection, exchange, event);
        return;
      case 'TrailersReceived':
        this.#trailers(connection, exchange, event);
        return;
      case 'ExchangeEnded':
        this.#ended(connection, exchange, event);
        connection.exchanges.delete(id.exchange);
        return;
      default:
    }
  }

  #started(connection: OpenConnection, number: number, requestDir: Dir): void {
    const exchange: OpenExchange = {
      stream: connection.nextStream,
      requestDir,
      hasHead: { request: false, response: false },
      isEnded: { request: false, response: false },
      bodyBytes: { request: 0, response: 0 },
      messages: { request: 0, response: 0 },
      coder: { request: null, response: null },
      isWebSocket: false,
    };
    connection.nextStream += 2;
    connection.exchanges.set(number, exchange);
    if (connection.protocol !== 'http/2' || connection.hasPreface || connection.isLate) return;
    connection.hasPreface = true;
    this.#write(connection, requestDir, Buffer.concat([PREFACE, settingsFrame()]));
    this.#write(connection, otherDir(requestDir), settingsFrame());
  }

  #head(connection: OpenConnection, exchange: OpenExchange, event: HeadReceived): void {
    const isHttp2 = connection.protocol === 'http/2';
    exchange.hasHead[event.side] = true;
    exchange.coder[event.side] = coderOf(event.head.headers);
    if (event.side === 'request') {
      const head = this.#changes.requestHead(event.head);
      const bytes = isHttp2 ? requestFrames(exchange.stream, head) : connection.http1.requestHead(head);
      if (bytes !== null) this.#write(connection, exchange.requestDir, bytes);
      return;
    }
    this.#end(connection, exchange, 'request');
    const head = this.#changes.responseHead(event.head);
    const bytes = isHttp2 ? responseFrames(exchange.stream, head) : connection.http1.responseHead(head);
    if (bytes !== null) this.#write(connection, otherDir(exchange.requestDir), bytes);
  }

  #informational(connection: OpenConnection, exchange: OpenExchange, head: ResponseHead): void {
    const isHttp2 = connection.protocol === 'http/2';
    const bytes = isHttp2 ? responseFrames(exchange.stream, head) : connection.http1.informational(head);
    this.#write(connection, otherDir(exchange.requestDir), bytes);
  }

  #dirOf(exchange: OpenExchange, side: Side): Dir {
    return side === 'request' ? exchange.requestDir : otherDir(exchange.requestDir);
  }

  #body(connection: OpenConnection, exchange: OpenExchange, id: ExchangeId, side: Side, bytes: Uint8Array): void {
    const changed = this.#changes.body(id, side, bytes, exchange.bodyBytes[side]);
    exchange.bodyBytes[side] += bytes.length;
    this.#bodyBytes(connection, exchange, side, exchange.coder[side]?.push(changed) ?? changed);
  }

  #bodyBytes(connection: OpenConnection, exchange: OpenExchange, side: Side, bytes: Uint8Array): void {
    const isHttp2 = connection.protocol === 'http/2';
    const framed = isHttp2 ? dataFrames(exchange.stream, bytes) : connection.http1.body(side, bytes);
    this.#write(connection, this.#dirOf(exchange, side), framed);
  }

  #message(
    connection: OpenConnection,
    exchange: OpenExchange,
    event: Extract<EngineEvent, { type: 'MessageReceived' }>,
  ): void {
    const { id, side, format } = event;
    exchange.isWebSocket = true;
    const payload = event.bytes ?? utf8.encode(event.data);
    const changed = this.#changes.message(id, side, payload, exchange.messages[side]);
    exchange.messages[side] += 1;
    const frame = webSocketFrame(format === 'websocket-text' ? 'text' : 'binary', changed, side === 'request');
    this.#writeSocket(connection, exchange, side, frame);
  }

  #writeSocket(connection: OpenConnection, exchange: OpenExchange, side: Side, frame: Buffer): void {
    const bytes = connection.protocol === 'http/2' ? dataFrames(exchange.stream, frame) : frame;
    this.#write(connection, this.#dirOf(exchange, side), bytes);
  }

  #trailers(
    connection: OpenConnection,
    exchange: OpenExchange,
    { side, headers }: Extract<EngineEvent, { type: 'TrailersReceived' }>,
  ): void {
    const head = this.#changes.responseHead({ httpVersion: '2', status: null, headers, unknown: [] });
    if (connection.protocol !== 'http/2') {
      connection.http1.trailers(side, head.headers);
      return;
    }
    exchange.isEnded[side] = true;
    this.#endCoding(connection, exchange, side);
    this.#write(connection, this.#dirOf(exchange, side), trailerFrames(exchange.stream, head.headers));
  }

  /** A body without a byte has no coded form either (answers to HEAD, 304). */
  #endCoding(connection: OpenConnection, exchange: OpenExchange, side: Side): void {
    const coder = exchange.bodyBytes[side] > 0 ? exchange.coder[side] : null;
    if (coder !== null) this.#bodyBytes(connection, exchange, side, coder.end());
  }

  /** The mark of a side's end, once. */
  #end(connection: OpenConnection, exchange: OpenExchange, side: Side): void {
    if (exchange.isEnded[side] || !exchange.hasHead[side] || exchange.isWebSocket) return;
    exchange.isEnded[side] = true;
    const isHttp2 = connection.protocol === 'http/2';
    this.#endCoding(connection, exchange, side);
    const bytes = isHttp2 ? dataFrames(exchange.stream, new Uint8Array(), true) : connection.http1.end(side);
    this.#write(connection, this.#dirOf(exchange, side), bytes);
  }

  #ended(
    connection: OpenConnection,
    exchange: OpenExchange,
    { end, resetBy, errorCode, closeCode }: Extract<EngineEvent, { type: 'ExchangeEnded' }>,
  ): void {
    if (exchange.isWebSocket && closeCode !== undefined && closeCode !== 1005)
      this.#writeSocket(connection, exchange, 'response', closeFrame(closeCode, false));
    if (end === 'complete') {
      this.#end(connection, exchange, 'request');
      this.#end(connection, exchange, 'response');
    } else if (end === 'reset' && connection.protocol === 'http/2') {
      this.#write(connection, resetBy ?? 'in', resetFrame(exchange.stream, errorCode ?? 0));
    }
  }

  #write(connection: OpenConnection, dir: Dir, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES)
      this.#chunk(connection, dir, bytes.subarray(at, at + MAX_CHUNK_BYTES));
  }

  #chunk(connection: OpenConnection, dir: Dir, bytes: Uint8Array): void {
    const { key, offset } = connection;
    const at = { tsNs: this.#tsNs, tid: 0, hook: 0 };
    this.#emit({
      kind: 'data',
      ...key,
      ...at,
      dir,
      offset: offset[dir],
      callBytes: bytes.length,
      callEnd: true,
      bytes,
    });
    offset[dir] += bytes.length;
  }
}
