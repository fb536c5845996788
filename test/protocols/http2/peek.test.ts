import { expect, test } from 'vitest';
import { http2 } from '../../../src/protocols/http2/index.ts';
import { ascii, concat, data, GET, headers, hex, PREFACE, settings } from './kit.ts';

const NONE = new Uint8Array(0);
const whole = (out: Uint8Array, into: Uint8Array = NONE) =>
  http2.peek({ out, in: into, outWhole: true, inWhole: true });
const late = (out: Uint8Array, into: Uint8Array = NONE) =>
  http2.peek({ out, in: into, outWhole: false, inWhole: false });

test('the preface decides, also when it is not complete yet', () => {
  expect(whole(PREFACE)).toBe('yes');
  expect(whole(NONE, concat(PREFACE, settings()))).toBe('yes');
  expect(whole(PREFACE.subarray(0, 10))).toBe('more');
  expect(whole(NONE)).toBe('more');
});

test('a server that speaks first is recognised by its SETTINGS', () => {
  expect(whole(NONE, settings([3, 100]))).toBe('yes');
  expect(whole(NONE, hex('000012'))).toBe('more');
  expect(whole(NONE, hex('00001201'))).toBe('no');
});

test('HTTP/1, TLS-like and other starts are not HTTP/2', () => {
  expect(whole(ascii('GET / HTTP/1.1\r\n'))).toBe('no');
  expect(whole(ascii('PRI * HTTP/1.1\r\n'))).toBe('no');
  expect(whole(ascii('POST /v1 HTTP/1.1\r\n'))).toBe('no');
  expect(whole(hex('1603010200'))).toBe('no');
});

test('joined late, one frame that fills its call, or a chain of frames, is proof', () => {
  expect(late(headers(5, GET, 5))).toBe('yes');
  expect(late(concat(data(5, 'abc'), data(5, 'def')))).toBe('yes');
  expect(late(NONE, concat(ascii('tail of a body'), data(5, 'abc'), data(5, 'defg'), data(7, 'x')))).toBe('yes');
});

test('joined late, text is no proof, and a window full of it is a no', () => {
  expect(late(ascii('{"a": "some json that goes on"}'))).toBe('more');
  expect(late(new Uint8Array(128 * 1024).fill(0x41))).toBe('no');
  expect(late(new Uint8Array(4096))).toBe('more');
});
