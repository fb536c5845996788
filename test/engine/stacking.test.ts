import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyText, ofType, runEngine, Script } from '../kit/records.ts';
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

const UPGRADE = 'GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n';

describe('stacking', () => {
  it('reads a WebSocket behind a 101, with frames in the same record', () => {
    const script = new Script();
    const deflate = compressor(true);
    const question = webSocketFrame(1, '{"type":"response.create"}', { mask: true });
    script
      .connection()
      .out(UPGRADE)
      .in(concat(ascii(SWITCH), webSocketFrame(1, deflate('{"n":1}'), { rsv1: true })))
      .out(question)
      .in(webSocketFrame(1, deflate('{"n":2}'), { rsv1: true }))
      .in(webSocketFrame(8, Uint8Array.of(3, 0xe9)))
      .out(webSocketFrame(8, Uint8Array.of(3, 0xe9), { mask: true }))
      .close();
    const events = runEngine(script.records);
    expect(ofType(events, 'MessageReceived').map(({ side, format, data: text }) => [side, format, text])).toEqual([
      ['response', 'websocket-text', '{"n":1}'],
      ['request', 'websocket-text', '{"type":"response.create"}'],
      ['response', 'websocket-text', '{"n":2}'],
    ]);
    expect(ofType(events, 'BodyReceived')).toEqual([]);
    expect(ofType(events, 'ConnectionIdentified').map(({ protocol }) => protocol)).toEqual(['http/1', 'websocket']);
    expect(ofType(events, 'ExchangeEnded')).toMatchObject([
      {
        end: 'complete',
        closeCode: 1001,
        request: { bytes: question.length + 8, decodedBytes: 26 },
        response: { decodedBytes: 14 },
      },
    ]);
  });

  it('reads a WebSocket over an HTTP/2 extended CONNECT', () => {
    const script = new Script();
    const connect = concat(
      literal(':method', 'CONNECT'),
      literal(':protocol', 'websocket'),
      indexed(7),
      literal(':path', '/ws'),
      literal(':authority', 'h'),
    );
    const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
    script
      .connection()
      .out(concat(PREFACE, settings()))
      .in(concat(settings([8, 1]), SETTINGS_ACK))
      .out(headers(1, connect))
      .in(headers(1, indexed(8)))
      .out(data(1, latin(webSocketFrame(1, 'to the server', { mask: true }))))
      .in(data(1, latin(webSocketFrame(1, 'to the client'))));
    const events = runEngine(script.records);
    expect(ofType(events, 'MessageReceived').map(({ side, data: text }) => [side, text])).toEqual([
      ['request', 'to the server'],
      ['response', 'to the client'],
    ]);
    expect(ofType(events, 'BodyReceived')).toEqual([]);
  });

  it('labels a connection that carries gRPC, once', () => {
    const script = new Script();
    const call = concat(indexed(3, 7), literal(':path', '/s.S/M'), literal('content-type', 'application/grpc+proto'));
    script
      .connection()
      .out(concat(PREFACE, settings(), headers(1, call), headers(3, call)))
      .in(settings());
    const labels = ofType(runEngine(script.records), 'ConnectionIdentified');
    expect(labels.map(({ protocol, detail }) => [protocol, detail])).toEqual([
      ['http/2', undefined],
      ['http/2', 'grpc'],
    ]);
  });

  it('labels a joined connection as gRPC where only the answer names the content type', () => {
    const script = new Script();
    // `:path` in full, the content type a reference to what was sent before joining.
    const call = concat(indexed(3, 7), literal(':path', '/s.S/M'), indexed(62));
    const answer = concat(indexed(8), literal('content-type', 'application/grpc'));
    script.connection().out(headers(5, call)).in(headers(5, answer));
    const labels = ofType(runEngine(script.records), 'ConnectionIdentified');
    expect(labels.at(-1)).toMatchObject({ protocol: 'http/2', detail: 'grpc' });
  });

  it('detects what a CONNECT tunnel carries and numbers its exchanges on', () => {
    const script = new Script();
    script
      .connection()
      .out('CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n')
      .in('HTTP/1.1 200 Connection established\r\n\r\n')
      .out('GET /inside HTTP/1.1\r\nHost: h\r\n\r\n')
      .in('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ninside');
    const events = runEngine(script.records);
    expect(ofType(events, 'ExchangeEnded').map(({ id, end }) => [id.exchange, end])).toEqual([
      [1, 'complete'],
      [2, 'complete'],
    ]);
    expect(bodyText(events, 'response', 2)).toBe('inside');
  });

  it('emits the decoded body of an SSE response before its messages', () => {
    const script = new Script();
    script
      .connection()
      .out('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
      .in(
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 26\r\n\r\nid: 9\nretry: 5\ndata: hi\n\n\n',
      );
    const events = runEngine(script.records);
    const story = events.filter(({ type }) => type === 'BodyReceived' || type === 'MessageReceived');
    expect(story.map(({ type }) => type)).toEqual(['BodyReceived', 'MessageReceived']);
    expect(story[1]).toMatchObject({ format: 'sse', data: 'hi', lastEventId: '9', retryMs: 5 });
  });

  it('says that the rest of a gzip body behind a hole cannot be decoded, and keeps its sizes exact', () => {
    const script = new Script();
    const coded = gzipSync('x'.repeat(20) + Math.PI.toString().repeat(40));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${coded.length}\r\n\r\n`;
    script
      .connection()
      .out('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
      .in(Buffer.concat([Buffer.from(head), coded.subarray(0, 20)]))
      .lose('in', 5)
      .in(coded.subarray(25));
    const events = runEngine(script.records);
    expect(ofType(events, 'WireErrorSeen').map(({ code }) => code)).toEqual(['body.hole']);
    expect(ofType(events, 'ExchangeEnded')[0]).toMatchObject({
      end: 'complete',
      response: { bytes: coded.length, lostBytes: 5, coding: 'gzip' },
    });
  });

  it('reports a bomb once and goes on with the connection', () => {
    const script = new Script();
    const bomb = gzipSync(Buffer.alloc(40_000_000));
    script
      .connection()
      .out('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
      .in(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
          bomb,
        ]),
      )
      .out('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
      .in('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nafter');
    const events = runEngine(script.records);
    expect(ofType(events, 'WireErrorSeen').map(({ code }) => code)).toEqual(['body.bomb']);
    expect(bodyText(events, 'response', 2)).toBe('after');
  });

  it('stops a bomb that comes in many small bodies, and reads a plain one behind them', () => {
    const script = new Script();
    const small = gzipSync(Buffer.alloc(16 << 20), { level: 9 });
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${small.length}\r\n\r\n`;
    const connection = script.connection();
    for (let count = 0; count < 10; count++)
      connection.out('GET / HTTP/1.1\r\nHost: h\r\n\r\n').in(Buffer.concat([Buffer.from(head), small]));
    connection.out('GET / HTTP/1.1\r\nHost: h\r\n\r\n').in('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nafter');
    const events = runEngine(script.records);
    expect(ofType(events, 'WireErrorSeen').map(({ code, id }) => [code, id?.exchange])).toEqual([
      ['body.bomb', 9],
      ['body.bomb', 10],
    ]);
    expect(bodyText(events, 'response', 11)).toBe('after');
  });
});
