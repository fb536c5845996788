// An attachment of a program to a place. Closing it detaches.
import { binding, type LinkHandle } from './binding.ts';
import { unwrap } from './error.ts';

/**
 * One attachment. Made by the attach methods of {@link Program}; its object closes it too, at the latest.
 * The process's end detaches everything, however it ends.
 */
export class Link {
  readonly #handle: LinkHandle;
  readonly #onClose: (link: Link) => void;
  #isClosed = false;

  /** For this package only. */
  constructor(handle: LinkHandle, onClose: (link: Link) => void) {
    this.#handle = handle;
    this.#onClose = onClose;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Detaches. A second call does nothing. The kernel waits for programs that are running, so this may take milliseconds. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    unwrap(binding.linkClose(this.#handle));
    this.#onClose(this);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
