import { expect, test } from 'vitest';
import { SequenceTracker } from '../../../src/sinks/nats/sequence.ts';

test('an event is new once, however late it comes', () => {
  const tracker = new SequenceTracker(5);
  expect([5, 6, 6, 9, 8, 5, 7, 7].map((seq) => tracker.add(seq))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(tracker.missing).toBe(0);
});

test('what did not come is missing, what came before the first is not', () => {
  const tracker = new SequenceTracker(100);
  for (const seq of [100, 101, 104, 106]) tracker.add(seq);
  expect(tracker.missing).toBe(3);
});

test('a hole is given up after a while, and stays missing', () => {
  const tracker = new SequenceTracker(1);
  tracker.add(1);
  for (let seq = 3; seq < 10_000; seq += 1) tracker.add(seq);
  expect([tracker.add(2), tracker.missing]).toEqual([false, 1]);
});
