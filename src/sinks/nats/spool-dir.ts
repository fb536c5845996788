// Where a spool lives, and that it has one owner: a directory per server below the user's state directory, in it numbered
// slots, one per running tracer. A slot is locked by an abstract socket, which the kernel releases however a tracer ends;
// what a dead tracer left behind in other slots is taken over.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { TracerError } from '../../errors.ts';
import { segmentsIn } from './spool.ts';

/** More tracers than anybody runs for one server on one machine as one user. */
const MAX_SLOTS = 256;

/** A slot that this process owns. */
export interface SpoolSlot {
  readonly dir: string;
  release(): void;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Creates the directory for its owner alone. Throws when it is somebody else's or others can look into it. */
function privateDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  const isOurs = stat.isDirectory() && stat.uid === process.geteuid?.() && (stat.mode & 0o077) === 0;
  if (!isOurs)
    throw Object.assign(new Error(`${path} must be a directory of this user with mode 0700`), { code: 'EPERM' });
}

function lock(dir: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      cause.code === 'EADDRINUSE' ? resolve(null) : reject(cause),
    );
    server.listen(`\0ebpf-tracer-spool/${hashOf(dir)}`, () => resolve(server.unref()));
  });
}

async function ownSlot(base: string): Promise<SpoolSlot> {
  for (let slot = 0; slot < MAX_SLOTS; slot += 1) {
    const dir = join(base, String(slot));
    privateDir(dir);
    const server = await lock(dir);
    if (server !== null) return { dir, release: () => server.close() };
  }
  throw Object.assign(new Error(`${MAX_SLOTS} tracers use this spool`), { code: 'EAGAIN' });
}

/** Moves the segments of `from` before those of `to`, keeping their order. */
function moveBefore(to: string, from: string): void {
  const numbers = segmentsIn(from);
  const first = (segmentsIn(to)[0] ?? 1_000_000_000) - numbers.length;
  const name = (number: number): string => `${String(number).padStart(12, '0')}.seg`;
  for (const [i, number] of numbers.entries()) renameSync(join(from, name(number)), join(to, name(first + i)));
}

/** What tracers that have gone left in other slots. */
async function adopt(base: string, own: SpoolSlot): Promise<void> {
  for (const name of readdirSync(base)) {
    const dir = join(base, name);
    if (dir === own.dir || !/^\d{1,3}$/.test(name)) continue;
    const server = await lock(dir);
    if (server === null) continue;
    try {
      moveBefore(own.dir, dir);
      if (readdirSync(dir).length === 0) rmdirSync(dir);
    } finally {
      server.close();
    }
  }
}

/** By the user database, not by HOME, like the fingerprint key; a user without a home gets a place below /tmp. */
function candidates(chosen: string | undefined, target: string): readonly string[] {
  if (chosen !== undefined) return [chosen];
  const { homedir, uid } = userInfo();
  const below = join('nats-spool', hashOf(target));
  return [join(homedir, '.local', 'state', 'ebpf-tracer', below), join(tmpdir(), `ebpf-tracer-${uid}`, below)];
}

/**
 * A slot for messages to `target` (servers and stream: what waits for one must not go to another). `chosen` is the user's
 * directory. Throws E_NATS_SPOOL.
 */
export async function openSpoolSlot(chosen: string | undefined, target: string): Promise<SpoolSlot> {
  let failure: NodeJS.ErrnoException | undefined;
  for (const base of candidates(chosen, target)) {
    try {
      privateDir(base);
      const slot = await ownSlot(base);
      await adopt(base, slot);
      return slot;
    } catch (cause) {
      failure = cause as NodeJS.ErrnoException;
      failure.path ??= base;
    }
  }
  const fields = { path: failure?.path ?? chosen ?? '', reason: failure?.message ?? '' };
  throw new TracerError('E_NATS_SPOOL', fields, { cause: failure });
}
