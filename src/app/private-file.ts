// A file that holds secrets, or was made from what does: it belongs to the user as whom we run, mode 0600, and a symbolic
// link in its place is refused. Writes are asynchronous and in order.

import { closeSync, constants, fchmodSync, fstatSync, openSync, writev } from 'node:fs';
import { TracerError } from '../errors.ts';
import { unwritable } from './failed-output.ts';

/** Opens `path` for writing, emptied. Throws E_FILE_UNWRITABLE. */
export function openPrivate(path: string, user: string): number {
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    const fd = openSync(path, flags, 0o600);
    // A file that existed keeps its mode on open; a device or a pipe (e.g. /dev/full) has none of ours to set. Node's
    // permission model forbids the call as such, so it is made only where it is needed.
    const facts = fstatSync(fd);
    if (facts.isFile() && (facts.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
    return fd;
  } catch (cause) {
    throw unwritable(path, user, cause);
  }
}

/** What is left of the pieces when the first `count` bytes are gone; no empty ones. */
function behind(pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let skip = count;
  return pieces.flatMap((piece) => {
    const from = Math.min(skip, piece.length);
    skip -= from;
    return from === piece.length ? [] : [piece.subarray(from)];
  });
}

export class PrivateFile {
  readonly path: string;
  readonly #fd: number;
  #writtenBytes = 0;

  constructor(path: string, user: string) {
    this.path = path;
    this.#fd = openPrivate(path, user);
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Rejects with E_FILE_FULL. One call at a time. */
  write(bytes: Uint8Array): Promise<void> {
    return this.writeAll([bytes]);
  }

  /** The same for pieces that follow each other, at the cost of one call. */
  async writeAll(pieces: readonly Uint8Array[]): Promise<void> {
    for (let rest = behind(pieces, 0); rest.length > 0; ) {
      const written = await this.#writeSome(rest);
      rest = behind(rest, written);
      this.#writtenBytes += written;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #writeSome(pieces: readonly Uint8Array[]): Promise<number> {
    return new Promise((resolve, reject) => {
      writev(this.#fd, pieces, (cause, written) => {
        if (cause === null) resolve(written);
        else reject(this.#full(cause));
      });
    });
  }

  #full(cause: NodeJS.ErrnoException): TracerError {
    return new TracerError('E_FILE_FULL', { path: this.path, reason: cause.code ?? cause.message }, { cause });
  }
}
