// An attachment of a program to a place. Closing it detaches.
import { binding, type LinkHandle } from './binding.ts';
import { unwrap } from './error.ts';

/** Marks the link as closed and hands out what is left to detach; undefined when it was closed before. */
const takeHandle = Symbol('takeHandle');

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

  /**
   * Detaches, and returns when the program runs no more. A second call does nothing. Blocks: for a uprobe tens of
   * milliseconds, in which the kernel waits for every CPU. Use {@link closeLinks} for several, or where the event loop must go on.
   */
  close(): void {
    closeLinksNow([this]);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @internal */
  [takeHandle](): LinkHandle | undefined {
    if (this.#isClosed) return undefined;
    this.#isClosed = true;
    this.#onClose(this);
    return this.#handle;
  }
}

const takeHandles = (links: readonly Link[]): LinkHandle[] =>
  links.map((link) => link[takeHandle]()).filter((handle) => handle !== undefined);

/** For this package only: the blocking form of {@link closeLinks}. */
export const closeLinksNow = (links: readonly Link[]): void => {
  unwrap(binding.linksClose(takeHandles(links)));
};

/**
 * Detaches all of them, away from the event loop and in parallel: many multi-uprobe links take hardly longer than one (the
 * kernel detaches perf event uprobes one after the other, about 0.1 s each). Resolves when their programs run no more.
 * Links that are closed already are left out.
 */
export const closeLinks = (links: readonly Link[]): Promise<void> =>
  new Promise((resolve) => {
    unwrap(binding.linksCloseAsync(takeHandles(links), resolve));
  });
