// How exchanges end when the last frame is not there: left by the client, swallowed by a hole, or never sent.
import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../src/model/index.ts';
import { bodyText, ofType, runEngine, Script, type ScriptedConnection } from '../kit/records.ts';
import {
  concat,
  data,
  frame,
  headers,
  hex,
  indexed,
  literal,
  PREFACE,
  SETTINGS_ACK,
  settings,
} from '../protocols/http2/kit.ts';

const GET = concat(indexed(2, 7), literal(':path', '/'), literal(':authority', 'h'));
const HEAD = concat(literal(':method', 'HEAD'), indexed(7), literal(':path', '/'), literal(':authority', 'h'));
const answer = (lengthBytes: number): Uint8Array => concat(indexed(8), literal('content-length', String(lengthBytes)));
const reset = (stream: number, code: string): Uint8Array => frame(3, 0, stream, hex(code));
const CANCEL = '00000008';
/** Proves the frames before it to be frames. */
const PING = frame(6, 0, 0, hex('0102030405060708'));

const opened = (script: Script): ScriptedConnection =>
  script.connection().out(concat(PREFACE, settings())).in(concat(settings(), SETTINGS_ACK)).out(SETTINGS_ACK);

const ends = (events: readonly EngineEvent[]): unknown[] =>
  ofType(events, 'ExchangeEnded').map(({ id, end, response }) => [id.exchange, end, response]);

const sizes = (bytes: number, more = {}) => ({ bytes, decodedBytes: bytes, lostBytes: 0, coding: '', ...more });

const run = (build: (connection: ScriptedConnection) => unknown): EngineEvent[] => {
  const script = new Script();
  build(opened(script));
  return runEngine(script.records);
};

describe('an answer whose Content-Length has come in full', () => {
  const asked = (connection: ScriptedConnection, request = GET): ScriptedConnection =>
    connection.out(headers(1, request, 0x5)).in(concat(headers(1, answer(5)), data(1, 'hello')));

  it.each([
    ['00000000', 'complete'],
    ['00000005', 'complete'],
    [CANCEL, 'complete'],
    ['00000002', 'reset'],
  ])('is complete when the client then resets the stream with code %s: %s', (code, end) => {
    expect(ends(run((connection) => asked(connection).out(reset(1, code))))).toEqual([[1, end, sizes(5)]]);
  });

  it('is complete when the connection is closed before the stream is', () => {
    expect(ends(run((connection) => asked(connection).close()))).toEqual([[1, 'complete', sizes(5)]]);
  });

  it('is a reset when a byte was missing, and cut when the connection ended there', () => {
    const short = (connection: ScriptedConnection): ScriptedConnection =>
      connection.out(headers(1, GET, 0x5)).in(concat(headers(1, answer(6)), data(1, 'hello')));
    expect(ends(run((connection) => short(connection).out(reset(1, CANCEL))))).toEqual([[1, 'reset', sizes(5)]]);
    expect(ends(run((connection) => short(connection).close()))).toEqual([[1, 'cut', sizes(5)]]);
  });

  it('is not complete while the request is still being sent', () => {
    const events = run((connection) =>
      connection
        .out(headers(1, GET))
        .in(concat(headers(1, answer(5)), data(1, 'hello')))
        .out(reset(1, CANCEL)),
    );
    expect(ends(events)).toEqual([[1, 'reset', sizes(5)]]);
  });

  it('says nothing about an answer to HEAD', () => {
    const events = run((connection) =>
      connection
        .out(headers(1, HEAD, 0x5))
        .in(headers(1, answer(0)))
        .out(reset(1, CANCEL)),
    );
    expect(ends(events)).toEqual([[1, 'reset', sizes(0)]]);
  });
});

describe('a hole that may have held more of a body', () => {
  /** Two answers at once; the hole takes one DATA frame of the second and whole frames in between. */
  const both = (connection: ScriptedConnection, first: Uint8Array): ScriptedConnection =>
    connection
      .out(concat(headers(1, GET, 0x5), headers(3, GET, 0x5)))
      .in(concat(headers(1, first), data(1, 'one'), headers(3, answer(10)), data(3, 'first')))
      .lose('in', 14)
      .in(concat(data(1, 'two', 1), PING));

  it('costs nothing of a body whose announced length is there, and the rest of the other exactly', () => {
    const events = run((connection) =>
      both(connection, answer(6))
        .in(concat(data(3, '', 1), PING))
        .close(),
    );
    expect(ends(events)).toEqual([
      [1, 'complete', sizes(6)],
      [3 - 1, 'complete', sizes(5, { bytes: 10, lostBytes: 5 })],
    ]);
    expect(bodyText(events, 'response', 1)).toBe('onetwo');
  });

  it('is an upper bound where no length was announced', () => {
    const events = run((connection) =>
      both(connection, indexed(8))
        .in(concat(data(3, '', 1), PING))
        .close(),
    );
    expect(ends(events)[0]).toEqual([1, 'complete', sizes(6, { bytes: 20, lostBytes: 14, lostAtMost: true })]);
    const gaps = ofType(events, 'GapSeen').map(({ id, lostBytes, atMostBytes }) => [
      id?.exchange,
      lostBytes,
      atMostBytes,
    ]);
    expect(gaps).toEqual([
      [undefined, 14, undefined],
      [1, 0, 14],
      [2, 0, 14],
    ]);
  });

  it('leaves a stream that never spoke again as lost, not as cut', () => {
    const events = run((connection) => both(connection, answer(6)).close());
    expect(ends(events)).toEqual([
      [1, 'complete', sizes(6)],
      [2, 'lost', sizes(5, { bytes: 10, lostBytes: 5, lostAtMost: true })],
    ]);
  });

  it('does not matter to an answer that had come in full but for its last frame', () => {
    const events = run((connection) =>
      connection
        .out(headers(1, GET, 0x5))
        .in(concat(headers(1, answer(5)), data(1, 'hello')))
        .lose('in', 9)
        .close(),
    );
    expect(ends(events)).toEqual([[1, 'complete', sizes(5)]]);
  });
});

describe('HTTP/2 by upgrade', () => {
  it('answers the request of HTTP/1 on stream 1, as one exchange', () => {
    const script = new Script();
    script
      .connection()
      .out(
        'GET /up HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n',
      )
      .in(
        concat(
          Uint8Array.from(
            Buffer.from('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
          ),
          settings(),
          headers(1, indexed(8)),
          data(1, 'switched', 1),
        ),
      )
      .out(concat(PREFACE, settings(), headers(3, GET, 0x5)))
      .in(concat(SETTINGS_ACK, headers(3, indexed(8)), data(3, 'next', 1)))
      .close();
    const events = runEngine(script.records);
    expect(ofType(events, 'WireErrorSeen')).toEqual([]);
    expect(ofType(events, 'ConnectionIdentified').map(({ protocol }) => protocol)).toEqual(['http/1', 'http/2']);
    expect(ofType(events, 'ExchangeStarted').map(({ id, joinedLate }) => [id.exchange, joinedLate])).toEqual([
      [1, false],
      [2, false],
    ]);
    expect(ends(events)).toEqual([
      [1, 'complete', sizes(8)],
      [2, 'complete', sizes(4)],
    ]);
    expect([bodyText(events, 'response', 1), bodyText(events, 'response', 2)]).toEqual(['switched', 'next']);
  });
});
