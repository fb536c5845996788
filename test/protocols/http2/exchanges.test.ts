import { describe, expect, test } from 'vitest';
import type { ProtoEvent } from '../../../src/protocols/protocol.ts';
import {
  concat,
  data,
  fold,
  frame,
  GET,
  headers,
  hex,
  indexed,
  insertedAt,
  literal,
  OK,
  PREFACE,
  run,
  SETTINGS_ACK,
  type Segment,
  settings,
} from './kit.ts';

const out = (...parts: readonly Uint8Array[]): Segment => ({ dir: 'out', bytes: concat(...parts) });
const into = (...parts: readonly Uint8Array[]): Segment => ({ dir: 'in', bytes: concat(...parts) });
const START = [out(PREFACE, settings()), into(settings(), SETTINGS_ACK), out(SETTINGS_ACK)];
const LATE = { outWhole: false, inWhole: false };
const END = 0x5;

const errors = (events: readonly ProtoEvent[]) =>
  events.flatMap((event) => (event.type === 'wire-error' ? [[event.code, event.stream]] : []));
const types = (events: readonly ProtoEvent[]) => events.map(({ type }) => type);

describe('an exchange', () => {
  test('that was joined at the trailers of its request shows them as trailers, not as a head', () => {
    const trailers = headers(1, concat(indexed(62, 63), literal('x', 'y')), END);
    const events = run([out(trailers, headers(3, GET, END))], LATE);
    expect(events.filter((event) => 'stream' in event && event.stream === 1).map(({ type }) => type)).toEqual([
      'request-head',
      'trailers',
      'side-end',
    ]);
    expect(fold(events).get(1)?.request).toMatchObject({ head: { headers: [], unknown: [] }, trailers: [['x', 'y']] });
  });

  test('is its heads, bodies and ends, in order', () => {
    const events = run([...START, out(headers(1, GET, END)), into(headers(1, OK), data(1, 'hello'), data(1, '!', 1))]);
    expect(types(events)).toEqual(['request-head', 'side-end', 'response-head', 'body', 'side-end']);
    expect(events[0]).toEqual({
      type: 'request-head',
      stream: 1,
      dir: 'out',
      head: { httpVersion: '2', method: 'GET', scheme: 'https', authority: 'a', path: '/', headers: [], unknown: [] },
      joinedLate: false,
      amends: false,
    });
    expect(events[3]).toMatchObject({ type: 'body', stream: 1, side: 'response' });
  });

  test('of a traced server has its request in the other direction', () => {
    const events = run([
      { dir: 'in', bytes: concat(PREFACE, settings(), headers(1, GET, END)) },
      { dir: 'out', bytes: concat(settings(), headers(1, OK, END)) },
    ]);
    expect(events.filter((e) => 'dir' in e).map((e) => [e.type, e.dir])).toEqual([
      ['request-head', 'in'],
      ['response-head', 'out'],
    ]);
  });

  test('whose header block spans HEADERS, padding, priority and CONTINUATION is one head', () => {
    const padded = concat(Uint8Array.of(3), hex('8000000010'), GET.subarray(0, 2), hex('000000'));
    const events = run([
      ...START,
      out(frame(1, 0x29, 1, padded), frame(9, 0, 1, GET.subarray(2, 5)), frame(9, 4, 1, GET.subarray(5))),
    ]);
    expect(fold(events).get(1)?.request.head).toMatchObject({ method: 'GET', path: '/', authority: 'a' });
    expect(types(events)).toEqual(['request-head', 'side-end']);
  });

  test('is left alone by a peer that says GOAWAY again and again, which is told once', () => {
    const goaway = (last: number): Uint8Array => frame(7, 0, 0, hex(`${last.toString(16).padStart(8, '0')}00000000`));
    const falling = Array.from({ length: 70 }, (_, at) => goaway(201 - 2 * at));
    const events = run([...START, out(headers(75, GET, END), headers(77, GET, END)), into(...falling)]);
    expect(events.flatMap((event) => (event.type === 'reset' ? [event.stream] : []))).toEqual([77]);
    expect(errors(events)).toEqual([['h2.goaway', undefined]]);
  });

  test('that the peer refuses by GOAWAY is reset as not processed', () => {
    const events = run([
      ...START,
      out(headers(1, GET, END), headers(3, GET, END)),
      into(frame(7, 0, 0, hex('0000000100000000'))),
    ]);
    expect([...fold(events).values()].map(({ stream, reset }) => [stream, reset])).toEqual([
      [1, undefined],
      [3, 7],
    ]);
  });

  test('takes frames that arrive after its reset for nothing', () => {
    const events = run([
      ...START,
      out(headers(1, GET, END), frame(3, 0, 1, hex('00000008'))),
      into(headers(1, OK), data(1, 'late')),
    ]);
    expect(types(events)).toEqual(['request-head', 'side-end', 'reset']);
  });

  test('whose response overtakes its request in the capture is amended, not mispaired', () => {
    const events = run([...START, into(headers(1, OK), data(1, 'x', 1)), out(headers(1, GET, END))]);
    expect(fold(events).get(1)?.request.head).toMatchObject({ method: 'GET' });
  });
});

describe('a push', () => {
  const promise = (id: number) => frame(5, 0x4, 1, concat(hex(id.toString(16).padStart(8, '0')), GET));

  test('is a request of the server, complete at once, answered on the promised stream', () => {
    const events = run([...START, out(headers(1, GET, END)), into(promise(2), headers(2, OK), data(2, 'css', 1))]);
    expect(
      events.filter((e) => 'stream' in e && e.stream === 2).map((e) => ('dir' in e ? [e.type, e.dir] : [e.type])),
    ).toEqual([['request-head', 'in'], ['side-end'], ['response-head', 'in'], ['body'], ['side-end']]);
  });

  test.each([0, 3])('of stream %i is refused, and the table stays right', (id) => {
    const events = run([...START, out(headers(1, GET, END)), into(promise(id), headers(1, OK, END))]);
    expect(errors(events)).toEqual([['h2.push', 1]]);
    expect([...fold(events).keys()]).toEqual([1]);
  });

  test('from the client is refused', () => {
    expect(errors(run([...START, out(headers(1, GET, END), promise(2))]))).toEqual([['h2.push', 1]]);
  });
});

describe('informational responses and trailers', () => {
  test('do not count as the head', () => {
    const early = headers(1, insertedAt(8, '103'));
    const events = run([
      ...START,
      out(headers(1, GET, END)),
      into(early, headers(1, OK), headers(1, literal('x-sum', '1'), END)),
    ]);
    expect(types(events)).toEqual([
      'request-head',
      'side-end',
      'informational',
      'response-head',
      'trailers',
      'side-end',
    ]);
  });

  test('that do not end the stream are reported', () => {
    const events = run([...START, out(headers(1, GET, END)), into(headers(1, OK), headers(1, literal('x-sum', '1')))]);
    expect(errors(events)).toEqual([['h2.trailers', 1]]);
  });

  test('joined late list what is not known', () => {
    const trailers = headers(1, concat(literal('x-sum', '1'), indexed(62)), END);
    const events = run([into(headers(1, OK), data(1, 'x')), into(trailers)], LATE);
    expect(events.find(({ type }) => type === 'trailers')).toMatchObject({
      headers: [['x-sum', '1']],
      unknown: [{ index: 62, position: 1 }],
    });
  });
});
