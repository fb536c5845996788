import { expect, test } from 'vitest';
import { createClock } from '../../src/app/clock.ts';

test('monotonic time becomes UTC by the offset of the session start', () => {
  const clock = createClock();
  clock.set(5_000_000_000n, 1_700_000_000_000_000_000n);
  expect(clock.stamp(6_500_000_000n)).toEqual({ time: '2023-11-14T22:13:21.500Z', tsNs: '6500000000' });
});

test('before the session start is known, time counts from the epoch instead of being guessed', () => {
  expect(createClock().stamp(1_000_000n).time).toBe('1970-01-01T00:00:00.001Z');
});
