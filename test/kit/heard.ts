// What a connection said, as two independent decoders can both tell it: exchanges in the order of their requests with heads,
// informational heads, trailers and hashes of the decoded bodies. Here also the engine's own account in that form.
import { createHash } from 'node:crypto';
import type { Dir, EngineEvent, HeaderField, RequestHead, ResponseHead, Side } from '../../src/model/index.ts';
import type { Segment } from './pcap.ts';
import { runEngine, Script } from './records.ts';

export interface HeardHead {
  /** `GET https 127.0.0.1 /path` or the status. */
  readonly start: string;
  /** Without pseudo-fields, names in lower case. */
  readonly fields: readonly HeaderField[];
}

export interface HeardSide {
  readonly head: HeardHead | null;
  readonly trailers: readonly HeaderField[];
  readonly bodyBytes: number;
  readonly bodySha256: string;
}

/** A WebSocket message, whole and unpacked. */
export interface HeardMessage {
  readonly side: Side;
  readonly isText: boolean;
  readonly bytes: number;
  readonly sha256: string;
}

export const heardMessage = (side: Side, isText: boolean, content: Uint8Array): HeardMessage => ({
  side,
  isText,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

export interface HeardExchange {
  readonly request: HeardSide;
  readonly informational: readonly HeardHead[];
  readonly response: HeardSide;
}

export class SideBuilder {
  head: HeardHead | null = null;
  trailers: readonly HeaderField[] = [];
  readonly #parts: Uint8Array[] = [];

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
  }

  done(decode: (bytes: Buffer) => Buffer = (bytes) => bytes): HeardSide {
    const body = decode(Buffer.concat(this.#parts));
    const bodySha256 = createHash('sha256').update(body).digest('hex');
    return { head: this.head, trailers: this.trailers, bodyBytes: body.length, bodySha256 };
  }
}

export class ExchangeBuilder {
  readonly request = new SideBuilder();
  readonly response = new SideBuilder();
  readonly informational: HeardHead[] = [];
  /** The engine said: complete, nothing lost, no field unknown. */
  claimsWhole = false;
  hasUnknown = false;
}

const requestStart = ({ method, scheme, authority, path }: RequestHead): string =>
  [method, scheme, authority, path].join(' ');

/** The same connection through the engine, each segment as one record. */
export const hearEngine = (segments: readonly Segment[]): HeardExchange[] => hearSteps(segments);

/** WebSocket messages of a connection, in the order in which they ended. */
export const hearMessages = (segments: readonly Segment[]): HeardMessage[] =>
  eventsOf(segments).flatMap((event) =>
    event.type === 'MessageReceived' && event.format !== 'sse'
      ? [heardMessage(event.side, event.format === 'websocket-text', event.bytes ?? Buffer.from(event.data))]
      : [],
  );

export type HeardStep = Segment | { readonly dir: Dir; readonly lostBytes: number };

/** The same with holes. */
export function hearSteps(steps: readonly HeardStep[]): HeardExchange[] {
  return [...hearEvents(steps).values()].map(done);
}

/** Of these, the ones that the engine says are complete, with nothing lost and nothing unknown. */
export function hearWhole(steps: readonly HeardStep[]): HeardExchange[] {
  return [...hearEvents(steps).values()].filter(({ claimsWhole }) => claimsWhole).map(done);
}

const done = ({ request, informational, response }: ExchangeBuilder): HeardExchange => ({
  request: request.done(),
  informational,
  response: response.done(),
});

function eventsOf(steps: readonly HeardStep[]): readonly EngineEvent[] {
  const script = new Script();
  const connection = script.connection();
  for (const step of steps) {
    if ('bytes' in step) connection.data(step.dir, step.bytes);
    else connection.lose(step.dir, step.lostBytes);
  }
  connection.close();
  return runEngine(script.records);
}

function hearEvents(steps: readonly HeardStep[]): Map<number, ExchangeBuilder> {
  const exchanges = new Map<number, ExchangeBuilder>();
  for (const event of eventsOf(steps)) hear(exchanges, event);
  return exchanges;
}

function hear(exchanges: Map<number, ExchangeBuilder>, event: EngineEvent): void {
  if (event.type === 'ExchangeStarted') exchanges.set(event.id.exchange, new ExchangeBuilder());
  if (!('id' in event) || event.id === undefined) return;
  const exchange = exchanges.get(event.id.exchange);
  if (exchange === undefined) return;
  if (event.type === 'HeadReceived') {
    exchange[event.side].head = headOf(event.side, event.head);
    exchange.hasUnknown ||= event.head.unknown.length > 0;
  } else if (event.type === 'ExchangeEnded') {
    const lostBytes = event.request.lostBytes + event.response.lostBytes;
    exchange.claimsWhole = event.end === 'complete' && lostBytes === 0 && !exchange.hasUnknown && isKnown(exchange);
  } else if (event.type === 'InformationalReceived') exchange.informational.push(headOf('response', event.head));
  else if (event.type === 'TrailersReceived') exchange[event.side].trailers = event.headers;
  else if (event.type === 'BodyReceived') exchange[event.side].add(event.bytes);
}

/** Both heads are there: an unknown one has no start. */
const isKnown = ({ request, response }: ExchangeBuilder): boolean =>
  response.head !== null &&
  response.head.start !== 'null' &&
  request.head !== null &&
  !request.head.start.startsWith(' ');

const headOf = (side: Side, head: RequestHead | ResponseHead): HeardHead => ({
  start: side === 'request' ? requestStart(head as RequestHead) : String((head as ResponseHead).status),
  fields: head.headers,
});
