// The key of this installation's fingerprints: equal secrets get equal fingerprints on this machine for this user, and
// nobody without the key can test a guess. 32 random bytes, 0600, in the user's configuration directory.

import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

const KEY_BYTES = 32;

/** By the user database, not by HOME: sudo and su leave HOME at several values, and live and replay must agree. */
const configDir = (): string => join(userInfo().homedir, '.config', 'ebpf-tracer');

function readKey(path: string): Uint8Array | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(fd);
    const key = new Uint8Array(KEY_BYTES);
    // A key that others can read or that somebody else wrote protects nothing: make a fresh one for this run.
    const isOurs = stat.uid === process.geteuid?.() && (stat.mode & 0o077) === 0;
    return isOurs && readSync(fd, key, 0, KEY_BYTES, 0) === KEY_BYTES ? key : null;
  } finally {
    closeSync(fd);
  }
}

/** Not `recursive`: that never returns where the kernel answers ENOENT to mkdir itself, as /proc does. */
function makePrivate(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function createKey(dir: string, path: string): Uint8Array {
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  for (const path of [dirname(dir), dir]) makePrivate(path);
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, key);
  } finally {
    closeSync(fd);
  }
  return key;
}

/**
 * The key of the user as whom the process runs now, made at first use. `kept` is false when none could be read or stored
 * (a user without a home): fingerprints then hold for this run only.
 */
export function installationKey(dir: string = configDir()): { readonly key: Uint8Array; readonly kept: boolean } {
  const path = join(dir, 'fingerprint.key');
  const existing = readKey(path);
  if (existing !== null) return { key: existing, kept: true };
  try {
    return { key: createKey(dir, path), kept: true };
  } catch {
    return { key: new Uint8Array(randomBytes(KEY_BYTES)), kept: false };
  }
}
