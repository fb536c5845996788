import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HeldRecords } from '../../../src/capture/live/held-records.ts';
import type { ExitRecord, ProcessRecord } from '../../../src/model/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const facts = (pid: number, tsNs: bigint): ProcessRecord => ({
  ...{ kind: 'process', tsNs, pid, startNs: 1n, parentPid: 1, comm: 'node', exe: '/usr/bin/node' },
  ...{ args: [], role: 'node', tls: [] },
});
const exit = (pid: number, tsNs: bigint): ExitRecord => ({ kind: 'exit', tsNs, pid, startNs: 1n, code: 0 });

function holder() {
  const handed: [number, bigint][] = [];
  return { held: new HeldRecords(({ pid, tsNs }) => handed.push([pid, tsNs])), handed };
}

test('what was found by looking waits for the records of the time before', () => {
  const { held, handed } = holder();
  held.hold(facts(1, 100n));
  held.hold(facts(2, 200n));
  held.passTo(exit(9, 99n));
  expect(handed).toEqual([]);
  held.passTo(exit(9, 150n));
  expect(handed).toEqual([[1, 100n]]);
});

test('what is known of a process is told before its exit, never after', () => {
  const { held, handed } = holder();
  held.hold(facts(1, 100n));
  held.hold(facts(2, 100n));
  held.passTo(exit(1, 90n));
  expect(handed).toEqual([[1, 90n]]);
});

test('when the ring stays silent it is handed out soon, once', () => {
  const { held, handed } = holder();
  held.hold(facts(1, 100n));
  vi.advanceTimersByTime(50);
  vi.advanceTimersByTime(500);
  expect(handed).toEqual([[1, 100n]]);
  held.hold(facts(1, 200n));
  held.passAll();
  held.passAll();
  expect(handed).toEqual([
    [1, 100n],
    [1, 200n],
  ]);
});

test('one that is held after the ring spoke waits as long as any other', () => {
  const { held, handed } = holder();
  held.hold(facts(1, 100n));
  vi.advanceTimersByTime(45);
  held.passTo(exit(9, 150n));
  held.hold(facts(2, 300n));
  vi.advanceTimersByTime(45);
  expect(handed).toEqual([[1, 100n]]);
  vi.advanceTimersByTime(5);
  expect(handed).toEqual([
    [1, 100n],
    [2, 300n],
  ]);
});
