import { expect, test } from 'vitest';
import {
  collectClasses,
  collectPids,
  parseCount,
  parseDuration,
  parseMoment,
  parseRingSize,
  parseRotate,
  parseSize,
  parseSpeed,
} from '../../src/cli/values.ts';

test.each([
  ['64K', 65_536],
  ['16M', 16_777_216],
  ['1g', 1_073_741_824],
  ['16MiB', 16_777_216],
  ['4096', 4096],
])('a size of %s is %i bytes', (text, bytes) => expect(parseSize(text)).toBe(bytes));

test.each(['', '12X', '-1', '1.5M', 'M'])('%j is no size', (text) =>
  expect(() => parseSize(text)).toThrow('expected a size'),
);

test('a ring is a power of two between 16K and 1G', () => {
  expect(parseRingSize('64K')).toBe(65_536);
  for (const bad of ['8K', '2G', '17M', '0']) expect(() => parseRingSize(bad)).toThrow('power of two');
});

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['500ms', 500],
  ['7d', 604_800_000],
  ['2', 2000],
  ['1.5s', 1500],
])('a duration of %s is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(['', 'soon', '-1s', '1w'])('%j is no duration', (text) =>
  expect(() => parseDuration(text)).toThrow('expected a duration'),
);

test('pids may be given in several options and separated by commas', () => {
  expect(collectPids('3,4', collectPids('1', []))).toEqual([1, 3, 4]);
  for (const bad of ['0', '-1', 'x', '1,', '1.5']) expect(() => collectPids(bad, [])).toThrow('whole number');
});

test('a count starts at 1', () => {
  expect(parseCount('7')).toBe(7);
  expect(() => parseCount('0')).toThrow('whole number');
});

test.each([
  ['500M', { maxBytes: 524_288_000 }],
  ['1GiB', { maxBytes: 1_073_741_824 }],
  ['30m', { maxAgeMs: 1_800_000 }],
  ['1h', { maxAgeMs: 3_600_000 }],
])('a recording is rotated at %s', (text, limit) => expect(parseRotate(text)).toEqual(limit));

test.each(['5', '100', '1K', '10ms', 'M', 'daily'])('%j is no point at which to rotate', (text) =>
  expect(() => parseRotate(text)).toThrow('expected a'),
);

test('the speed of a replay is a factor, or none at all', () => {
  expect([parseSpeed('1x'), parseSpeed('0.5'), parseSpeed('10x'), parseSpeed('max')]).toEqual([1, 0.5, 10, undefined]);
  for (const bad of ['0x', '-1x', 'fast', '']) expect(() => parseSpeed(bad)).toThrow('expected 1x');
});

test('a moment is UTC unless it says otherwise, or counted from the start', () => {
  const utcMs = Date.UTC(2026, 2, 1, 14, 5);
  for (const text of ['2026-03-01T14:05:00Z', '2026-03-01T14:05', '2026-03-01T15:05+01:00'])
    expect(parseMoment(text)).toEqual({ utcMs });
  expect(parseMoment('2026-03-01')).toEqual({ utcMs: Date.UTC(2026, 2, 1) });
  expect(parseMoment('+90s')).toEqual({ afterMs: 90_000 });
  expect(parseMoment('+90d')).toEqual({ afterMs: 7_776_000_000 });
  for (const bad of ['noon', '14:05', '+', '+soon', '2026-99-01'])
    expect(() => parseMoment(bad)).toThrow('expected a time');
});

test('classes may be given in several options and separated by commas', () => {
  expect(collectClasses('chat.*,token', collectClasses('models'))).toEqual(['models', 'chat.*', 'token']);
});
