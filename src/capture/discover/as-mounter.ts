// Files in a FUSE mount, as AppImages are run from. Without `allow_other` the kernel lets nobody but the mount's owner look in,
// root included (fuse(4); every id of the reader must be the owner's). So while the tracer is root, such a file is looked into
// by a child process that runs as the owner, with no rights but the owner's, and answers with what it found as JSON. After
// start-up the tracer itself runs as the invoking user, who mostly is that owner.
//
// The answer comes from a process that its user may tamper with: it is checked like any outside data, and it concerns
// files of that user only.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Attempt, fail, readBounded, succeed } from '../proc/attempt.ts';
import type { MappedFile } from '../proc/maps.ts';
import { type FileFindings, isFileFindings } from './findings.ts';

export interface Mounter {
  readonly uid: number;
  readonly gid: number;
}

/** A machine of containers has some thousand mounts of 200 bytes. */
const MOUNTS_LIMIT_BYTES = 4 * 1024 * 1024;

/** A browser of 300 MB through FUSE takes some seconds; a file system that never answers must not hold the tracer up. */
const PATIENCE_MS = 20_000;

const ANSWER_LIMIT_BYTES = 1024 * 1024;

/** Who may look into the FUSE mount with this device number; undefined: it is no FUSE mount. proc(5), mountinfo. */
export function mounterOf(mountinfo: string, dev: string): Mounter | undefined {
  const [major, minor] = dev.split(':').map((part) => Number.parseInt(part, 16));
  for (const line of mountinfo.split('\n')) {
    const [mount = '', fileSystem = ''] = line.split(' - ');
    if (mount.split(' ')[2] !== `${major}:${minor}`) continue;
    const [, uid, gid] = /^fuse.*[ ,]user_id=(\d+),group_id=(\d+)/.exec(fileSystem) ?? [];
    return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** What the file holds, as the owner of its mount sees it; undefined when it is in no FUSE mount of another user. */
export function inspectAsMounter(pid: number, file: MappedFile, exe: string): Attempt<FileFindings> | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  const mounts = readBounded(`/proc/${pid}/mountinfo`, MOUNTS_LIMIT_BYTES);
  const mounter = mounts.ok ? mounterOf(mounts.value.toString('utf8'), file.dev) : undefined;
  if (mounter === undefined || mounter.uid === 0) return undefined;
  const path = file.path === exe ? `/proc/${pid}/exe` : `/proc/${pid}/root${file.path}`;
  return askChild(mounter, path, file.inode);
}

/** libuv drops the supplementary groups when it changes the user. */
function askChild({ uid, gid }: Mounter, path: string, inode: number): Attempt<FileFindings> {
  const program = fileURLToPath(new URL('./inspect-once.js', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [program, path, String(inode)], {
    uid,
    gid,
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: ANSWER_LIMIT_BYTES,
  });
  const findings = parseAnswer(stdout);
  return findings === undefined ? fail('denied', `${path}: user ${uid} cannot read it`) : succeed(findings);
}

/** The child's one line. */
export function parseAnswer(text: unknown): FileFindings | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return isFileFindings(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
