// Other programs that hold uprobes: each trap costs the target, whoever asked for it. Seen are multi-uprobe links, which
// tell their kind in /proc/PID/fdinfo (and since Linux 6.16 the file); probes by perf events and tracefs do not.

import { readdirSync } from 'node:fs';
import { failFromError, readBounded, readLink } from './attempt.ts';
import { listPids } from './tree.ts';

/** A process with uprobes, and the files that they sit on, where the kernel tells. */
export interface UprobeHolder {
  readonly pid: number;
  readonly links: number;
  readonly files: readonly string[];
}

const FDINFO_LIMIT_BYTES = 256 * 1024;

/** The file of a multi-uprobe link; empty when not told, undefined for anything else. */
export function uprobeFileOf(fdinfo: string): string | undefined {
  if (!/^link_type:\s*uprobe_multi$/m.test(fdinfo)) return undefined;
  return /^path:\s*(.+)$/m.exec(fdinfo)?.[1] ?? '';
}

function descriptorsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    failFromError(error, `/proc/${pid}/fd`);
    return [];
  }
}

function filesOf(pid: number): readonly string[] {
  return descriptorsOf(pid).flatMap((fd) => {
    const link = readLink(`/proc/${pid}/fd/${fd}`);
    if (!link.ok || link.value !== 'anon_inode:bpf_link') return [];
    const info = readBounded(`/proc/${pid}/fdinfo/${fd}`, FDINFO_LIMIT_BYTES);
    return info.ok ? (uprobeFileOf(info.value.toString('latin1')) ?? []) : [];
  });
}

/** Every process but this one that holds multi-uprobe links. */
export function uprobeHolders(): readonly UprobeHolder[] {
  return listPids().flatMap((pid) => {
    const files = pid === process.pid ? [] : filesOf(pid);
    return files.length === 0 ? [] : [{ pid, links: files.length, files: [...new Set(files.filter(Boolean))] }];
  });
}
