// Helpers for the HTTP/2 tests: frames and header blocks as bytes, recordings of real connections, events as exchanges.

import { createHash } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import type { Dir, HeaderField, RequestHead, ResponseHead, Side, UnknownField } from '../../../src/model/index.ts';
import { http2 } from '../../../src/protocols/http2/index.ts';
import type { ProtoEvent } from '../../../src/protocols/protocol.ts';

export interface Segment {
  readonly dir: Dir;
  readonly bytes: Uint8Array;
}

export const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replace(/\s+/g, ''), 'hex'));
export const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
export const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

export const PREFACE = ascii('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** One frame. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return concat(head, payload);
}

export const data = (stream: number, text: string, flags = 0): Uint8Array => frame(0, flags, stream, ascii(text));
export const headers = (stream: number, block: Uint8Array, flags = 0x4): Uint8Array => frame(1, flags, stream, block);
export const settings = (...pairs: readonly [id: number, value: number][]): Uint8Array => {
  const payload = Buffer.alloc(pairs.length * 6);
  pairs.forEach(([id, value], at) => {
    payload.writeUInt16BE(id, at * 6);
    payload.writeUInt32BE(value, at * 6 + 2);
  });
  return frame(4, 0, 0, payload);
};
export const SETTINGS_ACK = frame(4, 1, 0);

const shortString = (text: string): Uint8Array => concat(Uint8Array.of(text.length), ascii(text));
/** Literal field, not indexed (RFC 7541 §6.2.2), plain strings shorter than 127. */
export const literal = (name: string, value: string): Uint8Array =>
  concat(Uint8Array.of(0), shortString(name), shortString(value));
/** Literal field that is inserted into the table (§6.2.1). */
export const inserted = (name: string, value: string): Uint8Array =>
  concat(Uint8Array.of(0x40), shortString(name), shortString(value));
/** Literal with an indexed name, inserted. */
export const insertedAt = (index: number, value: string): Uint8Array =>
  concat(Uint8Array.from(index < 63 ? [0x40 | index] : [0x7f, index - 63]), shortString(value));
/** Indexed field (§6.1), index below 127. */
export const indexed = (...indices: readonly number[]): Uint8Array => Uint8Array.from(indices, (index) => 0x80 | index);

/** `GET https://a/` with the static table and one literal. */
export const GET = concat(indexed(2, 7, 4), literal(':authority', 'a'));
export const OK = indexed(8);

export interface RunOptions {
  readonly outWhole?: boolean;
  readonly inWhole?: boolean;
}

type Step = Segment | { readonly dir: Dir; readonly lostBytes: number };

/** All events of one connection; body bytes are copied, neighbours of one side merged. */
export function run(steps: readonly Step[], { outWhole = true, inWhole = true }: RunOptions = {}): ProtoEvent[] {
  const events: ProtoEvent[] = [];
  const parser = http2.open({ outWhole, inWhole, emit: (event) => keep(events, event) });
  for (const step of steps) {
    if ('bytes' in step) parser.data(step.dir, step.bytes, 0n);
    else parser.gap(step.dir, step.lostBytes, 0n);
  }
  parser.end('out', 'closed', 0n);
  parser.end('in', 'closed', 0n);
  return events.map((event) => (event.type === 'body' ? { ...event, bytes: joinParts(event.bytes) } : event));
}

/** Body parts are kept as a list in `parts` until the end, so that large bodies are joined once. */
const partsOf = new WeakMap<Uint8Array, Uint8Array[]>();
const joinParts = (bytes: Uint8Array): Uint8Array => {
  const parts = partsOf.get(bytes);
  return parts === undefined || parts.length === 1 ? bytes : concat(...parts);
};

function keep(events: ProtoEvent[], event: ProtoEvent): void {
  if (event.type !== 'body') {
    events.push(event);
    return;
  }
  const last = events.at(-1);
  const copy = Uint8Array.from(event.bytes);
  if (last?.type === 'body' && last.stream === event.stream && last.side === event.side) {
    partsOf.get(last.bytes)?.push(copy);
    return;
  }
  partsOf.set(copy, [copy]);
  events.push({ ...event, bytes: copy });
}

