import { expect, test } from 'vitest';
import { paceOf } from '../../../src/capture/replay/pace.ts';

test('a record is due when it came, divided by the factor', () => {
  let nowMs = 1000;
  const pace = paceOf(10, () => nowMs);
  expect(pace.waitMs(5_000_000_000n)).toBe(0);
  expect(pace.waitMs(7_000_000_000n)).toBe(200);
  nowMs += 150;
  expect(pace.waitMs(7_000_000_000n)).toBe(50);
  nowMs += 100;
  expect(pace.waitMs(7_000_000_000n)).toBe(0);
});

test('a record without a time, and one that is due within a blink, are not waited for', () => {
  const pace = paceOf(1, () => 0);
  expect(pace.waitMs(0n)).toBe(0);
  expect(pace.waitMs(1_000_000_000n)).toBe(0);
  expect(pace.waitMs(1_009_000_000n)).toBe(0);
  expect(pace.waitMs(1_010_000_000n)).toBe(10);
});
