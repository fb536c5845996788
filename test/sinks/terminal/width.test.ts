import { expect, it } from 'vitest';
import { inCells, shorten, widthOf } from '../../../src/sinks/terminal/width.ts';
import { HANG_MS } from '../../kit/hang.ts';

it('counts cells, not characters', () => {
  expect(widthOf('abc')).toBe(3);
  expect(widthOf('日本')).toBe(4);
  expect(widthOf('👩‍👩‍👧')).toBe(2);
  expect(widthOf('e\u0301')).toBe(1);
});

it('shortens with an ellipsis and never splits a wide character', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef');
  expect(shorten('abcdef', 5)).toBe('abcd…');
  expect(shorten('日本語', 4)).toBe('日…');
  expect(shorten('abc', 0)).toBe('');
});

it('pads to the exact width', () => {
  expect(inCells('日', 4, 'left')).toBe('日  ');
  expect(inCells('42', 4, 'right')).toBe('  42');
  expect(widthOf(inCells('日本語', 4, 'right'))).toBe(4);
});

it('shortens a million characters at once', () => {
  const started = performance.now();
  expect(shorten('x'.repeat(5_000_000), 10)).toBe('xxxxxxxxx…');
  expect(performance.now() - started).toBeLessThan(HANG_MS);
});