export interface SideSeen {
  head: RequestHead | ResponseHead | undefined;
  joinedLate: boolean;
  body: Buffer;
  lostBytes: number;
  lostAtMost: number;
  trailers: readonly HeaderField[] | undefined;
  ended: boolean;
}

export interface ExchangeSeen {
  readonly stream: number;
  readonly request: SideSeen;
  readonly response: SideSeen;
  readonly informational: ResponseHead[];
  reset: number | undefined;
  lost: boolean;
  upgrade: string | undefined;
}

const newSide = (): SideSeen => ({
  head: undefined,
  joinedLate: false,
  body: Buffer.alloc(0),
  lostBytes: 0,
  lostAtMost: 0,
  trailers: undefined,
  ended: false,
});

/** Events by stream. */
export function fold(events: readonly ProtoEvent[]): Map<number, ExchangeSeen> {
  const seen = new Map<number, ExchangeSeen>();
  const bodies = new Map<SideSeen, Buffer[]>();
  const at = (stream: number): ExchangeSeen => {
    const known = seen.get(stream);
    if (known !== undefined) return known;
    const fresh: ExchangeSeen = {
      stream,
      request: newSide(),
      response: newSide(),
      informational: [],
      reset: undefined,
      lost: false,
      upgrade: undefined,
    };
    seen.set(stream, fresh);
    return fresh;
  };
  const setHead = (side: SideSeen, head: RequestHead | ResponseHead, joinedLate: boolean): void => {
    side.head = head;
    side.joinedLate = joinedLate;
  };
  for (const event of events) {
    switch (event.type) {
      case 'request-head':
        setHead(at(event.stream).request, event.head, event.joinedLate);
        break;
      case 'response-head':
        setHead(at(event.stream).response, event.head, event.joinedLate);
        break;
      case 'informational':
        at(event.stream).informational.push(event.head);
        break;
      case 'body': {
        const side = at(event.stream)[event.side];
        bodies.set(side, [...(bodies.get(side) ?? []), Buffer.from(event.bytes)]);
        break;
      }
      case 'body-gap':
        if (event.atMost) at(event.stream)[event.side].lostAtMost += event.lostBytes;
        else at(event.stream)[event.side].lostBytes += event.lostBytes;
        break;
      case 'trailers':
        at(event.stream)[event.side].trailers = event.headers;
        break;
      case 'side-end':
        at(event.stream)[event.side].ended = true;
        break;
      case 'reset':
        at(event.stream).reset = event.errorCode;
        break;
      case 'lost':
        at(event.stream).lost = true;
        break;
      case 'upgrade':
        at(event.stream).upgrade = event.to;
        break;
    }
  }
  for (const [side, parts] of bodies) side.body = Buffer.concat(parts);
  return seen;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const unknownOf = (side: SideSeen): readonly UnknownField[] => side.head?.unknown ?? [];

export interface Relay {
  readonly port: number;
  /** What passed, in order, per connection. `out` is what the client sent. */
  readonly connections: readonly Segment[][];
  close(): Promise<void>;
}

/** A loopback TCP relay to `targetPort` that records both directions. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const connections: Segment[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const segments: Segment[] = [];
    connections.push(segments);
    const upstream = connect(targetPort, '127.0.0.1');
    pump(client, upstream, 'out', segments);
    pump(upstream, client, 'in', segments);
    sockets.add(client).add(upstream);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(() => done()));
  };
  return { port: address.port, connections, close };
}

function pump(from: Socket, to: Socket, dir: Dir, segments: Segment[]): void {
  from.on('data', (bytes) => {
    segments.push({ dir, bytes: Uint8Array.from(bytes as Buffer) });
    if (!to.write(bytes)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  from.on('end', () => to.end());
  from.on('error', () => to.destroy());
}

export type { Side };
