import { expect, test } from 'vitest';
import { packCookie, YIELDING } from '../../../src/capture/live/cookie.ts';
import type { Hook } from '../../../src/capture/targets/target.ts';

const hook = (extra: Partial<Hook>): Hook => ({
  role: 'read',
  symbol: 'SSL_read',
  fileOffset: 0,
  attachOffset: 0,
  ...extra,
});

test('the low half is the hook’s number; without arguments the role’s default positions hold', () => {
  expect(packCookie(0xdead_beef, hook({}))).toBe(0xdead_beefn);
});

test('argument positions stand at their bits', () => {
  expect(packCookie(1, hook({ args: { buf: 1, len: 2, done: 4 } }))).toBe((4n << 38n) | (2n << 35n) | (1n << 32n) | 1n);
});

test('a span role passes its output position where others pass the buffer', () => {
  expect(packCookie(1, hook({ role: 'open', args: { out: 1 } }))).toBe((1n << 32n) | 1n);
});

test('the way to the library’s facts stands between the check and the method table', () => {
  expect(packCookie(1, hook({}), 255)).toBe((255n << 44n) | 1n);
  expect(packCookie(1, hook({ methodLow12: 0xfff }), 1)).toBe((0xfffn << 52n) | (1n << 44n) | (1n << 43n) | 1n);
});

test('a probe that yields to those of single processes says so in a bit of its own', () => {
  expect(packCookie(1, hook({})) | YIELDING).toBe((1n << 42n) | 1n);
});

test('a method table is checked, also when its address ends in 000', () => {
  expect(packCookie(1, hook({ methodLow12: 0xe80 }))).toBe((0xe80n << 52n) | (1n << 43n) | 1n);
  expect(packCookie(1, hook({ methodLow12: 0 }))).toBe((1n << 43n) | 1n);
});
