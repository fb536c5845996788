// Closes the connections that traced processes have open, from outside, so that they are opened anew and seen from their
// first byte (sock_diag(7), SOCK_DESTROY). Only established TCP connections that the process itself made: what it accepted
// (its local port is one that is listened on) stays. Which of them carry TLS cannot be told from outside.

import { readlinkSync } from 'node:fs';
import { BpfError, destroySockets, isDestroyUnsupported } from '@ebpf-tools/node';
import type { ProcessKey } from '../../model/index.ts';
import { readBounded } from '../proc/attempt.ts';
import { readSocketInodes } from '../proc/sockets.ts';

export interface ResetOutcome {
  /** Connections that were closed. */
  readonly closed: number;
  /** Why not all could be closed, in words for the user; null: they were. */
  readonly problem: string | null;
}

/** As in sockets.ts: 100,000 connections of a whole network namespace. */
const TABLE_LIMIT_BYTES = 16 * 1024 * 1024;
const ESTABLISHED = '01';
const LISTENING = '0A';

interface Row {
  readonly inode: number;
  readonly localPort: string;
  readonly state: string;
}

function parseRows(text: string): Row[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const localPort = /:([0-9A-F]{4})$/.exec(fields[1] ?? '')?.[1];
    const inode = Number(fields[9]);
    return localPort === undefined || !(inode > 0) ? [] : [{ inode, localPort, state: fields[3] ?? '' }];
  });
}

/** Inodes of established connections that were made, not accepted; `tables`: /proc/PID/net/tcp and tcp6 as text. */
export function madeConnections(tables: readonly string[]): number[] {
  const rows = tables.flatMap(parseRows);
  const served = new Set(rows.filter(({ state }) => state === LISTENING).map(({ localPort }) => localPort));
  return rows
    .filter(({ state, localPort }) => state === ESTABLISHED && !served.has(localPort))
    .map(({ inode }) => inode);
}

/** Closes what the processes have open. Needs CAP_NET_ADMIN, and CAP_SYS_ADMIN for those in another network namespace. */
export function resetConnections(processes: readonly ProcessKey[]): ResetOutcome {
  let closed = 0;
  try {
    for (const { pid } of processes) closed += resetOf(pid);
    return { closed, problem: null };
  } catch (error) {
    if (isDestroyUnsupported(error)) return { closed, problem: 'this kernel has no CONFIG_INET_DIAG_DESTROY' };
    if (error instanceof BpfError) return { closed, problem: error.message };
    throw error;
  }
}

function resetOf(pid: number): number {
  const own = readSocketInodes(pid);
  if (!own.ok) return 0;
  const tables = ['tcp', 'tcp6'].flatMap((name) => {
    const text = readBounded(`/proc/${pid}/net/${name}`, TABLE_LIMIT_BYTES);
    return text.ok ? [text.value.toString('latin1')] : [];
  });
  const inodes = madeConnections(tables).filter((inode) => own.value.has(inode));
  return inodes.length === 0 ? 0 : destroySockets(inodes, foreignNamespace(pid));
}

/** Path of the network namespace of a process, empty when it is ours or the process has gone. */
function foreignNamespace(pid: number): string {
  const path = `/proc/${pid}/ns/net`;
  try {
    return readlinkSync(path) === readlinkSync('/proc/self/ns/net') ? '' : path;
  } catch {
    return ''; // gone: its sockets are, too
  }
}
