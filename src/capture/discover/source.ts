// Random access to a program file without holding it in memory: programs reach 300 MB. The file may be cut or replaced
// while it is read, so a read may give less than asked and never throws for that.

import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type Attempt, fail, failFromError, succeed } from '../proc/attempt.ts';

/** Bytes at offsets. Everything that parses programs takes this, so tests can feed arrays. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Of a file. */
  readonly dev?: number;
  readonly inode?: number;
  /** As it was opened. */
  readonly path?: string;
  /** Fills `into` from `at` on and returns how many bytes there were. */
  readonly read: (at: number, into: Uint8Array) => number;
}

export interface FileSource extends ByteSource {
  readonly dev: number;
  readonly inode: number;
  readonly path: string;
  readonly close: () => void;
}

/** Opens a regular file for reading. The caller closes it. */
export function openFileSource(path: string): Attempt<FileSource> {
  try {
    const fd = openSync(path, 'r');
    const stat = fstatSync(fd);
    return succeed(sourceOf(fd, path, stat));
  } catch (error) {
    return failFromError(error, path);
  }
}

const sourceOf = (fd: number, path: string, stat: Stats): FileSource => ({
  sizeBytes: stat.isFile() ? stat.size : 0,
  dev: stat.dev,
  inode: stat.ino,
  path,
  read: (at, into) => readFully(fd, at, into),
  close: () => closeSync(fd),
});

/** O_PATH of open(2), which Node does not name: finds the file without opening it. */
const O_PATH = 0o10_000_000;

/** The same for a name that somebody else may have put anything behind: opening a pipe would wait for its other end, and opening
 * a device do whatever it does. So what is there is looked at first, and that very inode opened. */
export function openForeignFile(path: string): Attempt<FileSource> {
  let found: number | undefined;
  try {
    found = openSync(path, O_PATH);
    if (!fstatSync(found).isFile()) return fail('broken', `${path}: not a regular file`);
    const fd = openSync(`/proc/self/fd/${found}`, 'r');
    return succeed(sourceOf(fd, path, fstatSync(fd)));
  } catch (error) {
    return failFromError(error, path);
  } finally {
    if (found !== undefined) closeSync(found);
  }
}

/** pread until `into` is full or the file ends. An I/O error reads as the end: the parser then sees a cut file. */
function readFully(fd: number, at: number, into: Uint8Array): number {
  let done = 0;
  try {
    while (done < into.length) {
      const got = readSync(fd, into, done, into.length - done, at + done);
      if (got === 0) break;
      done += got;
    }
  } catch (error) {
    failFromError(error, 'program file');
  }
  return done;
}

export const bytesSource = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.length,
  read: (at, into) => {
    const part = bytes.subarray(Math.min(at, bytes.length), Math.min(at + into.length, bytes.length));
    into.set(part);
    return part.length;
  },
});
