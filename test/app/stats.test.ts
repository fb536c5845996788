import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startStats } from '../../src/app/stats.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const source = {
  stats: () => ({
    counters: { calls_out: 3, calls_in: 4, bytes_out: 10, bytes_in: 20, ring_peak_bytes: 99, lost_fault_bytes: 5 },
    programs: [{ name: 'tls_read_exit', runs: 7, runNs: 1_500_000 }],
    malformed: 0,
  }),
};

test('every five seconds one line says what tracing costs, with every loss by name', () => {
  const lines: string[] = [];
  const ticker = startStats(source, { info: (text) => lines.push(text) });
  vi.advanceTimersByTime(10_000);
  ticker.stop();
  vi.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^7 hooked calls, 30 B, BPF 2ms, tracer CPU [\d.]+m?s, ring peak 99 B, lost_fault_bytes 5$/);
});
