// Finds a connection by its key without making a string of it: process, then TLS object, then generation. At most one
// generation of a TLS object is open: a newer one says that the older object is gone.

import type { ConnectionKey, ProcessKey } from '../model/index.ts';
import type { Connection } from './connection.ts';

interface Process {
  readonly startNs: bigint;
  readonly bySsl: Map<bigint, Connection>;
}

export class ConnectionTable {
  readonly #processes = new Map<number, Process>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The connection with exactly this key. */
  find(key: ConnectionKey): Connection | undefined {
    const process = this.#processes.get(key.pid);
    if (process === undefined || process.startNs !== key.startNs) return undefined;
    const connection = process.bySsl.get(key.ssl);
    return connection?.key.generation === key.generation ? connection : undefined;
  }

  /** Connections that cannot be alive any more once `key` is: earlier processes of its pid, other uses of its address. */
  displacedBy(key: ConnectionKey): Connection[] {
    const process = this.#processes.get(key.pid);
    if (process === undefined) return [];
    if (process.startNs !== key.startNs) return [...process.bySsl.values()];
    const connection = process.bySsl.get(key.ssl);
    return connection === undefined ? [] : [connection];
  }

  add(connection: Connection): void {
    const { pid, startNs, ssl } = connection.key;
    let process = this.#processes.get(pid);
    if (process === undefined || process.startNs !== startNs) {
      process = { startNs, bySsl: new Map() };
      this.#processes.set(pid, process);
    }
    process.bySsl.set(ssl, connection);
    this.#size++;
  }

  remove(connection: Connection): void {
    const { pid, startNs, ssl } = connection.key;
    const process = this.#processes.get(pid);
    if (process?.startNs !== startNs || process.bySsl.get(ssl) !== connection) return;
    process.bySsl.delete(ssl);
    this.#size--;
    if (process.bySsl.size === 0) this.#processes.delete(pid);
  }

  ofProcess(key: ProcessKey): Connection[] {
    const process = this.#processes.get(key.pid);
    return process === undefined || process.startNs !== key.startNs ? [] : [...process.bySsl.values()];
  }

  all(): Connection[] {
    return [...this.#processes.values()].flatMap((process) => [...process.bySsl.values()]);
  }
}
