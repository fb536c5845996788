process.env.TZ = 'UTC';

import { expect, it } from 'vitest';
import { bytes, counted, duration, exact, timeOfDay } from '../../../src/sinks/terminal/quantity.ts';

it('gives bytes with their unit', () => {
  expect([0, 1023, 1024, 1536, 16_777_216, 5e12].map(bytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '16.0 MiB',
    '4.5 TiB',
  ]);
});

it('gives durations in at most six characters', () => {
  const samples = [0, 84.6, 999.4, 999.5, 1240, 9994, 9995, 59_949, 59_950, 185_000, 3_599_600, 7_380_000];
  const words = [
    '0ms',
    '85ms',
    '999ms',
    '1.00s',
    '1.24s',
    '9.99s',
    '10.0s',
    '59.9s',
    '1m00s',
    '3m05s',
    '1h00m',
    '2h03m',
  ];
  expect(samples.map(duration)).toEqual(words);
});

it('groups exact counts', () => {
  expect([7, 1234, 1_234_567].map(exact)).toEqual(['7', '1,234', '1,234,567']);
  expect([counted(1, 'call'), counted(2, 'call'), counted(0, 'process', 'processes')]).toEqual([
    '1 call',
    '2 calls',
    '0 processes',
  ]);
});

it('gives the local time of day', () => {
  expect(timeOfDay('2026-03-01T14:05:09.042Z')).toBe('14:05:09.042');
});
