import { expect, test } from 'vitest';
import { backoffMs } from '../../../src/sinks/nats/link.ts';

test('waiting doubles up to a bound and is spread between half and all of it', () => {
  expect([0, 1, 2, 6, 7, 1000].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    100, 200, 400, 6_400, 10_000, 10_000,
  ]);
  expect([0, 7].map((attempt) => backoffMs(attempt, () => 0))).toEqual([50, 5_000]);
});
