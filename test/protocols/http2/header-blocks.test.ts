import { describe, expect, test } from 'vitest';
import type { ProtoEvent } from '../../../src/protocols/protocol.ts';
import {
  concat,
  fold,
  frame,
  GET,
  headers,
  hex,
  indexed,
  PREFACE,
  run,
  SETTINGS_ACK,
  type Segment,
  settings,
} from './kit.ts';

const out = (...parts: readonly Uint8Array[]): Segment => ({ dir: 'out', bytes: concat(...parts) });
const into = (...parts: readonly Uint8Array[]): Segment => ({ dir: 'in', bytes: concat(...parts) });
const START = [out(PREFACE, settings()), into(settings(), SETTINGS_ACK), out(SETTINGS_ACK)];
const END = 0x5;
const PING = frame(6, 0, 0, new Uint8Array(8).fill(7));

const errors = (events: readonly ProtoEvent[]) =>
  events.flatMap((event) => (event.type === 'wire-error' ? [[event.code, event.stream]] : []));

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
