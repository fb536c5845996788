import { expect, test } from 'vitest';
import { countersShowLoss, Tally } from '../../src/app/tally.ts';
import type { CallEvent, ConnectionEvent, TraceEvent } from '../../src/model/index.ts';

const stamp = { time: '2026-01-01T00:00:00.000Z', tsNs: '1' };

const call = (over: Partial<CallEvent>): CallEvent => ({
  type: 'call',
  ...stamp,
  id: 'c1.1',
  pid: 1,
  role: 'node',
  class: 'chat.completions',
  evidence: '',
  host: null,
  method: 'POST',
  path: '/',
  status: 200,
  httpVersion: '2',
  request: { bytes: 0, decodedBytes: 0, headers: [] },
  response: { bytes: 0, decodedBytes: 0, headers: [] },
  timing: { ttfbMs: null, ttftMs: null, durationMs: 1 },
  end: 'complete',
  captured: 'whole',
  ...over,
});

const closed = (over: Partial<ConnectionEvent>): ConnectionEvent => ({
  type: 'connection',
  phase: 'closed',
  ...stamp,
  id: 'c1',
  pid: 1,
  role: 'node',
  outBytes: 10,
  inBytes: 20,
  lostOutBytes: 0,
  lostInBytes: 0,
  ...over,
});

function summaryOf(events: readonly TraceEvent[], counters: Record<string, number> = {}) {
  const tally = new Tally();
  for (const event of events) tally.add(event);
  tally.setCounters(counters);
  return tally.summary(stamp, 'SIGINT', 1234, null);
}

test('calls are counted by class, connections and bytes summed', () => {
  const summary = summaryOf([call({}), call({ class: 'models.list' }), call({}), closed({}), closed({ outBytes: 5 })]);
  expect(summary).toMatchObject({
    calls: 3,
    callsByClass: { 'chat.completions': 2, 'models.list': 1 },
    bytes: { out: 15, in: 40 },
    lost: { out: 0, in: 0, incompleteCalls: 0 },
    complete: true,
  });
});

test('lost bytes make the capture incomplete', () => {
  expect(summaryOf([closed({ lostInBytes: 7 })])).toMatchObject({ lost: { in: 7 }, complete: false });
});

test('a call of which a part was lost makes it incomplete', () => {
  const tally = new Tally();
  tally.addIncomplete();
  expect(tally.summary(stamp, '', 0, null)).toMatchObject({ lost: { incompleteCalls: 1 }, complete: false });
});

test('a loss that only the kernel side saw makes it incomplete too', () => {
  expect(summaryOf([], { lost_ring_full_events: 1 })).toMatchObject({ complete: false });
  expect(summaryOf([], { calls_in: 5, late_calls: 3, other_method_calls: 2 })).toMatchObject({ complete: true });
});

test('which counters are losses is known from the kernel side’s own list', () => {
  expect(countersShowLoss({ lost_fault_bytes: 1 })).toBe(true);
  expect(countersShowLoss({ lost_fault_bytes: 0, records: 9 })).toBe(false);
});

test('the cost names hooked calls and the ring’s peak from the counters', () => {
  const summary = summaryOf([], { calls_in: 3, calls_out: 4, ring_peak_bytes: 99 });
  expect(summary.cost).toEqual({ hookedCalls: 7, ringHighWaterBytes: 99 });
});

test('a process that ended before its program had been looked into leaves the capture incomplete', () => {
  const fact = { library: 'unknown', file: '/usr/lib/chromium/chromium', hooked: false, reason: 'ended first' };
  const event: TraceEvent = {
    type: 'process',
    phase: 'exec',
    ...stamp,
    pid: 1,
    parentPid: 0,
    comm: 'chromium',
    exe: '/usr/lib/chromium/chromium',
    args: [],
    role: 'browser',
    tls: [fact],
  };
  expect(summaryOf([event])).toMatchObject({ complete: true });
  expect(summaryOf([{ ...event, tls: [{ ...fact, mayHaveMissed: true }] }])).toMatchObject({ complete: false });
});
