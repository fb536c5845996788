// TCP connections that a process holds, from the inodes of its descriptors and the tables of its network namespace. A
// snapshot: a connection that opens and closes between two looks is not seen. proc(5), net/tcp and fd.

import { readdirSync } from 'node:fs';
import { type Attempt, failFromError, readBounded, readLink, succeed } from './attempt.ts';

export interface TcpSocket {
  readonly inode: number;
  readonly isEstablished: boolean;
}

/** A line is 150 bytes: 100,000 connections of a whole network namespace. */
const TABLE_LIMIT_BYTES = 16 * 1024 * 1024;
/** A process may hold a million descriptors; what is beyond these is not looked at. */
const MAX_DESCRIPTORS = 4096;

const ESTABLISHED = '01';

/** Rows of /proc/PID/net/tcp: `sl local remote st queues timer retransmit uid timeout inode …`. */
export function parseTcpTable(text: string): TcpSocket[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [state, inode] = [fields[3], fields[9]];
    if (state === undefined || inode === undefined || !/^[1-9]\d*$/.test(inode)) return [];
    return [{ inode: Number(inode), isEstablished: state === ESTABLISHED }];
  });
}

/** Inodes of the sockets of any kind that a process has open. */
export function readSocketInodes(pid: number): Attempt<ReadonlySet<number>> {
  const directory = `/proc/${pid}/fd`;
  try {
    const inodes = new Set<number>();
    for (const name of readdirSync(directory).slice(0, MAX_DESCRIPTORS)) {
      const link = readLink(`${directory}/${name}`);
      const inode = link.ok ? /^socket:\[(\d+)\]$/.exec(link.value)?.[1] : undefined;
      if (inode !== undefined) inodes.add(Number(inode));
    }
    return succeed(inodes);
  } catch (error) {
    return failFromError(error, directory);
  }
}

/** TCP sockets of a process that are not closed, IPv4 and IPv6. */
export function readTcpSockets(pid: number): Attempt<readonly TcpSocket[]> {
  const own = readSocketInodes(pid);
  if (!own.ok) return own;
  if (own.value.size === 0) return succeed([]);
  const sockets: TcpSocket[] = [];
  for (const table of ['tcp', 'tcp6']) {
    const text = readBounded(`/proc/${pid}/net/${table}`, TABLE_LIMIT_BYTES);
    // Absent where IPv6 is switched off.
    if (text.ok) sockets.push(...parseTcpTable(text.value.toString('latin1')).filter((s) => own.value.has(s.inode)));
  }
  return succeed(sockets);
}
