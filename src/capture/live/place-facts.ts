// What surrounds the tracer on this machine, for `tracer doctor`: nothing here stops a start-up.

import { accessSync, constants, readFileSync, readlinkSync } from 'node:fs';
import { freemem, release } from 'node:os';
import { delimiter, join } from 'node:path';
import { uprobeHolders } from '../proc/uprobe-holders.ts';
import { isAtLeast, kernelVersion } from './checks.ts';

/** One line of the doctor. */
export interface PlaceFact {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
  /** What to do, or why nothing needs to be done; empty when all is fine. */
  readonly remedy: string;
}

/** The ring takes this much at the default size; below it the machine would swap or the cgroup would refuse. */
const RING_BUDGET_BYTES = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Absent on this kernel, or not for us: the line then says what it can without it.
    return '';
  }
};

const fine = (name: string, seen: string): PlaceFact => ({ name, ok: true, seen, remedy: '' });

/** Inodes of the initial namespaces (include/linux/proc_ns.h): pids of the kernel side are of the initial one. */
const INITIAL_PID_NAMESPACE = 'pid:[4026531836]';
const INITIAL_USER_NAMESPACE = 'user:[4026531837]';

/** Namespaces as /proc/self/ns links name them. */
export function containerFact(pidNamespace: string, userNamespace: string): PlaceFact {
  const name = 'container';
  if (pidNamespace !== INITIAL_PID_NAMESPACE) {
    const remedy =
      'Run the tracer on the host, or give the container the host’s pids (docker run --pid=host --privileged).';
    return { name, ok: false, seen: 'own pid namespace: processes have other numbers than the kernel says', remedy };
  }
  if (userNamespace !== INITIAL_USER_NAMESPACE) {
    const remedy = 'Run the tracer as root of the host: capabilities of a user namespace do not count for BPF.';
    return { name, ok: false, seen: 'own user namespace', remedy };
  }
  return fine(name, 'none: the host’s namespaces');
}

/** `memory.max` of our cgroup (v2), in bytes; Infinity when there is none. */
function cgroupLimitBytes(): number {
  const group = /^0::(.*)$/m.exec(textOf('/proc/self/cgroup'))?.[1] ?? '/';
  const text = textOf(join('/sys/fs/cgroup', group, 'memory.max')).trim();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

export function ringFact(availableBytes: number, limitBytes: number): PlaceFact {
  const roomBytes = Math.min(availableBytes, limitBytes);
  const seen = `${RING_BUDGET_BYTES / MIB} MiB by default, ${Math.floor(roomBytes / MIB)} MiB of memory are free`;
  if (roomBytes >= RING_BUDGET_BYTES * 4) return fine('ring buffer budget', seen);
  return {
    name: 'ring buffer budget',
    ok: false,
    seen,
    remedy: 'Free some memory, or give a smaller --ring-size, e.g. 4M.',
  };
}

/** Since 5.11 memory of BPF is charged to the cgroup; before, to RLIMIT_MEMLOCK. */
export function memlockFact(kernel: string, limits: string): PlaceFact {
  const name = 'locked memory';
  if (isAtLeast(kernelVersion(kernel), [5, 11]))
    return fine(name, 'no limit to mind: charged to the cgroup since 5.11');
  const limit = /^Max locked memory\s+(\S+)/m.exec(limits)?.[1] ?? 'unknown';
  const isEnough = limit === 'unlimited' || Number(limit) >= RING_BUDGET_BYTES * 4;
  if (isEnough) return fine(name, limit);
  return {
    name,
    ok: false,
    seen: `${limit} bytes`,
    remedy: 'Run `ulimit -l unlimited` in the shell that starts the tracer.',
  };
}

function clangFact(): PlaceFact {
  const name = 'clang';
  const dirs = (process.env['PATH'] ?? '').split(delimiter);
  const found = dirs.map((dir) => join(dir, 'clang')).find(isExecutable);
  // Not finding it is fine, too: it takes no part in tracing.
  return fine(
    name,
    found === undefined ? 'not found: needed for building only' : `${found} (needed for building only)`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The library that the addon was linked to; it is mapped once the addon is loaded. */
export function libbpfFact(maps: string): PlaceFact {
  const version = /libbpf\.so\.(\d+\.\d+\.\d+)/.exec(maps)?.[1];
  if (version !== undefined) return fine('libbpf', version);
  return {
    name: 'libbpf',
    ok: false,
    seen: 'version not known',
    remedy: 'Install libbpf1 (1.1 or later) from the system.',
  };
}

function otherUprobesFact(): PlaceFact {
  const name = 'other uprobes';
  const holders = uprobeHolders();
  if (holders.length === 0) return fine(name, 'none by multi-uprobe links (others are not told by the kernel)');
  const seen = holders.map(({ pid, links, files }) => `process ${pid}: ${links} links ${files.join(', ')}`.trim());
  return {
    name,
    ok: false,
    seen: seen.join('; '),
    remedy: 'Stop these while you measure: each probe on a function costs its callers.',
  };
}

export function placeFacts(): readonly PlaceFact[] {
  return [
    containerFact(readlinkSync('/proc/self/ns/pid'), readlinkSync('/proc/self/ns/user')),
    memlockFact(release(), textOf('/proc/self/limits')),
    ringFact(freeBytes(), cgroupLimitBytes()),
    libbpfFact(textOf('/proc/self/maps')),
    clangFact(),
    otherUprobesFact(),
  ];
}

/** Memory that can be had without swapping: MemAvailable counts caches, os.freemem() does not everywhere. */
function freeBytes(): number {
  const kib = /^MemAvailable:\s+(\d+) kB$/m.exec(textOf('/proc/meminfo'))?.[1];
  return kib === undefined ? freemem() : Number(kib) * 1024;
}
