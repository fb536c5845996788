// /proc/PID/stat and /proc/PID/status: who a process is. proc(5).

import { type Attempt, fail, readBounded, succeed } from './attempt.ts';

export interface StatFacts {
  readonly comm: string;
  readonly parentPid: number;
  readonly startTicks: bigint;
  /** It has ended and waits for its parent to take note (state Z), or is just being removed (X). */
  readonly hasEnded: boolean;
}

export interface StatusFacts {
  /** The process that a thread belongs to: its own number, unless this is the number of a thread. */
  readonly threadGroup: number;
  readonly uid: number;
  readonly gid: number;
  /** The pid in each nested pid namespace, outermost (as seen by the reader) first. One entry outside containers. */
  readonly nsPids: readonly number[];
  /** Kernel threads have no address space. */
  readonly hasMemory: boolean;
}

const TEXT_LIMIT_BYTES = 64 * 1024;

/** `pid (comm) state ppid …`: comm may hold spaces and parentheses, so the last `)` ends it. */
export function parseStat(text: string): StatFacts | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  // Field 3 (state) is fields[0]; ppid, field 4, is [1] and starttime, field 22, is [19].
  const fields = text.slice(close + 2).split(' ');
  const hasEnded = fields[0] === 'Z' || fields[0] === 'X';
  const parent = fields[1];
  const start = fields[19];
  if (parent === undefined || start === undefined || !/^\d+$/.test(start)) return undefined;
  return { comm: text.slice(open + 1, close), parentPid: Number(parent), startTicks: BigInt(start), hasEnded };
}

export function parseStatus(text: string): StatusFacts | undefined {
  const field = (name: string): string[] => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1]?.split(/\s+/) ?? [];
  const threadGroup = Number(field('Tgid')[0]);
  const uid = Number(field('Uid')[1]);
  const gid = Number(field('Gid')[1]);
  if (![threadGroup, uid, gid].every(Number.isInteger)) return undefined;
  return { threadGroup, uid, gid, nsPids: field('NSpid').map(Number), hasMemory: field('VmSize').length > 0 };
}

const readParsed = <T>(path: string, parse: (text: string) => T | undefined): Attempt<T> => {
  const text = readBounded(path, TEXT_LIMIT_BYTES);
  if (!text.ok) return text;
  const facts = parse(text.value.toString('utf8'));
  return facts === undefined ? fail('broken', path) : succeed(facts);
};

export const readStat = (pid: number): Attempt<StatFacts> => readParsed(`/proc/${pid}/stat`, parseStat);

export const readStatus = (pid: number): Attempt<StatusFacts> => readParsed(`/proc/${pid}/status`, parseStatus);

/** The process that this is a thread of; the number itself where it is a process, or nothing by that number can be read. */
export function processOfThread(id: number): number {
  const status = readStatus(id);
  return status.ok ? status.value.threadGroup : id;
}
