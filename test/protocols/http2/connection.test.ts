import { describe, expect, test } from 'vitest';
import type { Dir } from '../../../src/model/index.ts';
import { MAX_STREAMS } from '../../../src/protocols/http2/stream.ts';
import type { ProtoEvent } from '../../../src/protocols/protocol.ts';
import {
  ascii,
  concat,
  data,
  fold,
  frame,
  GET,
  headers,
  hex,
  indexed,
  inserted,
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
const lost = (dir: Dir, lostBytes: number) => ({ dir, lostBytes });
const START = [out(PREFACE, settings()), into(settings(), SETTINGS_ACK), out(SETTINGS_ACK)];
const LATE = { outWhole: false, inWhole: false };
const END = 0x5;
const PING = frame(6, 0, 0, new Uint8Array(8).fill(7));

const errors = (events: readonly ProtoEvent[]) =>
  events.flatMap((event) => (event.type === 'wire-error' ? [[event.code, event.stream]] : []));
const types = (events: readonly ProtoEvent[]) => events.map(({ type }) => type);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('an exchange', () => {
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

describe('damage', () => {
  test('a frame inside a header block loses the block, not the connection', () => {
    const events = run([...START, out(frame(1, 0, 1, GET), PING.fill(6, 3, 4), settings(), headers(3, GET, END))]);
    expect(errors(events)).toEqual([
      ['h2.continuation', 1],
      ['h2.block-lost', 1],
    ]);
    expect(fold(events).get(3)?.request.head).toMatchObject({ method: 'GET', path: '/' });
  });

  test('an index outside the table marks what follows as joined late', () => {
    const events = run([
      ...START,
      out(headers(1, concat(GET, indexed(99)), END), headers(3, concat(GET, indexed(70)), END)),
    ]);
    expect(errors(events)).toEqual([['h2.hpack', 1]]);
    expect(fold(events).get(3)?.request.head).toMatchObject({ method: 'GET', unknown: [{ index: 70, position: 4 }] });
    expect(fold(events).get(3)?.request.joinedLate).toBe(true);
  });

  test('a request without a required pseudo-field is reported', () => {
    expect(errors(run([...START, out(headers(1, indexed(2, 7), END))]))).toEqual([['h2.malformed-head', 1]]);
  });

  test('a GOAWAY with an error is reported', () => {
    expect(errors(run([...START, into(frame(7, 0, 0, hex('000000000000000b')))]))).toEqual([['h2.goaway', undefined]]);
  });
});

describe('SETTINGS_HEADER_TABLE_SIZE', () => {
  test('binds the first block after the ACK, not an earlier one', () => {
    const request = (stream: number, first = '') => headers(stream, concat(hex(first), GET), END);
    const events = run([...START, into(settings([1, 0])), out(request(1), SETTINGS_ACK, request(3, '20'), request(5))]);
    expect(errors(events)).toEqual([]);
    const without = run([...START, into(settings([1, 0])), out(request(1), SETTINGS_ACK, request(3))]);
    expect(errors(without)).toEqual([['h2.hpack-size-update', 3]]);
  });
});

describe('joined late', () => {
  test('a request in its own call is decoded at once, its unknown fields listed', () => {
    const block = concat(indexed(2, 7, 66, 67), insertedAt(58, 'agent'), indexed(62));
    const events = run([out(headers(7, block, END))], LATE);
    expect(events[0]).toEqual({
      type: 'request-head',
      stream: 7,
      dir: 'out',
      joinedLate: true,
      amends: false,
      head: {
        httpVersion: '2',
        method: 'GET',
        scheme: 'https',
        authority: null,
        path: null,
        headers: [
          ['user-agent', 'agent'],
          ['user-agent', 'agent'],
        ],
        unknown: [
          { index: 66, position: 2 },
          { index: 67, position: 3 },
        ],
      },
    });
  });

  test('in the middle of a DATA frame, later exchanges are decoded and the tail is reported as skipped', () => {
    const events = run(
      [
        into(ascii('rest of an old body')),
        into(data(5, 'end', 1)),
        out(headers(7, GET, END)),
        into(headers(7, OK, END)),
      ],
      LATE,
    );
    expect(errors(events)).toEqual([['h2.resync', undefined]]);
    const seen = fold(events);
    expect(text(seen.get(5)?.response.body ?? ascii(''))).toBe('end');
    expect(seen.get(5)?.request.head).toMatchObject({ method: null, path: null });
    expect(seen.get(7)?.response.head).toMatchObject({ status: 200 });
  });

  test('a name that a well-formed head implies amends the open exchanges that showed the same entry', () => {
    const events = run(
      [
        out(headers(1, concat(indexed(2, 7, 66, 67), literal('accept', '*/*')), END)),
        out(headers(3, concat(indexed(2, 7), literal(':authority', 'a'), indexed(67), literal('accept', '*/*')), END)),
      ],
      LATE,
    );
    const amended = events.filter((event) => event.type === 'request-head' && event.amends);
    expect(amended).toHaveLength(1);
    expect(amended[0]).toMatchObject({
      stream: 1,
      head: {
        path: null,
        unknown: [
          { index: 66, position: 2 },
          { index: 67, position: 3, name: ':path' },
        ],
      },
    });
  });

  test('bodies wait until the client is known', () => {
    const events = run([into(data(5, 'part one, ')), into(data(5, 'part two', 1)), out(headers(7, GET, END))], LATE);
    const [first, second] = events;
    expect([first?.type, second?.type]).toEqual(['request-head', 'response-head']);
    expect(text(fold(events).get(5)?.response.body ?? ascii(''))).toBe('part one, part two');
  });
});

describe('a hole', () => {
  const exchange = [...START, out(headers(1, GET, END)), into(headers(1, OK))];
  test('inside one DATA frame costs that part of that body only', () => {
    const body = data(1, '0123456789', 1);
    const events = run([...exchange, into(body.subarray(0, 11)), lost('in', 4), into(body.subarray(15))]);
    expect(types(events).slice(3)).toEqual(['body', 'body-gap', 'body', 'side-end']);
    expect(fold(events).get(1)?.response).toMatchObject({ lostBytes: 4, lostAtMost: 0, ended: true });
    expect(errors(events)).toEqual([]);
  });

  test('over frame boundaries is told to the open streams of that direction as an upper bound', () => {
    const body = data(1, '0123456789');
    const events = run([...exchange, into(body.subarray(0, 11)), lost('in', 100), into(data(1, 'tail', 1))]);
    expect(fold(events).get(1)?.response).toMatchObject({ lostBytes: 8, lostAtMost: 92, ended: true });
    expect(text(fold(events).get(1)?.response.body ?? ascii(''))).toBe('01tail');
  });

  test('that hides an insertion makes later references unknown instead of wrong', () => {
    const first = headers(1, concat(GET, inserted('x-a', 'one')), END);
    const hidden = headers(3, concat(GET, inserted('x-b', 'two')), END);
    const events = run([
      ...START,
      out(first),
      lost('out', hidden.length),
      out(headers(5, concat(GET, indexed(62, 63)), END)),
    ]);
    expect(fold(events).get(5)?.request.head).toMatchObject({
      method: 'GET',
      headers: [],
      unknown: [
        { index: 62, position: 4 },
        { index: 63, position: 5 },
      ],
    });
  });
});

describe('limits', () => {
  test('streams that never finish are bounded: the oldest is given up', () => {
    const count = MAX_STREAMS + 10;
    const steps = Array.from({ length: count }, (_, n) => out(headers(2 * n + 1, GET)));
    const events = run([...START, ...steps]);
    expect(events.filter(({ type }) => type === 'lost').map((e) => 'stream' in e && e.stream)).toEqual(
      Array.from({ length: 10 }, (_, n) => 2 * n + 1),
    );
  });

  test('an endless header block is stepped over, and the connection goes on', () => {
    const fragment = frame(9, 0, 1, new Uint8Array(16_384).fill(0x82));
    const flood = Array.from({ length: 100 }, () => out(fragment));
    const events = run([
      ...START,
      out(frame(1, 0, 1, indexed(2))),
      ...flood,
      out(frame(9, 4, 1)),
      out(headers(3, GET, END)),
    ]);
    expect(errors(events)).toEqual([
      ['h2.header-block-size', 1],
      ['h2.block-lost', 1],
    ]);
    expect(fold(events).get(3)?.request.head).toMatchObject({ method: 'GET' });
  });
});
