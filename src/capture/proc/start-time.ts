// When a process started, on the clock that the kernel side uses.
//
// Field 22 of /proc/PID/stat is task->start_boottime in ticks: CLOCK_BOOTTIME (it counts suspended time), rounded down to
// 1/USER_HZ. USER_HZ is 100 on every architecture that Linux runs on today, so one tick is 10 ms. The kernel side reports
// task->start_time, CLOCK_MONOTONIC in ns, which stands still during suspend. Hence
//
//     start_time = ticks * 10 ms + (0 … 10 ms of rounding) - (time suspended before the process started).
//
// The last term is not kept per process. What can be measured is the time suspended until now,
// CLOCK_BOOTTIME (/proc/uptime) - CLOCK_MONOTONIC (process.hrtime): the two agree when no suspend fell into the process's
// life. So `startNs` from here identifies a process only within `START_TOLERANCE_NS`, and on a machine that slept since
// the process began it is too small by that sleep. `startTicks` is exact and is what two readings of /proc compare.

import { type Attempt, fail, readBounded, succeed } from './attempt.ts';

const TICK_NS = 10_000_000n;

/** Rounding of ticks (10 ms) plus rounding of /proc/uptime (10 ms). */
export const START_TOLERANCE_NS = 2n * TICK_NS;

export const startNsOf = (startTicks: bigint, suspendedNs: bigint): bigint => {
  const startNs = startTicks * TICK_NS - suspendedNs;
  return startNs > 0n ? startNs : 0n;
};

/** Time that this machine has been suspended since boot. Below the clocks' resolution it is 0. */
export function suspendedNsOf(uptimeText: string, monotonicNs: bigint): bigint {
  const [seconds = '0', hundredths = '0'] = (uptimeText.split(' ')[0] ?? '0').split('.');
  const bootNs = BigInt(seconds) * 1_000_000_000n + BigInt(hundredths.padEnd(2, '0').slice(0, 2)) * TICK_NS;
  const difference = bootNs - monotonicNs;
  return difference > START_TOLERANCE_NS ? difference : 0n;
}

export function readSuspendedNs(): Attempt<bigint> {
  const uptime = readBounded('/proc/uptime', 256);
  if (!uptime.ok) return uptime;
  const text = uptime.value.toString('latin1');
  if (!/^\d+\.\d+ /.test(text)) return fail('broken', '/proc/uptime has no seconds');
  return succeed(suspendedNsOf(text, process.hrtime.bigint()));
}
