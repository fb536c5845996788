import { describe, expect, test } from 'vitest';
import {
  BoundarySearch,
  matchPreface,
  PROVEN,
  REFUTED,
  SEARCH_BYTES,
  tryBoundary,
} from '../../../src/protocols/http2/boundary.ts';
import { HANG_MS } from '../../kit/hang.ts';
import { ascii, concat, data, frame, GET, headers, hex, PREFACE, SETTINGS_ACK, settings } from './kit.ts';

const PING = frame(6, 0, 0, hex('0102030405060708'));
const verdict = (answer: number) => (answer === PROVEN ? 'yes' : answer === REFUTED ? 'no' : 'more');
const hint = (bytes: Uint8Array) => verdict(tryBoundary(bytes, 0, true));
const anywhere = (bytes: Uint8Array) => verdict(tryBoundary(bytes, 0, false));

describe('at the start of a call', () => {
  test.each([
    ['PING', PING],
    ['SETTINGS ACK, then PING', concat(SETTINGS_ACK, PING)],
    ['SETTINGS', settings([3, 100])],
    ['WINDOW_UPDATE', frame(8, 0, 0, hex('00010000'))],
    ['HEADERS with a whole block', headers(7, GET, 5)],
    ['DATA', data(7, 'text')],
    ['the preface', PREFACE],
  ])('%s that fills the call is proof', (_, bytes) => {
    expect(hint(bytes)).toBe('yes');
  });

  test('a DATA header alone is not, with the header that follows it is', () => {
    const body = data(7, 'x'.repeat(5000));
    expect(hint(body.subarray(0, 4000))).toBe('more');
    expect(hint(concat(body, data(7, 'y').subarray(0, 9)))).toBe('yes');
  });

  test.each([
    ['text', ascii('{"messages": []}')],
    ['zeros', new Uint8Array(64)],
    ['DATA of nothing', concat(data(0x10000, ''), PING)],
    ['a WINDOW_UPDATE of nothing', frame(8, 0, 0, hex('00000000'))],
    ['undefined flags', frame(0, 0x42, 1, ascii('abc'))],
    ['DATA on stream 0', frame(0, 0, 0, ascii('abc'))],
    ['HEADERS whose block is none', headers(1, ascii('\x00\xffxx'))],
    ['a frame inside a header block', concat(frame(1, 0, 1, GET), PING)],
    ['an unknown type', frame(0x77, 0, 0, ascii('abcd'))],
  ])('%s is refused', (_, bytes) => {
    expect(hint(bytes)).toBe('no');
  });
});

test('at any other offset three frames in a chain are needed', () => {
  const chain = [PING, data(3, 'abc'), data(5, 'defg')];
  expect(anywhere(concat(...chain.slice(0, 2)))).toBe('more');
  expect(anywhere(concat(...chain))).toBe('yes');
});

test('an empty frame made of zeros before a true boundary does not borrow its evidence', () => {
  const chain = concat(headers(1, GET, 5), headers(3, GET, 5), data(1, 'x'));
  const cutSettings = hex('0006040000000000000100010000');
  expect(new BoundarySearch().push(concat(cutSettings, chain))).toEqual(chain);
});

test('the preface is recognised in part', () => {
  expect(matchPreface(PREFACE.subarray(0, 5), 0)).toBe('more');
  expect(matchPreface(PREFACE, 0)).toBe('yes');
  expect(matchPreface(ascii('PRI * HTTP/1'), 0)).toBe('no');
});

describe('the search', () => {
  test('gives the bytes from the boundary on and counts what lies before', () => {
    const search = new BoundarySearch();
    expect(search.push(ascii('tail of a body'))).toBeUndefined();
    expect(search.push(concat(PING, data(1, 'x')))).toEqual(concat(PING, data(1, 'x')));
    expect(search.skippedBytes).toBe(14);
  });

  test('finds a chain inside one call', () => {
    const chain = concat(data(1, 'abc'), data(1, 'def'), data(3, 'ghi'));
    expect(new BoundarySearch().push(concat(ascii('tail'), chain))).toEqual(chain);
  });

  test('never follows a chain across missing bytes', () => {
    const search = new BoundarySearch();
    search.push(data(1, 'abcdef').subarray(0, 12));
    search.drop();
    expect(search.push(ascii('def'))).toBeUndefined();
    expect(search.skippedBytes).toBe(12);
    expect(search.push(PING)).toEqual(PING);
    expect(search.skippedBytes).toBe(15);
  });

  test('holds a bounded window of endless payload and still finds what follows', () => {
    const search = new BoundarySearch();
    const noise = new Uint8Array(SEARCH_BYTES).fill(0x61);
    for (let n = 0; n < 20; n++) expect(search.push(noise)).toBeUndefined();
    expect(search.push(PING)).toEqual(PING);
    expect(search.skippedBytes).toBe(20 * SEARCH_BYTES);
  });

  test.each([
    ['headers of large header blocks', hex('00ffff010400000001')],
    ['headers of large DATA frames', hex('00ffff000000000001')],
    ['small header blocks', hex('00400001040000000182828282')],
    ['zeros', hex('00')],
  ])('takes less than a second for 1 MB of %s', (_, pattern) => {
    const bytes = Uint8Array.from({ length: 1 << 20 }, (_, n) => pattern[n % pattern.length] as number);
    const search = new BoundarySearch();
    const began = performance.now();
    for (let at = 0; at < bytes.length && search.push(bytes.subarray(at, at + 16_384)) === undefined; ) at += 16_384;
    expect(performance.now() - began).toBeLessThan(HANG_MS);
  });

  test('gives all of a call that is larger than the window', () => {
    const big = concat(PING, data(1, 'x'.repeat(SEARCH_BYTES * 2)));
    expect(new BoundarySearch().push(big)).toEqual(big);
  });
});
