// `tracer ps`: which processes could be traced, and why the others could not. The same discovery as a capture uses.

import { discoverProcess, type KnownFiles, listPids, type ProcessDiscovery, readChildren } from '../capture/index.ts';
import type { TlsLibraryFact } from '../model/index.ts';

/** One process of the list. Plain JSON. */
export interface PsRow {
  readonly pid: number;
  /** As the process's own pid namespace counts, when that is another one. */
  readonly innerPid?: number;
  readonly parentPid: number;
  readonly depth: number;
  readonly user: number;
  readonly role: string;
  readonly comm: string;
  readonly exe: string;
  readonly tls: readonly TlsLibraryFact[];
}

export interface PsOptions {
  /** Also processes without any TLS library. */
  readonly all: boolean;
}

/** Processes in tree order: children below their parents. */
export function listProcesses(options: PsOptions): readonly PsRow[] {
  const children = readChildren();
  const known: KnownFiles = new Map();
  const rows: PsRow[] = [];
  const visit = (pid: number, depth: number, parentRole: ProcessDiscovery['role'] | undefined): void => {
    const found = discoverProcess(pid, { known, ...(parentRole !== undefined && { parentRole }) });
    const row = found.ok && !found.value.process.isKernelThread ? toRow(found.value, depth) : null;
    const isShown = row !== null && (options.all || row.tls.length > 0);
    if (isShown) rows.push(row);
    for (const child of children.get(pid) ?? []) {
      visit(child, isShown ? depth + 1 : depth, found.ok ? found.value.role : undefined);
    }
  };
  for (const root of rootsOf(children)) visit(root, 0, undefined);
  return rows;
}

/** Processes whose parent is not in the snapshot: init, kthreadd, and what a namespace shows without its parents. */
function rootsOf(children: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const below = new Set([...children.values()].flat());
  const orphans = (children.get(0) ?? []).filter((pid) => pid > 0);
  const others = listPids().filter((pid) => !below.has(pid));
  return [...new Set([...orphans, ...others])];
}

function toRow(found: ProcessDiscovery, depth: number): PsRow {
  const { process, role } = found;
  const images = [...found.images, ...found.unsupported];
  return {
    pid: process.pid,
    ...(process.innerPid !== undefined && { innerPid: process.innerPid }),
    parentPid: process.parentPid,
    depth,
    user: process.uid,
    role,
    comm: process.comm,
    exe: process.exe,
    tls: images.map((image) => ({
      library: image.version === undefined ? image.library : `${image.library} ${image.version}`,
      file: image.path,
      hooked: image.hooks.length > 0,
      reason: image.reason,
    })),
  };
}
