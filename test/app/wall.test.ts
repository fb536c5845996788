import { expect, test } from 'vitest';
import { msOf, WallTime } from '../../src/app/wall.ts';

test('times follow from one event that carries both clocks', () => {
  const wall = new WallTime();
  wall.learn({ time: '2026-03-01T14:05:09.042Z', tsNs: '5000000000' });
  wall.learn({ time: '1999-01-01T00:00:00.000Z', tsNs: '1' });
  expect(wall.iso(5_000_000_000n)).toBe('2026-03-01T14:05:09.042Z');
  expect(wall.iso(4_000_000_000n)).toBe('2026-03-01T14:05:08.042Z');
  expect(msOf(1_234_567n)).toBe(1.234);
});

test('every event that was learned comes out with the time that it was told with', () => {
  const [offsetNs, wall] = [1_772_374_000_000_600_000n, new WallTime()];
  const told = [100_000n, 900_000n, 1_399_999n, 1_400_000n, 7_250_000n].map((tsNs) => ({
    time: new Date(Number((tsNs + offsetNs) / 1_000_000n)).toISOString(),
    tsNs: String(tsNs),
  }));
  for (const event of told) wall.learn(event);
  expect(told.map(({ tsNs }) => wall.iso(BigInt(tsNs)))).toEqual(told.map(({ time }) => time));
});
