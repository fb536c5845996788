// Everything about one process that the tracer shows or decides by, read once from /proc. The values may be stale the
// moment they are returned; `startTicks` tells whether a later reading means the same process.

import { type Attempt, fail, readBounded, readLink, succeed } from './attempt.ts';
import { readSuspendedNs, startNsOf } from './start-time.ts';
import { readStat, readStatus, type StatFacts, type StatusFacts } from './stat.ts';

export interface ProcessFacts extends StatFacts, StatusFacts {
  readonly pid: number;
  /** CLOCK_MONOTONIC, within `START_TOLERANCE_NS`: see start-time.ts. */
  readonly startNs: bigint;
  readonly args: readonly string[];
  /** Path of the program in the process's own mount namespace; empty for kernel threads. */
  readonly exe: string;
  readonly isExeDeleted: boolean;
  readonly isKernelThread: boolean;
  /** The pid inside the innermost pid namespace, when that is another one than ours. */
  readonly innerPid?: number;
}

/** Arguments are for roles and display; the kernel allows megabytes. */
const CMDLINE_LIMIT_BYTES = 64 * 1024;

export function parseCmdline(bytes: Buffer): string[] {
  const text = bytes.toString('utf8').replace(/\0+$/, '');
  if (text === '') return [];
  // Chromium's zygote children and others overwrite the area with one line: then arguments are parted by spaces.
  return text.includes('\0') ? text.split('\0') : text.includes(' --') ? text.split(' ') : [text];
}

export function readProcess(pid: number): Attempt<ProcessFacts> {
  const stat = readStat(pid);
  if (!stat.ok) return stat;
  const status = readStatus(pid);
  if (!status.ok) return status;
  const cmdline = readBounded(`/proc/${pid}/cmdline`, CMDLINE_LIMIT_BYTES);
  if (!cmdline.ok) return cmdline;
  const suspended = readSuspendedNs();
  if (!suspended.ok) return suspended;
  const exe = readExe(pid, status.value);
  if (!exe.ok) return exe;
  return sameProcess(pid, stat.value, {
    pid,
    ...stat.value,
    ...status.value,
    ...exe.value,
    startNs: startNsOf(stat.value.startTicks, suspended.value),
    args: parseCmdline(cmdline.value),
    isKernelThread: !status.value.hasMemory,
    ...innerPidOf(status.value.nsPids),
  });
}

/** The pid may have been reused between the first and the last read; then the facts are of two processes. */
function sameProcess(pid: number, before: StatFacts, facts: ProcessFacts): Attempt<ProcessFacts> {
  const after = readStat(pid);
  if (!after.ok) return after;
  const same = after.value.startTicks === before.startTicks;
  return same ? succeed(facts) : fail('gone', `pid ${pid} was reused while it was read`);
}

type ExeFacts = Pick<ProcessFacts, 'exe' | 'isExeDeleted'>;

function readExe(pid: number, status: StatusFacts): Attempt<ExeFacts> {
  // A kernel thread has the link but it leads nowhere (ENOENT), which must not look like a vanished process. The same
  // goes for a zombie, which has no memory any more either.
  if (!status.hasMemory) return succeed({ exe: '', isExeDeleted: false });
  const link = readLink(`/proc/${pid}/exe`);
  if (!link.ok) return link;
  const isExeDeleted = link.value.endsWith(' (deleted)');
  return succeed({ exe: isExeDeleted ? link.value.slice(0, -' (deleted)'.length) : link.value, isExeDeleted });
}

const innerPidOf = (nsPids: readonly number[]): { innerPid?: number } => {
  const inner = nsPids.at(-1);
  return nsPids.length > 1 && inner !== undefined ? { innerPid: inner } : {};
};
