// The file of an export: for its owner alone, written synchronously in large pieces. An export has time, and what it makes of
// one block is written before the next is read.

import { closeSync, writeSync } from 'node:fs';
import { TracerError } from '../errors.ts';
import type { ExportFile } from '../sinks/index.ts';
import { openPrivate } from './private-file.ts';

/** Text that waits to be written. */
const BUFFER_BYTES = 256 * 1024;

class SyncFile implements ExportFile {
  readonly #path: string;
  readonly #fd: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;

  constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
  }

  write(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data.slice();
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= BUFFER_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#fd);
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (cause) {
      const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
      throw new TracerError('E_EXPORT_FULL', { path: this.#path, reason }, { cause });
    }
  }
}

/** `-` is standard output. Throws E_FILE_UNWRITABLE; writing throws E_EXPORT_FULL. */
export function openExportFile(path: string, user: string): ExportFile {
  return new SyncFile(path, openPrivate(path === '-' ? '/dev/stdout' : path, user));
}
