// `--stats`: what tracing costs while it runs, one line every few seconds on standard error.

import type { LiveSource } from '../capture/index.ts';
import { bytes, counted, duration, exact } from '../sinks/index.ts';
import type { Log } from './types.ts';

const EVERY_MS = 5000;

export interface StatsTicker {
  stop(): void;
}

/** What the line is made of. */
export type StatsSource = Pick<LiveSource, 'stats'>;

export function startStats(source: StatsSource, log: Pick<Log, 'info'>): StatsTicker {
  const timer = setInterval(() => log.info(statsLine(source)), EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

function statsLine(source: StatsSource): string {
  const { counters, programs } = source.stats();
  const calls = (counters['calls_out'] ?? 0) + (counters['calls_in'] ?? 0);
  const moved = (counters['bytes_out'] ?? 0) + (counters['bytes_in'] ?? 0);
  const runMs = programs.reduce((sum, program) => sum + program.runNs, 0) / 1e6;
  const { user, system } = process.cpuUsage();
  const parts = [
    counted(calls, 'hooked call'),
    bytes(moved),
    `BPF ${duration(runMs)}`,
    `tracer CPU ${duration((user + system) / 1000)}`,
    `ring peak ${bytes(counters['ring_peak_bytes'] ?? 0)}`,
  ];
  const losses = Object.entries(counters).filter(([name, value]) => name.startsWith('lost_') && value > 0);
  return [...parts, ...losses.map(([name, value]) => `${name} ${exact(value)}`)].join(', ');
}
