// Who is who: processes and connections of a session, learned from records and engine events. Calls carry only the
// number of their connection; the registry answers with pid and role.

import type { ConnectionId, ConnectionKey, ProcessRecord } from '../model/index.ts';

/** A process as far as it is known. */
export interface KnownProcess {
  readonly pid: number;
  readonly startNs: bigint;
  parentPid: number;
  comm: string;
  exe: string;
  args: readonly string[];
  role: string;
  tls: ProcessRecord['tls'];
  stale?: true;
}

export interface KnownConnection {
  readonly id: ConnectionId;
  readonly pid: number;
  readonly startNs: bigint;
  sni: string | null;
}

/**
 * Exited processes and closed connections are kept for this many newer ones, because late events (the end of a call, a
 * summary) still name them. 4096 × about 1 KiB of command line bounds the memory.
 */
const KEPT_GONE = 4096;

export class Registry {
  /** By pid: the newest process with that pid. */
  readonly #processes = new Map<number, KnownProcess>();
  readonly #gone: KnownProcess[] = [];
  readonly #connections = new Map<ConnectionId, KnownConnection>();
  readonly #closed: ConnectionId[] = [];

  /** Adds or replaces what is known; a fork starts as a copy of its parent until /proc says more. */
  learnProcess(record: ProcessRecord): KnownProcess {
    const { pid, startNs, parentPid, comm, exe, args, role, tls, stale } = record;
    const known = { pid, startNs, parentPid, comm, exe, args, role, tls, ...(stale && { stale }) };
    this.#processes.set(record.pid, known);
    return known;
  }

  forkProcess(parentPid: number, pid: number, startNs: bigint): KnownProcess {
    const parent = this.#processes.get(parentPid);
    const child: KnownProcess = {
      pid,
      startNs,
      parentPid,
      comm: parent?.comm ?? '',
      exe: parent?.exe ?? '',
      args: parent?.args ?? [],
      role: parent?.role ?? 'unknown',
      tls: parent?.tls ?? [],
    };
    this.#processes.set(pid, child);
    return child;
  }

  process(pid: number): KnownProcess | undefined {
    return this.#processes.get(pid);
  }

  exitProcess(pid: number): void {
    const process = this.#processes.get(pid);
    if (process === undefined) return;
    this.#gone.push(process);
    if (this.#gone.length <= KEPT_GONE) return;
    const oldest = this.#gone.shift();
    // The pid may belong to a newer process by now.
    if (oldest !== undefined && this.#processes.get(oldest.pid) === oldest) this.#processes.delete(oldest.pid);
  }

  openConnection(id: ConnectionId, key: ConnectionKey): KnownConnection {
    const known: KnownConnection = { id, pid: key.pid, startNs: key.startNs, sni: null };
    this.#connections.set(id, known);
    return known;
  }

  connection(id: ConnectionId): KnownConnection | undefined {
    return this.#connections.get(id);
  }

  closeConnection(id: ConnectionId): void {
    this.#closed.push(id);
    if (this.#closed.length <= KEPT_GONE) return;
    const oldest = this.#closed.shift();
    if (oldest !== undefined) this.#connections.delete(oldest);
  }

  /** Role of the process behind a connection, `unknown` when it was never seen. */
  roleOf(id: ConnectionId): { readonly pid: number; readonly role: string } {
    const connection = this.#connections.get(id);
    if (connection === undefined) return { pid: 0, role: 'unknown' };
    return { pid: connection.pid, role: this.#processes.get(connection.pid)?.role ?? 'unknown' };
  }
}
