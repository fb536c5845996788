// One TLS connection of one process: checks that no byte is missing (offsets), finds the protocol, feeds its parser,
// stacks what an upgrade brings, and closes everything in order. Time comes from records only.
//
// Invariant: bytes reach a parser in the order of their offsets; where some are missing the parser is told how many, in
// that place. Nothing is ever spliced.

import type {
  CloseRecord,
  ConnectionId,
  ConnectionKey,
  ConnectionProtocol,
  DataRecord,
  Dir,
  EndReason,
  FactsRecord,
  PeerRecord,
  ProgressRecord,
  RequestHead,
  ResponseHead,
} from '../model/index.ts';
import { headerValue, negotiatedOf } from '../model/index.ts';
import {
  type Detection,
  http2,
  openWebSocket,
  type Protocol,
  type ProtocolParser,
  type ProtoEvent,
} from '../protocols/index.ts';
import { Detector, type HeldPart } from './detector.ts';
import { Exchanges } from './exchanges.ts';
import type { EngineOutput } from './output.ts';

const DIRS = ['out', 'in'] as const;

type Upgrade = Extract<ProtoEvent, { type: 'upgrade' }>;

export class Connection {
  readonly #output: EngineOutput;
  readonly #onOpaque: (key: ConnectionKey) => void;
  readonly id: ConnectionId;
  readonly key: ConnectionKey;
  lastTsNs: bigint;
  readonly #exchanges: Exchanges;
  /** Next offset expected per direction, which is also how many bytes it had, and how many of those were lost. */
  readonly #offset: Record<Dir, number> = { out: 0, in: 0 };
  readonly #lost: Record<Dir, number> = { out: 0, in: 0 };
  #detector: Detector | undefined;
  #parser: ProtocolParser | undefined;
  #protocol: ConnectionProtocol | undefined;
  /** Name announced to the user once the parser proves itself (HTTP/1 chosen only because nothing else fits). */
  #unannounced: { protocol: ConnectionProtocol; joinedLate: boolean } | undefined;
  /** Stream of the exchange that took the whole connection over. */
  #webSocketStream = 0;
  #isOpaque = false;
  #isGrpc = false;
  /** Lost bytes of the gap being reported that no exchange has been charged with yet. */
  #uncharged = 0;

  constructor(
    output: EngineOutput,
    id: ConnectionId,
    key: ConnectionKey,
    tsNs: bigint,
    onOpaque: (key: ConnectionKey) => void,
  ) {
    this.#output = output;
    this.#onOpaque = onOpaque;
    this.id = id;
    this.key = { pid: key.pid, startNs: key.startNs, ssl: key.ssl, generation: key.generation };
    this.lastTsNs = tsNs;
    this.#exchanges = new Exchanges(output, id);
    output.emit({ type: 'ConnectionOpened', tsNs, connection: id, key: this.key });
  }

