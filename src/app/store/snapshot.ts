// A copy in memory of a SQLite database that another program may be writing. Nothing but reads: no lock, no temporary file,
// no -shm. A checkpoint while we read would mix two states, so both files are looked at again afterwards.

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { readingReason, TracerError } from '../../errors.ts';
import { MAX_IMAGE_BYTES, mergeWal } from './wal.ts';

export interface Snapshot {
  readonly image: Uint8Array;
  readonly bytes: number;
  /** Bytes in the write-ahead log, 0 when there is none. */
  readonly walBytes: number;
}

interface Copy {
  readonly bytes: Uint8Array;
  /** Changes with every write. */
  readonly stamp: string;
}

const SQLITE_MAGIC = 'SQLite format 3\0';
const TRIES = 5;

const unreadable = (path: string, reason: string, cause?: unknown): TracerError =>
  new TracerError('E_STORE_UNREADABLE', { path, reason }, { cause });

/** Null when there is no such file. The last component may be no symbolic link. */
function copyOf(path: string): Copy | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(path, readingReason(cause), cause);
  }
  try {
    const { size, mtimeNs, ino } = fstatSync(fd, { bigint: true });
    if (!fstatSync(fd).isFile()) throw unreadable(path, 'it is no file');
    if (size > MAX_IMAGE_BYTES) throw unreadable(path, `it has ${size} bytes, more than ${MAX_IMAGE_BYTES}`);
    return { bytes: new Uint8Array(readFileSync(fd)), stamp: `${ino} ${size} ${mtimeNs}` };
  } finally {
    closeSync(fd);
  }
}

/** Throws E_STORE_UNREADABLE. */
export function snapshotOf(path: string): Snapshot {
  for (let tries = 0; tries < TRIES; tries++) {
    const wal = copyOf(`${path}-wal`);
    const database = copyOf(path);
    if (database === null) throw unreadable(path, 'there is no such file');
    const magic = Buffer.from(database.bytes.subarray(0, SQLITE_MAGIC.length)).toString('latin1');
    if (magic !== SQLITE_MAGIC) throw unreadable(path, 'it is no SQLite database');
    const isSame = copyOf(`${path}-wal`)?.stamp === wal?.stamp && copyOf(path)?.stamp === database.stamp;
    if (!isSame) continue;
    const image = mergeWal(database.bytes, wal?.bytes ?? null);
    return { image, bytes: database.bytes.length, walBytes: wal?.bytes.length ?? 0 };
  }
  throw unreadable(path, 'it changed all the time while it was read');
}
