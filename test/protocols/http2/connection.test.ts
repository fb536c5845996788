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
  indexed,
  inserted,
  insertedAt,
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

const errors = (events: readonly ProtoEvent[]) =>
  events.flatMap((event) => (event.type === 'wire-error' ? [[event.code, event.stream]] : []));
const types = (events: readonly ProtoEvent[]) => events.map(({ type }) => type);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

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

  test('bodies wait until the client is known', () => {
    const events = run([into(data(5, 'part one, ')), into(data(5, 'part two', 1)), out(headers(7, GET, END))], LATE);
    const [first, second] = events;
    expect([first?.type, second?.type]).toEqual(['request-head', 'response-head']);
    expect(text(fold(events).get(5)?.response.body ?? ascii(''))).toBe('part one, part two');
  });
});

describe('a long answer that was joined before the client is known', () => {
  const events = Array.from({ length: 6000 }, (_, n) => into(data(5, `data: ${n}\n\n`)));

  test('is held in part; the rest is reported and marked in the body', () => {
    const seen = run([...events, out(headers(7, GET, END)), into(data(5, 'end', 1))], LATE);
    expect(errors(seen)).toEqual([['h2.unattributed', undefined]]);
    const { body, lostAtMost, ended } = fold(seen).get(5)?.response ?? { body: ascii('') };
    expect(text(body.subarray(0, 9))).toBe('data: 0\n\n');
    expect([text(body.subarray(-3)), ended]).toEqual(['end', true]);
    expect(body.length - 3 + (lostAtMost ?? 0)).toBe(events.reduce((sum, { bytes }) => sum + bytes.length - 9, 0));
  });

  test('that is bulk is held up to the limit; what is over it counts as lost, to the octet', () => {
    const bulk = Array.from({ length: 40 }, (_, n) => into(data(5, 'x'.repeat(16_384), n === 39 ? 1 : 0)));
    const { body, lostBytes, ended } = fold(run([...bulk, out(headers(7, GET, END))], LATE)).get(5)?.response ?? {};
    expect([body?.length, lostBytes, ended]).toEqual([16 * 16_384, 24 * 16_384, true]);
  });

  test('is reported when the client is never known', () => {
    expect(errors(run(events, LATE))).toEqual([['h2.unattributed', undefined]]);
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
