import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord, ConnectionKey } from '../../src/model/index.ts';
import { bodyText, ofType, runEngine, Script } from '../kit/records.ts';

const GET = 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n';
const OK = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const post = (body: string): string => `POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('engine', () => {
  it('tells the whole story of one exchange in order', () => {
    const script = new Script();
    script.connection().sni('h').out(GET).in(OK('hello')).close();
    const events = runEngine(script.records);
    expect(events.map((event) => event.type)).toEqual([
      'ConnectionOpened',
      'ConnectionIdentified',
      'ConnectionIdentified',
      'ExchangeStarted',
      'HeadReceived',
      'HeadReceived',
      'BodyReceived',
      'ExchangeEnded',
      'ConnectionClosed',
    ]);
    expect(ofType(events, 'ExchangeStarted')[0]).toMatchObject({
      id: { connection: 1, exchange: 1 },
      served: false,
      joinedLate: false,
    });
    expect(ofType(events, 'ExchangeEnded')[0]).toMatchObject({
      end: 'complete',
      request: { bytes: 0, decodedBytes: 0, lostBytes: 0, coding: '' },
      response: { bytes: 5, decodedBytes: 5, lostBytes: 0, coding: '' },
    });
    expect(bodyText(events, 'response')).toBe('hello');
    expect(ofType(events, 'ConnectionIdentified').map(({ protocol, sni }) => protocol ?? sni)).toEqual(['h', 'http/1']);
  });

  it('passes the addresses of a connection on, also when they come before its first byte', () => {
    const key: ConnectionKey = { pid: 1, startNs: 2n, ssl: 3n, generation: 4 };
    const ends = { local: '10.0.0.2:40000', remote: '192.0.2.1:443' };
    const events = runEngine([{ kind: 'peer', tsNs: 9n, ...key, ...ends, evidence: 'inside' }]);
    expect(events.map((event) => event.type).slice(0, 2)).toEqual(['ConnectionOpened', 'ConnectionIdentified']);
    expect(ofType(events, 'ConnectionIdentified')).toEqual([
      { type: 'ConnectionIdentified', tsNs: 9n, connection: 1, ...ends, peerEvidence: 'inside' },
    ]);
  });

  it('passes on what was negotiated, and nothing of what makes no sense', () => {
    const key: ConnectionKey = { pid: 1, startNs: 2n, ssl: 3n, generation: 4 };
    const facts = {
      kind: 'facts',
      tsNs: 9n,
      ...key,
      version: 0x0304,
      cipher: 0x0300_1301,
      evidence: 'getters',
    } as const;
    const told = (record: CaptureRecord) => ofType(runEngine([record]), 'ConnectionIdentified');
    expect(told({ ...facts, alpn: 'h2' })).toEqual([
      {
        type: 'ConnectionIdentified',
        tsNs: 9n,
        connection: 1,
        tlsVersion: '1.3',
        tlsCipher: 'TLS_AES_128_GCM_SHA256',
        alpn: 'h2',
        tlsEvidence: 'getters',
      },
    ]);
    expect(told(facts)[0]).not.toHaveProperty('alpn');
    expect(told({ ...facts, version: 0x0303 })).toEqual([]);
  });

  it('takes its times from the records alone', () => {
    const script = new Script();
    script.connection().out(GET).in(OK('x'));
    const [opened, , , head] = runEngine(script.records);
    expect(opened?.tsNs).toBe(1010n);
    expect(head?.tsNs).toBe(1010n);
  });

  it('marks an exchange that the traced process serves', () => {
    const script = new Script();
    script.connection().in(GET).out(OK('served'));
    expect(ofType(runEngine(script.records), 'ExchangeStarted')[0]?.served).toBe(true);
  });

  it('keeps two interleaved connections apart', () => {
    const script = new Script();
    const a = script.connection({ ssl: 1n });
    const b = script.connection({ ssl: 2n });
    a.out(post('aaaa').slice(0, 30));
    b.out(post('bbbb').slice(0, 41));
    a.out(post('aaaa').slice(30));
    b.out(post('bbbb').slice(41));
    b.in(OK('to b').slice(0, 20));
    a.in(OK('to a'));
    b.in(OK('to b').slice(20));
    const events = runEngine(script.records);
    expect(bodyText(events, 'request', 1, 1)).toBe('aaaa');
    expect(bodyText(events, 'request', 1, 2)).toBe('bbbb');
    expect(bodyText(events, 'response', 1, 1)).toBe('to a');
    expect(bodyText(events, 'response', 1, 2)).toBe('to b');
  });

  it('does not mix a reused address with its former connection', () => {
    const script = new Script();
    script.connection({ generation: 0 }).out(GET).in('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf');
    script.connection({ generation: 1 }).out(GET).in(OK('new'));
    const events = runEngine(script.records);
    expect(ofType(events, 'ExchangeEnded').map(({ id, end }) => [id.connection, end])).toEqual([
      [1, 'cut'],
      [2, 'complete'],
    ]);
    expect(bodyText(events, 'response', 1, 2)).toBe('new');
  });

  it('does not mix a reused pid with its former process', () => {
    const script = new Script();
    script.connection({ startNs: 1n }).out(GET);
    script.connection({ startNs: 2n }).in(OK('orphan'));
    const events = runEngine(script.records);
    expect(ofType(events, 'ExchangeStarted').map(({ id, joinedLate }) => [id.connection, joinedLate])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('charges a hole inside a known body to that body alone', () => {
    const script = new Script();
    const connection = script.connection().out(GET).in('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234');
    connection.lose('in', 10).in('56789').out(GET).in(OK('next')).close();
    const events = runEngine(script.records);
    expect(ofType(events, 'GapSeen')).toMatchObject([
      { lostBytes: 10, dir: 'in', id: { exchange: 1 }, side: 'response' },
    ]);
    expect(ofType(events, 'ExchangeEnded')[0]).toMatchObject({
      end: 'complete',
      response: { bytes: 20, decodedBytes: 10, lostBytes: 10 },
    });
    expect(bodyText(events, 'response', 2)).toBe('next');
    expect(ofType(events, 'ConnectionClosed')[0]).toMatchObject({ lostInBytes: 10, lostOutBytes: 0 });
  });

  it('reports a lost tail when the connection closes, and calls the exchange cut', () => {
    const script = new Script();
    script.connection().out(GET).in('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n01234').lose('in', 100).close();
    const events = runEngine(script.records);
    expect(ofType(events, 'GapSeen')).toMatchObject([{ lostBytes: 100, id: { exchange: 1 } }]);
    expect(ofType(events, 'ExchangeEnded')[0]).toMatchObject({ end: 'cut', response: { bytes: 105, lostBytes: 100 } });
  });

  it('reports a lost tail of a connection that is still open when capture ends', () => {
    const script = new Script();
    script.connection().out(GET).lose('in', 42).close('progress');
    const events = runEngine(script.records);
    expect(ofType(events, 'GapSeen')).toMatchObject([{ lostBytes: 42, dir: 'in' }]);
    expect(ofType(events, 'ExchangeEnded')[0]?.end).toBe('lost');
    expect(ofType(events, 'ConnectionClosed')[0]).toMatchObject({ why: 'capture-end', inBytes: 42, lostInBytes: 42 });
  });

  it('counts a connection of which every byte was lost', () => {
    const script = new Script();
    script.connection().lose('out', 300).lose('in', 40).close();
    const events = runEngine(script.records);
    expect(ofType(events, 'ConnectionClosed')[0]).toMatchObject({
      outBytes: 300,
      lostOutBytes: 300,
      inBytes: 40,
      lostInBytes: 40,
    });
    expect(ofType(events, 'GapSeen').reduce((sum, gap) => sum + gap.lostBytes, 0)).toBe(340);
  });

  it('ends exchanges by the reason of the end: exit cuts, the end of capture leaves open', () => {
    const script = new Script();
    const first = script.connection({ pid: 1 }).out(GET);
    script.connection({ pid: 2 }).out(GET);
    script.add({ kind: 'exit', pid: first.key.pid, startNs: first.key.startNs, tsNs: script.tick(), code: 0 });
    const events = runEngine(script.records);
    expect(ofType(events, 'ExchangeEnded').map(({ end }) => end)).toEqual(['cut', 'open']);
    expect(ofType(events, 'ConnectionClosed').map(({ why }) => why)).toEqual(['exit', 'capture-end']);
  });

  it('never splices over an offset that goes back', () => {
    const script = new Script();
    const connection = script.connection().out(post('0123456789').slice(0, -5));
    connection.offset.out -= 3;
    connection.out('23456789'.slice(0, 8));
    const events = runEngine(script.records);
    expect(bodyText(events, 'request')).toBe('0123456789');
    expect(ofType(events, 'WireErrorSeen')[0]).toMatchObject({ code: 'capture.overlap' });
  });

  it('labels what it does not decode and asks for no more copies of it', () => {
    const script = new Script();
    const opaque: ConnectionKey[] = [];
    script.connection().out('*1\r\n$4\r\nPING\r\n').in('+PONG\r\n').lose('in', 5000).close();
    const events = runEngine(script.records, { onOpaque: (key) => opaque.push(key) });
    expect(ofType(events, 'ConnectionIdentified')).toMatchObject([{ protocol: 'opaque', detail: 'redis' }]);
    expect(opaque).toEqual([{ pid: 7, startNs: 5n, ssl: 0xa0n, generation: 0 }]);
    expect(ofType(events, 'ConnectionClosed')[0]).toMatchObject({ outBytes: 14, inBytes: 5007, lostInBytes: 0 });
    expect(ofType(events, 'GapSeen')).toEqual([]);
  });

  it('lets the idlest connections go beyond the limit, and does not call it a loss when they come back', () => {
    const script = new Script();
    const first = script.connection({ ssl: 1n }).out(GET).in(OK('x'));
    for (let index = 2; index <= 5; index++)
      script
        .connection({ ssl: BigInt(index) })
        .out(GET)
        .in(OK('x'));
    first.out(GET).in(OK('again')).close();
    const events = runEngine(script.records, { limits: { connections: 4 } });
    expect(ofType(events, 'ConnectionClosed').find(({ connection }) => connection === 1)?.why).toBe('capture-end');
    expect(bodyText(events, 'response', 1, 6)).toBe('again');
    expect(ofType(events, 'GapSeen')).toEqual([]);
  });

  it('gives SSE events of a gzip body over chunks as they flow, cut at every byte', () => {
    const text = ['event: a\ndata: one\n\n', 'data: zwei ü\n\n', 'data: [DONE]\n\n'].join('');
    const coded = gzipSync(text);
    const head =
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
    const half = coded.length >> 1;
    const chunk = (part: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)};x=y\r\n`), part, Buffer.from('\r\n')]);
    const wire = Buffer.concat([
      Buffer.from(head),
      chunk(coded.subarray(0, half)),
      chunk(coded.subarray(half)),
      Buffer.from('0\r\n\r\n'),
    ]);
    for (let cut = 1; cut < wire.length; cut++) {
      const script = new Script();
      script.connection().out(GET).in(wire.subarray(0, cut)).in(wire.subarray(cut)).close();
      const events = runEngine(script.records);
      const messages = ofType(events, 'MessageReceived').map(({ event, data }) => [event, data]);
      expect(messages).toEqual([
        ['a', 'one'],
        ['', 'zwei ü'],
        ['', '[DONE]'],
      ]);
      expect(bodyText(events, 'response')).toBe(text);
      const sizes = { bytes: coded.length, decodedBytes: Buffer.byteLength(text), lostBytes: 0, coding: 'gzip' };
      expect(ofType(events, 'ExchangeEnded')[0]).toMatchObject({ end: 'complete', response: sizes });
    }
  });
});