  /** The server name is set before the handshake: a connection that begins with it is seen from its first byte. */
  sni(host: string, tsNs: bigint): void {
    const isFirst = this.#offset.out === 0 && this.#offset.in === 0;
    if (isFirst && this.#parser === undefined && !this.#isOpaque) this.#detector ??= new Detector(true);
    this.#output.emit({ type: 'ConnectionIdentified', tsNs, connection: this.id, sni: host });
  }

  peer({ tsNs, local, remote, evidence }: PeerRecord): void {
    const base = { type: 'ConnectionIdentified', tsNs, connection: this.id } as const;
    this.#output.emit({ ...base, local, remote, peerEvidence: evidence });
  }

  /** What makes no sense is not told. */
  facts(record: FactsRecord): void {
    const found = negotiatedOf(record);
    if (found === undefined) return;
    this.#output.emit({
      type: 'ConnectionIdentified',
      tsNs: record.tsNs,
      connection: this.id,
      tlsVersion: found.version,
      tlsCipher: found.cipher,
      ...(found.alpn !== undefined && { alpn: found.alpn }),
      tlsEvidence: record.evidence,
    });
  }

  /** Offsets already reached when the connection is met again after it had been let go. */
  resume(offsets: Readonly<Record<Dir, number>>): void {
    for (const dir of DIRS) this.#offset[dir] = offsets[dir];
  }

  get offsets(): Readonly<Record<Dir, number>> {
    return this.#offset;
  }

  data(record: DataRecord): void {
    const { dir, tsNs } = record;
    this.lastTsNs = tsNs;
    const expected = this.#offset[dir];
    if (record.offset > expected) this.#gap(dir, record.offset - expected, tsNs);
    const known = this.#offset[dir] - record.offset;
    if (known > 0) this.#overlap(record, known);
    const fresh = known > 0 ? record.bytes.subarray(known) : record.bytes;
    this.#offset[dir] += fresh.length;
    if (fresh.length > 0 && !this.#isOpaque) this.#bytes(dir, fresh, tsNs);
  }

  /** Offsets reached: more than was seen means that the tail was lost. */
  reached(record: ProgressRecord | CloseRecord): void {
    this.#reached('out', record.outBytes, record.tsNs);
    this.#reached('in', record.inBytes, record.tsNs);
  }

  close(why: EndReason, tsNs: bigint): void {
    this.#decideAtEnd(tsNs);
    for (const dir of DIRS) this.#parser?.end(dir, why, tsNs);
    this.#exchanges.endAll(why === 'capture-end' ? 'open' : 'cut', tsNs);
    this.#output.emit({
      type: 'ConnectionClosed',
      tsNs,
      connection: this.id,
      outBytes: this.#offset.out,
      inBytes: this.#offset.in,
      lostOutBytes: this.#lost.out,
      lostInBytes: this.#lost.in,
      why,
    });
  }

  #reached(dir: Dir, offset: number, tsNs: bigint): void {
    if (offset > this.#offset[dir]) this.#gap(dir, offset - this.#offset[dir], tsNs);
  }

  #overlap(record: DataRecord, known: number): void {
    const detail = `offset ${record.offset}: ${Math.min(known, record.bytes.length)} bytes had been seen`;
    const { tsNs, dir } = record;
    this.#output.emit({ type: 'WireErrorSeen', tsNs, connection: this.id, dir, code: 'capture.overlap', detail });
  }

  #gap(dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.#offset[dir] += lostBytes;
    // The kernel side was told to copy no more of an opaque connection: that is no loss.
    if (this.#isOpaque) return;
    this.#lost[dir] += lostBytes;
    if (this.#parser === undefined) this.#detecting().gap(dir, lostBytes, tsNs);
    else this.#feedGap(this.#parser, dir, lostBytes, tsNs);
  }

  /** Each lost byte is reported once: with the exchange whose body it belongs to, or without one. */
  #feedGap(parser: ProtocolParser, dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.#uncharged = lostBytes;
    parser.gap(dir, lostBytes, tsNs);
    if (this.#uncharged > 0) this.#gapSeen(dir, this.#uncharged, tsNs);
    this.#uncharged = 0;
  }

  #gapSeen(dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.#output.emit({ type: 'GapSeen', tsNs, connection: this.id, dir, lostBytes });
  }

  #chargeGap(event: Extract<ProtoEvent, { type: 'body-gap' }>, tsNs: bigint): void {
    const charged = Math.min(event.lostBytes, this.#uncharged);
    const exchange = this.#exchanges.get(event.stream);
    if (charged === 0 || exchange === undefined) return;
    this.#uncharged -= charged;
    const { id } = exchange;
    const dir = exchange.dirOf(event.side);
    this.#output.emit({ type: 'GapSeen', tsNs, connection: this.id, dir, lostBytes: charged, id, side: event.side });
  }

  #detecting(): Detector {
    this.#detector ??= new Detector(false);
    return this.#detector;
  }

  #bytes(dir: Dir, bytes: Uint8Array, tsNs: bigint): void {
    if (this.#parser !== undefined) this.#feed(this.#parser, dir, bytes, tsNs);
    else this.#decide(this.#detecting().add(dir, bytes, tsNs), tsNs);
  }

  #feed(parser: ProtocolParser, dir: Dir, bytes: Uint8Array, tsNs: bigint): void {
    // A whole connection that speaks WebSocket is one exchange: its frames are that exchange's wire bytes.
    if (this.#protocol === 'websocket') this.#webSocketExchange(dir)?.count(bytes.length, 0);
    parser.data(dir, bytes, tsNs);
  }

  #webSocketExchange(dir: Dir): { count(wireBytes: number, decodedBytes: number): void } | undefined {
    const exchange = this.#exchanges.get(this.#webSocketStream);
    return exchange?.requestDir === dir ? exchange.request : exchange?.response;
  }

  #decide(detection: Detection, tsNs: bigint): void {
    const detector = this.#detecting();
    if (detection.kind === 'more') return;
    if (detection.kind === 'opaque') {
      this.#becomeOpaque(detection.detail, tsNs);
      return;
    }
    this.#open(detection.protocol, detector, tsNs);
  }

  #open(protocol: Protocol, detector: Detector, tsNs: bigint): void {
    const isWhole = detector.isFromStart;
    this.#detector = undefined;
    this.#protocol = protocol.name;
    this.#unannounced = { protocol: protocol.name, joinedLate: !isWhole };
    if (isWhole || protocol.name !== 'http/1') this.#announce(tsNs);
    const emit = (event: ProtoEvent, atNs: bigint): void => this.#event(event, atNs);
    this.#parser = protocol.open({ emit, outWhole: isWhole, inWhole: isWhole });
    this.#replay(detector.take());
  }

  /** The parser may change on the way: an upgrade can lie in what was held. */
  #replay(parts: readonly HeldPart[]): void {
    for (const part of parts) {
      if (this.#isOpaque) {
        if ('lostBytes' in part) this.#gapSeen(part.dir, part.lostBytes, part.tsNs);
      } else if (this.#parser === undefined) {
        if ('lostBytes' in part) this.#detecting().gap(part.dir, part.lostBytes, part.tsNs);
        else this.#bytes(part.dir, part.bytes, part.tsNs);
      } else if ('lostBytes' in part) this.#feedGap(this.#parser, part.dir, part.lostBytes, part.tsNs);
      else this.#feed(this.#parser, part.dir, part.bytes, part.tsNs);
    }
  }

  #announce(tsNs: bigint): void {
    const known = this.#unannounced;
    this.#unannounced = undefined;
    if (known === undefined) return;
    const late = known.joinedLate ? { joinedLate: true } : {};
    this.#output.emit({ type: 'ConnectionIdentified', tsNs, connection: this.id, protocol: known.protocol, ...late });
  }

  #event(event: ProtoEvent, tsNs: bigint): void {
    switch (event.type) {
      case 'give-up':
        this.#becomeOpaque('unknown', tsNs);
        break;
      case 'wire-error':
        this.#wireError(event, tsNs);
        break;
      case 'upgrade':
        this.#upgrade(event, tsNs);
        break;
      default:
        if (this.#unannounced !== undefined) this.#announce(tsNs);
        if (event.type === 'body-gap') this.#chargeGap(event, tsNs);
        if (event.type === 'request-head' || event.type === 'response-head') this.#lookForGrpc(event.head, tsNs);
        this.#exchanges.accept(event, tsNs);
    }
  }

  /** gRPC is HTTP/2 with a content type of its own, of request and response (grpc.io, PROTOCOL-HTTP2); joined late, either may tell. */
  #lookForGrpc({ headers }: RequestHead | ResponseHead, tsNs: bigint): void {
    if (this.#isGrpc || this.#protocol !== 'http/2') return;
    if (!/^application\/grpc(?:[+;]|$)/.test(headerValue(headers, 'content-type') ?? '')) return;
    this.#isGrpc = true;
    const base = { type: 'ConnectionIdentified', tsNs, connection: this.id } as const;
    this.#output.emit({ ...base, protocol: 'http/2', detail: 'grpc' });
  }

  #wireError(event: Extract<ProtoEvent, { type: 'wire-error' }>, tsNs: bigint): void {
    const { dir, code, detail, spec } = event;
    const id = event.stream === undefined ? undefined : this.#exchanges.get(event.stream)?.id;
    const base = { type: 'WireErrorSeen', tsNs, connection: this.id, dir, code, detail } as const;
    this.#output.emit({ ...base, ...(id === undefined ? {} : { id }), ...(spec === undefined ? {} : { spec }) });
  }

  #upgrade(event: Upgrade, tsNs: bigint): void {
    if (this.#protocol === 'http/2') {
      if (event.to === 'websocket')
        this.#exchanges.openWebSocket(event.stream, (error, atNs) => this.#wireError(error, atNs));
    } else if (event.to === 'websocket') this.#becomeWebSocket(event, tsNs);
    else if (event.to === 'h2c') this.#becomeHttp2(event, tsNs);
    else this.#startOver(event, tsNs);
  }

  #becomeWebSocket(event: Upgrade, tsNs: bigint): void {
    const exchange = this.#exchanges.get(event.stream);
    if (exchange === undefined) return;
    exchange.request.reopen();
    this.#protocol = 'websocket';
    this.#webSocketStream = event.stream;
    this.#output.emit({ type: 'ConnectionIdentified', tsNs, connection: this.id, protocol: 'websocket' });
    const options = { client: exchange.requestDir, stream: event.stream, extensions: exchange.extensions };
    const emit = (inner: ProtoEvent, atNs: bigint): void => this.#event(inner, atNs);
    const parser = openWebSocket({ emit, outWhole: true, inWhole: true }, options);
    this.#parser = parser;
    for (const dir of DIRS) if (event.leftOver[dir].length > 0) this.#feed(parser, dir, event.leftOver[dir], tsNs);
  }

  /** RFC 7540 §3.2: the request goes on as stream 1 of the HTTP/2 connection. */
  #becomeHttp2(event: Upgrade, tsNs: bigint): void {
    const upgradedBy = this.#exchanges.get(event.stream)?.requestDir ?? 'out';
    this.#exchanges.hand(event.stream, 1, tsNs);
    this.#protocol = http2.name;
    this.#output.emit({ type: 'ConnectionIdentified', tsNs, connection: this.id, protocol: http2.name });
    const emit = (inner: ProtoEvent, atNs: bigint): void => this.#event(inner, atNs);
    const parser = http2.open({ emit, outWhole: true, inWhole: true, upgradedBy });
    this.#parser = parser;
    for (const dir of DIRS) if (event.leftOver[dir].length > 0) this.#feed(parser, dir, event.leftOver[dir], tsNs);
  }

  /** CONNECT and other switches: what follows is a connection of its own, detected from its first byte. */
  #startOver(event: Upgrade, tsNs: bigint): void {
    this.#exchanges.endAll('complete', tsNs);
    this.#parser = undefined;
    this.#detector = new Detector(true);
    for (const dir of DIRS) if (event.leftOver[dir].length > 0) this.#bytes(dir, event.leftOver[dir], tsNs);
  }

  #becomeOpaque(detail: string, tsNs: bigint): void {
    const held = this.#detector?.take() ?? [];
    this.#detector = undefined;
    this.#parser = undefined;
    this.#unannounced = undefined;
    this.#isOpaque = true;
    this.#exchanges.endAll('lost', tsNs);
    this.#output.emit({ type: 'ConnectionIdentified', tsNs, connection: this.id, protocol: 'opaque', detail });
    this.#replay(held);
    this.#onOpaque(this.key);
  }

  /** A connection that ends before its protocol was known: one last look; else its bytes are counted, holes reported. */
  #decideAtEnd(tsNs: bigint): void {
    const detector = this.#detector;
    if (detector === undefined) return;
    const detection = detector.look();
    if (detection.kind === 'protocol') {
      this.#open(detection.protocol, detector, tsNs);
      return;
    }
    this.#detector = undefined;
    const held = detector.take();
    if (held.length === 0) return;
    this.#isOpaque = true;
    const protocol = 'opaque';
    this.#output.emit({ type: 'ConnectionIdentified', tsNs, connection: this.id, protocol, detail: 'unknown' });
    this.#replay(held);
  }
}
