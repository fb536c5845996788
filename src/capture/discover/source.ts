// Random access to a program file without holding it in memory: programs reach 300 MB. The file may be cut or replaced
// while it is read, so a read may give less than asked and never throws for that.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Attempt, failFromError, succeed } from '../proc/attempt.ts';

/** Bytes at offsets. Everything that parses programs takes this, so tests can feed arrays. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Of a file. */
  readonly dev?: number;
  readonly inode?: number;
  /** Fills `into` from `at` on and returns how many bytes there were. */
  readonly read: (at: number, into: Uint8Array) => number;
}

export interface FileSource extends ByteSource {
  readonly dev: number;
  readonly inode: number;
  readonly close: () => void;
}

/** Opens a regular file for reading. The caller closes it. */
export function openFileSource(path: string): Attempt<FileSource> {
  try {
    const fd = openSync(path, 'r');
    const stat = fstatSync(fd);
    return succeed({
      sizeBytes: stat.isFile() ? stat.size : 0,
      dev: stat.dev,
      inode: stat.ino,
      read: (at, into) => readFully(fd, at, into),
      close: () => closeSync(fd),
    });
  } catch (error) {
    return failFromError(error, path);
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
