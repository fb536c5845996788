// How many connections of a process with an unhooked TLS library pass unseen: the TCP connections that it was seen to hold,
// which may include some without TLS.

import { readTcpSockets } from '../proc/sockets.ts';

/** Inodes remembered per process: 4096 connections are "many" in any words. */
const MAX_INODES = 4096;

export interface UnseenNote {
  /** E.g. `3 connections unseen`. */
  readonly text: string;
  /** True the first time that there is something to tell. */
  readonly isFirst: boolean;
}

export class UnseenConnections {
  readonly #inodes = new Set<number>();
  /** What was told last: told again when doubled, not at every connection. */
  #told = 0;

  /** Null as long as no connection was seen. */
  look(pid: number): UnseenNote | null {
    const sockets = readTcpSockets(pid);
    for (const { inode, isEstablished } of sockets.ok ? sockets.value : []) {
      if (isEstablished && this.#inodes.size < MAX_INODES) this.#inodes.add(inode);
    }
    return this.note(this.#inodes.size);
  }

  /** Text for a number of connections that only grows. */
  note(count: number): UnseenNote | null {
    const isFirst = this.#told === 0 && count > 0;
    if (isFirst || count >= this.#told * 2) this.#told = count;
    if (this.#told === 0) return null;
    return { text: `${this.#told} connection${this.#told === 1 ? '' : 's'} unseen`, isFirst };
  }
}
