// Sample sessions for the laws, at least one per row of PROTOCOLS: what both sides of a connection say, in order. In each,
// exchange N asks for /N and is answered with the text `answer N`, so that a wrong pairing shows.

import { gzipSync } from 'node:zlib';
import type { Dir } from '../../src/model/index.ts';
import { bytesOf } from '../kit/records.ts';
import { compressor, frame as webSocketFrame } from '../kit/websocket.ts';
import {
  ascii,
  concat,
  data,
  headers,
  indexed,
  literal,
  PREFACE,
  SETTINGS_ACK,
  settings,
} from '../protocols/http2/kit.ts';

export interface Part {
  readonly dir: Dir;
  readonly bytes: Uint8Array;
}

export interface Session {
  readonly name: string;
  /** Row of PROTOCOLS that carries it. */
  readonly protocol: string;
  readonly parts: readonly Part[];
  /** A whole further exchange, number 99, as it would follow. Absent where a new connection would be needed. */
  readonly next?: readonly Part[];
}

const out = (data: string | Uint8Array): Part => ({ dir: 'out', bytes: bytesOf(data) });
const received = (data: string | Uint8Array): Part => ({ dir: 'in', bytes: bytesOf(data) });

const request = (n: number, body = ''): string =>
  body === ''
    ? `GET /${n} HTTP/1.1\r\nHost: h\r\n\r\n`
    : `POST /${n} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const answer = (n: number): string => `HTTP/1.1 200 OK\r\nContent-Length: ${`answer ${n}`.length}\r\n\r\nanswer ${n}`;
const chunked = (n: number): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;ext=1\r\nansw\r\n${(`er ${n}`.length).toString(16)}\r\ner ${n}\r\n0\r\nX-T: 1\r\n\r\n`;

const zipped = gzipSync(`data: answer 4\n\ndata: more ü\n\n: ping\n\ndata: [DONE]\n\n`);
const sse = concat(
  ascii(
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`,
  ),
  Uint8Array.from(zipped),
);

const http1: Session = {
  name: 'HTTP/1 keep-alive',
  protocol: 'http/1',
  parts: [
    out(request(1)),
    received(answer(1)),
    out(request(2, 'x'.repeat(300))),
    received('HTTP/1.1 100 Continue\r\n\r\n'),
    received(chunked(2)),
    out(request(3)),
    received(answer(3)),
    out(request(4)),
    received(sse),
  ],
  next: [out(request(99)), received(answer(99))],
};

const pipelined: Session = {
  name: 'HTTP/1 pipelined',
  protocol: 'http/1',
  parts: [
    out(request(1) + request(2, 'body two') + request(3)),
    received(answer(1) + chunked(2)),
    out(request(4)),
    received(answer(3) + answer(4)),
  ],
};

const h2Request = (stream: number, n: number): Uint8Array =>
  headers(stream, concat(indexed(2, 7), literal(':path', `/${n}`), literal(':authority', 'h')), 0x5);
const h2Answer = (stream: number, n: number): Uint8Array =>
  concat(headers(stream, indexed(8)), data(stream, `answer `), data(stream, `${n}`, 1));

const http2: Session = {
  name: 'HTTP/2 interleaved',
  protocol: 'http/2',
  parts: [
    out(concat(PREFACE, settings([3, 100]))),
    received(concat(settings(), SETTINGS_ACK)),
    out(concat(SETTINGS_ACK, h2Request(1, 1), h2Request(3, 2))),
    received(
      concat(
        headers(3, indexed(8)),
        headers(1, indexed(8)),
        data(3, 'answer '),
        data(1, 'answer '),
        data(3, '2', 1),
        data(1, '1', 1),
      ),
    ),
    out(h2Request(5, 3)),
    received(h2Answer(5, 3)),
    out(h2Request(7, 4)),
    received(h2Answer(7, 4)),
  ],
  next: [out(h2Request(9, 99)), received(h2Answer(9, 99))],
};

const deflate = compressor(true);
const webSocket: Session = {
  name: 'WebSocket',
  protocol: 'websocket',
  parts: [
    out('GET /1 HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n'),
    received(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n',
    ),
    out(webSocketFrame(1, 'question', { mask: true })),
    received(webSocketFrame(1, deflate('answer 1'), { rsv1: true })),
    received(concat(webSocketFrame(1, 'ans', { fin: false }), webSocketFrame(9, ''), webSocketFrame(0, 'wer 1'))),
    received(webSocketFrame(1, deflate('answer 1 again'), { rsv1: true })),
    out(webSocketFrame(8, Uint8Array.of(3, 232), { mask: true })),
    received(webSocketFrame(8, Uint8Array.of(3, 232))),
  ],
};

export const SESSIONS: readonly Session[] = [http1, pipelined, http2, webSocket];
