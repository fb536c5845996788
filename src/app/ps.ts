// `tracer ps`: which processes could be traced, and why the others could not. The same discovery as a capture uses.

import { readFileSync } from 'node:fs';
import {
  discoverProcess,
  isLeftOver,
  type KnownFiles,
  listPids,
  openCallersCache,
  type ProcessDiscovery,
  productOf,
  Refusals,
  readChildren,
  readTcpSockets,
} from '../capture/processes.ts';
import type { TlsLibraryFact } from '../model/index.ts';
import { callersCache } from './discovery-cache.ts';

/** A TLS library of a process, and what was seen of it, one fact per line. */
export interface PsLibrary extends TlsLibraryFact {
  readonly evidence: readonly string[];
}

/** One process of the list. Plain JSON. */
export interface PsRow {
  readonly pid: number;
  /** As the process's own pid namespace counts, when that is another one. */
  readonly innerPid?: number;
  readonly parentPid: number;
  readonly depth: number;
  readonly uid: number;
  /** Name of the user, or the number where it has none. */
  readonly user: string;
  readonly role: string;
  /** E.g. `VS Code`, for the main process of a known editor or Copilot client. */
  readonly product?: string;
  readonly comm: string;
  readonly exe: string;
  /** True when at least one of its TLS libraries can be hooked. */
  readonly hookable: boolean;
  readonly tls: readonly PsLibrary[];
  /** TCP connections that it has now and that tracing would not see, because none of its TLS libraries can be hooked. */
  readonly unseenConnections?: number;
  /** Anything else worth knowing, one sentence each. */
  readonly notes: readonly string[];
}

export interface PsList {
  readonly rows: readonly PsRow[];
  /** Processes that we may not look into. */
  readonly unreadable: number;
}

export interface PsOptions {
  /** Also processes without any TLS library. */
  readonly all: boolean;
}

/** Processes in tree order: children below their parents. */
export function listProcesses(options: PsOptions): PsList {
  const listing = new Listing(options);
  const children = readChildren();
  for (const root of rootsOf(children)) listing.visit(root, children, 0, undefined);
  return { rows: listing.rows, unreadable: listing.unreadable };
}

class Listing {
  readonly rows: PsRow[] = [];
  unreadable = 0;
  readonly #options: PsOptions;
  readonly #known: KnownFiles = new Map();
  readonly #refusals = new Refusals();
  readonly #cache = openCallersCache(callersCache());
  readonly #users = userNames();

  constructor(options: PsOptions) {
    this.#options = options;
  }

  visit(
    pid: number,
    children: ReadonlyMap<number, readonly number[]>,
    depth: number,
    parent: ProcessDiscovery | undefined,
  ): void {
    const parentRole = parent?.role;
    const shared = { known: this.#known, cache: this.#cache, refusals: this.#refusals };
    const options = { ...shared, ...(parentRole !== undefined && { parentRole }) };
    const found = discoverProcess(pid, options);
    if (!found.ok && found.why === 'denied') this.unreadable += 1;
    const row = found.ok && !found.value.process.isKernelThread ? this.#toRow(found.value, depth, parent) : null;
    const isShown = row !== null && pid !== process.pid && (this.#options.all || row.tls.length > 0);
    if (isShown) this.rows.push(row);
    for (const child of children.get(pid) ?? []) {
      this.visit(child, children, isShown ? depth + 1 : depth, found.ok ? found.value : undefined);
    }
  }

  #toRow(found: ProcessDiscovery, depth: number, parent: ProcessDiscovery | undefined): PsRow {
    const { process, role } = found;
    const product = productOf(process);
    return {
      pid: process.pid,
      ...(process.innerPid !== undefined && { innerPid: process.innerPid }),
      parentPid: process.parentPid,
      depth,
      uid: process.uid,
      user: this.#users.get(process.uid) ?? String(process.uid),
      role,
      ...(product !== undefined && { product }),
      comm: process.comm,
      exe: process.exe,
      hookable: found.images.length > 0,
      tls: [...found.images, ...found.unsupported].map((image) => ({
        library: image.version === undefined ? image.library : `${image.library} ${image.version}`,
        file: image.path,
        hooked: image.hooks.length > 0,
        reason: image.reason,
        evidence: image.evidence,
      })),
      ...unseenOf(found),
      notes: notesOf(found, parent),
    };
  }
}

function unseenOf({ process, images, unsupported }: ProcessDiscovery): { unseenConnections?: number } {
  if (images.length > 0 || unsupported.length === 0) return {};
  const sockets = readTcpSockets(process.pid);
  return sockets.ok ? { unseenConnections: sockets.value.filter((socket) => socket.isEstablished).length } : {};
}

function notesOf({ process, role }: ProcessDiscovery, parent: ProcessDiscovery | undefined): string[] {
  const notes: string[] = [];
  if (isLeftOver(role, process.parentPid, parent?.process.comm))
    notes.push('stale: the editor that started it has ended');
  if (process.isExeDeleted) notes.push('its program file was replaced or deleted since it started');
  return notes;
}

/** Processes whose parent is not in the snapshot: init, kthreadd, and what a namespace shows without its parents. */
function rootsOf(children: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const below = new Set([...children.values()].flat());
  const orphans = (children.get(0) ?? []).filter((pid) => pid > 0);
  const others = listPids().filter((pid) => !below.has(pid));
  return [...new Set([...orphans, ...others])];
}

/** The local user database; a name from elsewhere shows as its number, which is quicker than asking a directory service. */
function userNames(): ReadonlyMap<number, string> {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Map(lines.map((line) => line.split(':')).map(([name = '', , uid]) => [Number(uid ?? -1), name]));
  } catch {
    // Names are a convenience: numbers are right, too.
    return new Map();
  }
}
