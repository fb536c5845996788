import { expect, it } from 'vitest';
import type { LossEvent } from '../../../src/model/index.ts';
import { createLossLedger, summaryLines } from '../../../src/sinks/terminal/summary.ts';
import { summary } from '../events.ts';

const loss = (connection: string, bytes: number): LossEvent => ({
  type: 'loss',
  time: '2026-03-01T14:05:09.042Z',
  tsNs: '1',
  connection,
  dir: 'in',
  bytes,
  cause: 'ring full',
});

it('adds losses of one connection, direction and cause up', () => {
  const ledger = createLossLedger();
  for (const bytes of [1, 2, 3]) ledger.add(loss('c1', bytes));
  ledger.add({ ...loss('c1', 5), dir: 'out' });
  expect(ledger.rows()).toEqual([
    { connection: 'c1', dir: 'in', cause: 'ring full', bytes: 6 },
    { connection: 'c1', dir: 'out', cause: 'ring full', bytes: 5 },
  ]);
});

it('keeps a bounded number of rows and still counts every byte', () => {
  const ledger = createLossLedger();
  for (let i = 0; i < 12_000; i++) ledger.add(loss(`c${i}`, 1));
  const rows = ledger.rows();
  expect(rows).toHaveLength(10_001);
  expect(rows.reduce((sum, row) => sum + row.bytes, 0)).toBe(12_000);
});

it('lists twenty rows and counts the rest', () => {
  const ledger = createLossLedger();
  for (let i = 0; i < 25; i++) ledger.add(loss(`c${i}`, 1));
  const lines = summaryLines(summary({ lost: { out: 0, in: 25, incompleteCalls: 0 } }), ledger, (text) => text, false);
  expect(lines).toContain('          … 5 more rows');
});

it('says nothing of costs that were not measured', () => {
  const { cost: _cost, ...replayed } = summary();
  const lines = summaryLines({ ...replayed, counters: {} }, createLossLedger(), (text) => text, true);
  expect(lines.some((line) => /^(cost|counters)/.test(line))).toBe(false);
});

it('lists counters of losses always, the others only when verbose', () => {
  const event = summary({ counters: { records: 5, lost_ring_full_bytes: 7, lost_fault_bytes: 0 } });
  const counters = (isVerbose: boolean): string[] =>
    summaryLines(event, createLossLedger(), (text) => text, isVerbose).filter((line) => /records|lost_/.test(line));
  expect(counters(false)).toEqual(['counters  lost_ring_full_bytes 7']);
  expect(counters(true)).toEqual(['counters  records 5', '          lost_ring_full_bytes 7']);
});
