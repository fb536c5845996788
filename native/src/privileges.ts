// Giving up rights, for the whole process, and the proof of it: what /proc says of every thread.
import { readdirSync, readFileSync } from 'node:fs';
import { binding } from './binding.ts';
import { bitsOf, type Capability, namesOf } from './capabilities.ts';
import { checkInteger } from './check.ts';
import { BpfError, unwrap } from './error.ts';

/** (uid_t)-1 means "unchanged" to the kernel, so it is not a user. */
const MAX_ID = 2 ** 32 - 2;

export interface DropPrivilegesSpec {
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups; all others are given up. */
  readonly groups: readonly number[];
  /** Capabilities that stay permitted and effective; all others are given up for good. */
  readonly keep: readonly Capability[];
}

/** What `/proc/self/task/TID/status` says of one thread. */
export interface ThreadCredentials {
  readonly tid: number;
  /** Real, effective, saved and file-system id. */
  readonly uid: readonly number[];
  readonly gid: readonly number[];
  readonly groups: readonly number[];
  readonly permitted: readonly Capability[];
  readonly effective: readonly Capability[];
  readonly noNewPrivs: boolean;
}

const field = (status: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '';
const numbers = (text: string): number[] => text.split(/\s+/).filter(Boolean).map(Number);

/** Reads the text of a `status` file of /proc. */
export const parseStatus = (tid: number, status: string): ThreadCredentials => ({
  tid,
  uid: numbers(field(status, 'Uid')),
  gid: numbers(field(status, 'Gid')),
  groups: numbers(field(status, 'Groups')),
  permitted: namesOf(BigInt(`0x${field(status, 'CapPrm') || '0'}`)),
  effective: namesOf(BigInt(`0x${field(status, 'CapEff') || '0'}`)),
  noNewPrivs: field(status, 'NoNewPrivs') === '1',
});

const readStatus = (tid: string): string | undefined => {
  try {
    return readFileSync(`/proc/self/task/${tid}/status`, 'utf8');
  } catch {
    return undefined; // the thread has ended since the listing
  }
};

/** The credentials of every thread of this process. */
export const threadCredentials = (): ThreadCredentials[] =>
  readdirSync('/proc/self/task').flatMap((tid) => {
    const status = readStatus(tid);
    return status === undefined ? [] : [parseStatus(Number(tid), status)];
  });

const sameSet = (a: readonly (number | string)[], b: readonly (number | string)[]): boolean =>
  a.length === b.length && a.every((item) => b.includes(item));

const isAsOrdered = (thread: ThreadCredentials, spec: DropPrivilegesSpec): boolean =>
  thread.uid.every((uid) => uid === spec.uid) &&
  thread.gid.every((gid) => gid === spec.gid) &&
  sameSet(thread.groups, [...new Set(spec.groups)]) &&
  sameSet(thread.permitted, spec.keep) &&
  sameSet(thread.effective, spec.keep) &&
  thread.noNewPrivs;

/**
 * Makes every thread of the process (libuv's, V8's, workers', ring buffers') run as `uid`/`gid`/`groups` with exactly the
 * kept capabilities, sets no_new_privs (no program that it starts gains rights) and makes the process undumpable (processes
 * of the same user cannot trace it). Cannot be undone. Blocks for about a millisecond per ten threads.
 *
 * Needs CAP_SETUID, CAP_SETGID and the capabilities to keep; when those are missing nothing is changed. Any other failure
 * may leave threads with different rights: end the process then.
 * @throws BpfError EPERM, ETIMEDOUT (a thread did not answer), EIO (a thread's status is not as ordered).
 */
export const dropPrivileges = (spec: DropPrivilegesSpec): void => {
  checkInteger('uid', spec.uid, 0, MAX_ID);
  checkInteger('gid', spec.gid, 0, MAX_ID);
  for (const group of spec.groups) checkInteger('groups', group, 0, MAX_ID);
  unwrap(binding.dropPrivileges(spec.uid, spec.gid, spec.groups, bitsOf(spec.keep)));
  const wrong = threadCredentials().find((thread) => !isAsOrdered(thread, spec));
  if (!wrong) return;
  throw new BpfError(
    { errno: 5, code: 'EIO', operation: 'dropPrivileges', detail: `thread ${wrong.tid} kept other rights` },
    'End the process: its threads have different rights.',
  );
};
