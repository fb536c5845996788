// Reading /proc as a value: a process may vanish, or refuse, between any two reads. That is an answer, not an error.

import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';

/** `gone`: no such process (any more). `denied`: needs more rights. `broken`: the kernel's text is not what proc(5) says. */
export type AttemptFailure = 'gone' | 'denied' | 'broken';

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: AttemptFailure; readonly detail: string };

export const succeed = <T>(value: T): Attempt<T> => ({ ok: true, value });

export const fail = <T>(why: AttemptFailure, detail: string): Attempt<T> => ({ ok: false, why, detail });

/** Codes that proc(5) files give for a process that exited: ENOENT before the open, ESRCH between open and read. */
const GONE = new Set(['ENOENT', 'ESRCH', 'ENOTDIR']);
const DENIED = new Set(['EACCES', 'EPERM']);

/** Turns what node:fs throws into a failed attempt; anything that is no system error is a bug and is thrown on. */
export function failFromError<T>(error: unknown, path: string): Attempt<T> {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  const code = String(error.code);
  if (GONE.has(code)) return fail('gone', `${path}: ${code}`);
  return fail(DENIED.has(code) ? 'denied' : 'broken', `${path}: ${code}`);
}

const READ_STEP_BYTES = 64 * 1024;

/** The file's bytes up to `limitBytes`. Files in /proc have no size, so they are read until they end. */
export function readBounded(path: string, limitBytes: number): Attempt<Buffer> {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    return succeed(readToEnd(fd, limitBytes));
  } catch (error) {
    return failFromError(error, path);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readToEnd(fd: number, limitBytes: number): Buffer {
  const parts: Buffer[] = [];
  let total = 0;
  while (total < limitBytes) {
    const part = Buffer.allocUnsafe(Math.min(READ_STEP_BYTES, limitBytes - total));
    const got = readSync(fd, part, 0, part.length, null);
    if (got === 0) break;
    parts.push(part.subarray(0, got));
    total += got;
  }
  return Buffer.concat(parts, total);
}

export function readLink(path: string): Attempt<string> {
  try {
    return succeed(readlinkSync(path));
  } catch (error) {
    return failFromError(error, path);
  }
}
