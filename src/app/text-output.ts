// Text to a file descriptor without ever blocking the event loop: writes go through libuv's thread pool, one at a time,
// in order. (process.stdout is synchronous on pipes: a stalled reader would stop the consumer and fill the ring.)

import { write } from 'node:fs';

export interface TextOutput {
  write(text: string): void;
  backlogBytes(): number;
  /** Resolves when at most `bytes` are left to write. */
  below(bytes: number): Promise<void>;
  /** The first error that the descriptor gave, e.g. EPIPE: everything after it is discarded. */
  error(): NodeJS.ErrnoException | null;
}

interface Waiter {
  readonly bytes: number;
  readonly resolve: () => void;
}

/** 1 MiB per write call: large enough to be cheap, small enough to notice a closed pipe soon. */
const MAX_WRITE_BYTES = 1024 * 1024;
/** A terminal or a pipe set to non-blocking answers EAGAIN; try again after this time. */
const RETRY_MS = 5;

class FdOutput implements TextOutput {
  readonly #fd: number;
  readonly #onError: (error: NodeJS.ErrnoException) => void;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #busy = false;
  #error: NodeJS.ErrnoException | null = null;
  #waiters: Waiter[] = [];

  constructor(fd: number, onError: (error: NodeJS.ErrnoException) => void) {
    this.#fd = fd;
    this.#onError = onError;
  }

  write(text: string): void {
    if (this.#error !== null || text === '') return;
    const bytes = Buffer.from(text, 'utf8');
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (!this.#busy) this.#writeNext();
  }

  backlogBytes(): number {
    return this.#queuedBytes;
  }

  below(bytes: number): Promise<void> {
    if (this.#queuedBytes <= bytes) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ bytes, resolve }));
  }

  error(): NodeJS.ErrnoException | null {
    return this.#error;
  }

  #takeBlock(): Buffer {
    let count = 0;
    let size = 0;
    while (count < this.#queue.length && size < MAX_WRITE_BYTES) size += this.#queue[count++]?.length ?? 0;
    return Buffer.concat(this.#queue.splice(0, count));
  }

  #writeNext(): void {
    if (this.#queue.length === 0) return;
    this.#busy = true;
    this.#writeRest(this.#takeBlock());
  }

  #writeRest(block: Buffer): void {
    write(this.#fd, block, 0, block.length, null, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeRest(block), RETRY_MS);
      } else if (error !== null) {
        this.#fail(error);
      } else {
        this.#queuedBytes -= written;
        this.#wake();
        if (written < block.length) this.#writeRest(block.subarray(written));
        else {
          this.#busy = false;
          this.#writeNext();
        }
      }
    });
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#error = error;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#busy = false;
    this.#wake();
    this.#onError(error);
  }

  #wake(): void {
    const due = this.#waiters.filter((waiter) => this.#queuedBytes <= waiter.bytes);
    if (due.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => this.#queuedBytes > waiter.bytes);
    for (const waiter of due) waiter.resolve();
  }
}

/** `onError` is called once, with the first error. */
export function openTextOutput(fd: number, onError: (error: NodeJS.ErrnoException) => void): TextOutput {
  return new FdOutput(fd, onError);
}
