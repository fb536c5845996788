// A program of an object: attaching it, and what it has cost.
import { binding, type LinkHandle, type ProgramHandle } from './binding.ts';
import { checkInteger, checkText, checkUnsigned } from './check.ts';
import { unwrap } from './error.ts';
import { Link } from './link.ts';

const MAX_PID = 2 ** 31 - 1;

/** Attach types that have to be set before load, by number, because libbpf 1.1 does not know them. */
export const ATTACH_TYPE = {
  /** BPF_TRACE_UPROBE_MULTI, kernel 6.6 or later: {@link Program.attachUprobeMulti}. */
  uprobeMulti: 48,
  /** BPF_TRACE_UPROBE_SESSION, kernel 6.13 or later: one program at entry and return. */
  uprobeSession: 57,
} as const;

/** Where a uprobe goes. */
export interface UprobeSpec {
  /** The ELF file; `/proc/PID/root/…` and `/proc/PID/map_files/…` work for another mount namespace. */
  readonly path: string;
  /** File offset in bytes (not an address); relative to `symbol` when that is given. Default 0. */
  readonly offset?: number | bigint;
  /** Function name to look up in the file's symbol tables. */
  readonly symbol?: string;
  /** Only in this process; -1 (default) = every process that maps the file, also later ones. */
  readonly pid?: number;
  /** Fire when the function returns instead of when it is entered. */
  readonly retprobe?: boolean;
  /** Value that the program reads with bpf_get_attach_cookie (kernel 5.15 or later). */
  readonly cookie?: bigint;
}

/** Where a multi-uprobe goes: many offsets of one file in one link. */
export interface UprobeMultiSpec {
  readonly path: string;
  /** File offsets in bytes, at least one. */
  readonly offsets: readonly (number | bigint)[];
  /** One cookie per offset. */
  readonly cookies?: readonly bigint[];
  /** As in {@link UprobeSpec}. */
  readonly pid?: number;
  readonly retprobe?: boolean;
}

/** What the kernel knows of a loaded program. Counts stay 0 until {@link enableStats} is on. */
export interface ProgramStats {
  /** Kernel's id of the program. */
  readonly id: number;
  /** Instructions that the verifier walked. */
  readonly verifiedInstructions: number;
  readonly runCount: bigint;
  readonly runTimeNs: bigint;
  /** Runs that were skipped because the program was already running on that CPU. */
  readonly recursionMisses: bigint;
}

/** A program of a {@link BpfObject}. Usable from load until its object is closed. */
export class Program {
  readonly name: string;
  /** ELF section, such as `uprobe` or `raw_tp/sched_process_exit`. */
  readonly section: string;
  readonly #handle: ProgramHandle;
  readonly #links: Set<Link>;

  /** For this package only. `links` is the object's set: it closes what is still in it. */
  constructor(name: string, section: string, handle: ProgramHandle, links: Set<Link>) {
    this.name = name;
    this.section = section;
    this.#handle = handle;
    this.#links = links;
  }

  /**
   * Attaches to one place through a perf event (any kernel with uprobes). Needs CAP_SYS_ADMIN on most kernels.
   * @throws BpfError ENOENT (no such file), ESRCH (no such process), EINVAL (not an instruction boundary), EACCES, …
   */
  attachUprobe(spec: UprobeSpec): Link {
    const { path, offset = 0, symbol = '', pid = -1, retprobe = false, cookie = 0n } = spec;
    checkText('path', path);
    checkUnsigned('offset', offset);
    checkInteger('pid', pid, -1, MAX_PID);
    checkUnsigned('cookie', cookie);
    return this.#link(binding.programAttachUprobe(this.#handle, path, offset, symbol, pid, retprobe, cookie));
  }

  /**
   * Attaches to many places of one file in one link (kernel 6.6 or later; CAP_BPF and CAP_PERFMON suffice). The program must
   * have been opened with attach type {@link ATTACH_TYPE}.uprobeMulti (or uprobeSession).
   */
  attachUprobeMulti(spec: UprobeMultiSpec): Link {
    const { path, offsets, cookies = [], pid = -1, retprobe = false } = spec;
    checkText('path', path);
    if (offsets.length === 0) throw new RangeError('offsets must not be empty');
    for (const offset of offsets) checkUnsigned('offsets', offset);
    for (const cookie of cookies) checkUnsigned('cookies', cookie);
    if (cookies.length > 0 && cookies.length !== offsets.length) {
      throw new RangeError(`cookies must be as many as offsets (${offsets.length}); they are ${cookies.length}`);
    }
    checkInteger('pid', pid, -1, MAX_PID);
    // This interface of the kernel says "all" with 0.
    const kernelPid = pid === -1 ? 0 : pid;
    return this.#link(binding.programAttachUprobeMulti(this.#handle, path, offsets, cookies, kernelPid, retprobe));
  }

  /** Attaches to a raw tracepoint, such as `sched_process_exit`. */
  attachRawTracepoint(name: string): Link {
    checkText('name', name);
    return this.#link(binding.programAttachRawTracepoint(this.#handle, name));
  }

  /** Attaches to a tracepoint, such as `('sched', 'sched_process_exit')`. Needs tracefs mounted. */
  attachTracepoint(category: string, name: string): Link {
    checkText('category', category);
    checkText('name', name);
    return this.#link(binding.programAttachTracepoint(this.#handle, category, name));
  }

  stats(): ProgramStats {
    return unwrap(binding.programStats(this.#handle));
  }

  #link(result: Parameters<typeof unwrap<LinkHandle>>[0]): Link {
    const link = new Link(unwrap(result), (closed) => this.#links.delete(closed));
    this.#links.add(link);
    return link;
  }
}
