// The loaded kernel side: its maps under their names, its programs by role. The binary layouts are bpf/tables.h, read
// through the generated src/record/layout.gen.ts. Knows nothing of discovery; the addon is imported only in this folder.

import { ATTACH_TYPE, BpfError, type BpfMap, BpfObject, closeLinks, type Link, MAP_FLAG } from '@ebpf-tools/node';
import { TracerError } from '../../errors.ts';
import type { ConnectionKey, ProcessKey } from '../../model/index.ts';
import {
  CONNECTION_KEY_LAYOUT,
  CONNECTION_LAYOUT,
  COUNTER_SLOTS,
  COUNTERS,
  PROCESS_FLAG,
  PROCESS_LAYOUT,
  SKIP_LAYOUT,
} from '../../record/index.ts';
import type { FactChains, Hook } from '../targets/target.ts';
import { packCookie, YIELDING } from './cookie.ts';
import { FactLayouts } from './fact-layouts.ts';
import { objectPath } from './parts.ts';
import { programsOf, TLS_PROGRAMS } from './tls-programs.ts';

/** Offsets that a connection had reached. */
export interface ConnectionState extends ConnectionKey {
  readonly outBytes: number;
  readonly inBytes: number;
}

export interface KernelOptions {
  readonly ringBytes: number;
  /** False leaves out fork, exec and exit: the only programs that need kernel type information. */
  readonly followProcesses: boolean;
  /** Attach by uprobe-multi links: works with CAP_BPF and CAP_PERFMON alone, so after root was given up. */
  readonly uprobeMulti: boolean;
  /** Find the socket of each connection. */
  readonly peers: boolean;
  /** Tell what each connection's handshake negotiated. */
  readonly facts: boolean;
  /** bpf_get_attach_cookie exists (≥ 5.15). */
  readonly attachCookie: boolean;
}

/** Where a library's probes go. */
export interface AttachPlace {
  readonly path: string;
  readonly hooks: readonly Hook[];
  /** Where its library keeps the facts of a connection. */
  readonly facts?: FactChains;
  /** Id of the first hook; the others follow. */
  readonly firstHookId: number;
  /** Only in this process; absent: in every process that maps the file. */
  readonly pid?: number;
  /** Silent in processes that were tracked with probes of their own. */
  readonly yields?: boolean;
}

/** Probes of one library that are in place. */
export interface Attachment {
  readonly links: readonly Link[];
}

interface Spot {
  readonly offset: number;
  readonly cookie: bigint;
}

/** What one BPF program has cost since statistics were switched on. */
export interface ProgramCost {
  readonly name: string;
  readonly runs: number;
  readonly runNs: number;
}

const u32 = (value: number): Uint8Array => new Uint8Array(new Uint32Array([value]).buffer);

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export class Kernel {
  /** What {@link attachPeerEvents} needs. */
  static readonly PEER_TRACEPOINT = 'sock_send_length';
  readonly #object: BpfObject;
  readonly #options: KernelOptions;
  readonly #links = new Set<Link>();
  readonly #factLayouts = new FactLayouts((index, layout) => this.#object.map('fact_layouts').set(u32(index), layout));

  private constructor(object: BpfObject, options: KernelOptions) {
    this.#object = object;
    this.#options = options;
  }

  /** Throws E_PLACE_LOAD with what the verifier says. */
  static load(options: KernelOptions): Kernel {
    const attachTypes = options.uprobeMulti
      ? Object.fromEntries(TLS_PROGRAMS.map((name) => [name, ATTACH_TYPE.uprobeMulti]))
      : {};
    try {
      const object = BpfObject.open(objectPath(options.followProcesses), {
        rodata: {
          tracer_tgid: process.pid,
          have_cookie: options.attachCookie ? 1 : 0,
          want_peer: options.peers ? 1 : 0,
        },
        maxEntries: { ring: options.ringBytes },
        attachTypes,
      });
      object.load();
      return new Kernel(object, options);
    } catch (cause) {
      if (cause instanceof BpfError) throw new TracerError('E_PLACE_LOAD', { reason: cause.message }, { cause });
      throw cause;
    }
  }

  get ring(): BpfMap {
    return this.#object.map('ring');
  }

  /** Starts to report forks, execs and exits of tracked processes. */
  attachProcessEvents(): void {
    for (const event of ['fork', 'exec', 'exit']) {
      this.#links.add(this.#object.program(`proc_${event}`).attachRawTracepoint(`sched_process_${event}`));
    }
  }

  /** Starts to look at what is sent, to tell the sockets of connections. Null when it works, else why not. */
  attachPeerEvents(): string | null {
    try {
      this.#links.add(this.#object.program('peer_send').attachRawTracepoint(Kernel.PEER_TRACEPOINT));
      return null;
    } catch (error) {
      if (error instanceof BpfError) return error.message;
      throw error;
    }
  }

  /**
   * From here on the process is captured; probes that yield are silent in it, not in its children. Returns the start time
   * by which the kernel side knows it: where it saw the fork itself meanwhile, not the given one.
   */
  track(key: ProcessKey, follow: boolean): bigint {
    const flags = PROCESS_FLAG.ownProbes | (follow ? PROCESS_FLAG.follow : 0);
    const value = new Uint8Array(PROCESS_LAYOUT.sizeBytes);
    viewOf(value).setBigUint64(PROCESS_LAYOUT.startNs, key.startNs, true);
    viewOf(value).setUint32(PROCESS_LAYOUT.flags, flags, true);
    return this.#setProcess(key.pid, value, MAP_FLAG.noExist) ? key.startNs : this.#takeOver(key, flags);
  }

  /** An entry that is there keeps its start time: another one would be another process, and end all its connections. */
  #takeOver(key: ProcessKey, flags: number): bigint {
    const value = this.#object.map('processes').get(u32(key.pid));
    if (value === undefined) return key.startNs; // it has exited
    viewOf(value).setUint32(PROCESS_LAYOUT.flags, flags, true);
    this.#setProcess(key.pid, value, MAP_FLAG.exist);
    return viewOf(value).getBigUint64(PROCESS_LAYOUT.startNs, true);
  }

  /** False where the entry is there, or not there, against what the flag asks for. */
  #setProcess(pid: number, value: Uint8Array, flag: number): boolean {
    try {
      this.#object.map('processes').set(u32(pid), value, flag);
      return true;
    } catch (error) {
      if (error instanceof BpfError && (error.code === 'EEXIST' || error.code === 'ENOENT')) return false;
      throw error;
    }
  }

  /** From here on nothing is captured, though the probes are still in place: taking them away takes a while. */
  untrackAll(): void {
    const processes = this.#object.map('processes');
    for (const key of [...processes.keys()]) processes.delete(key);
  }

  /** The start time by which the kernel side knows a process, or null when it is not tracked (any more). */
  trackedStart(pid: number): bigint | null {
    const value = this.#object.map('processes').get(u32(pid));
    return value === undefined ? null : viewOf(value).getBigUint64(PROCESS_LAYOUT.startNs, true);
  }

  /**
   * Puts a library's probes in place. Return probes come first: an entry without its return probe would leave a call open
   * for ever, a return without its entry is ignored. All or none.
   */
  attach(place: AttachPlace): Attachment {
    const links: Link[] = [];
    try {
      for (const kind of ['exit', 'enter'] as const) this.#attachKind(place, kind, links);
    } catch (error) {
      for (const link of links) link.close();
      throw error;
    }
    for (const link of links) this.#links.add(link);
    return { links };
  }

  /** Takes one library's probes away, off the event loop. */
  async release(attachment: Attachment): Promise<void> {
    for (const link of attachment.links) this.#links.delete(link);
    await closeLinks(attachment.links);
  }

  #attachKind(place: AttachPlace, kind: 'enter' | 'exit', links: Link[]): void {
    const { path, pid } = place;
    const target = { path, retprobe: kind === 'exit', ...(pid !== undefined && { pid }) };
    for (const [name, spots] of this.#spotsByProgram(place, kind)) {
      const program = this.#object.program(name);
      if (this.#options.uprobeMulti) {
        const [offsets, cookies] = [spots.map((spot) => spot.offset), spots.map((spot) => spot.cookie)];
        links.push(program.attachUprobeMulti({ ...target, offsets, cookies }));
      } else {
        for (const { offset, cookie } of spots) links.push(program.attachUprobe({ ...target, offset, cookie }));
      }
    }
  }

  /** One multi-uprobe link takes all places of a program: fewer links to make and to close. */
  #spotsByProgram(
    { hooks, facts, firstHookId, yields }: AttachPlace,
    kind: 'enter' | 'exit',
  ): ReadonlyMap<string, readonly Spot[]> {
    const spots = new Map<string, Spot[]>();
    const factLayout = this.#options.facts ? this.#factLayouts.indexOf(facts) : 0;
    hooks.forEach((hook, i) => {
      const programs = programsOf(hook);
      if (!this.#options.attachCookie && !programs.fitsWithoutCookie) throw new Error(withoutCookie(hook));
      const name = programs[kind];
      if (name === undefined) return;
      const cookie = this.#options.attachCookie
        ? packCookie(firstHookId + i, hook, factLayout) | (yields ? YIELDING : 0n)
        : 0n;
      spots.set(name, [...(spots.get(name) ?? []), { offset: hook.attachOffset, cookie }]);
    });
    return spots;
  }

  /** Stops copying a connection's bytes; they still count. Its generation ends the order. */
  skip(key: ConnectionKey): void {
    const value = new Uint8Array(SKIP_LAYOUT.sizeBytes);
    viewOf(value).setUint32(SKIP_LAYOUT.generation, key.generation, true);
    this.#object.map('skipped').set(this.#connectionKey(key), value);
  }

  #connectionKey(key: ConnectionKey): Uint8Array {
    const bytes = new Uint8Array(CONNECTION_KEY_LAYOUT.sizeBytes);
    viewOf(bytes).setBigUint64(CONNECTION_KEY_LAYOUT.ssl, key.ssl, true);
    viewOf(bytes).setUint32(CONNECTION_KEY_LAYOUT.pid, key.pid, true);
    return bytes;
  }

  /** All connections that are not freed, in a stable order (pid, then generation). */
  connections(): readonly ConnectionState[] {
    const found = [...this.#object.map('connections').entries()].map(([key, value]) =>
      toState(viewOf(key), viewOf(value)),
    );
    return found.sort((a, b) => a.pid - b.pid || a.generation - b.generation);
  }

  forgetConnection(key: ConnectionKey): void {
    this.#object.map('connections').delete(this.#connectionKey(key));
    this.#object.map('skipped').delete(this.#connectionKey(key));
  }

  /** Counters by name, summed over CPUs (`max` ones: the largest). */
  counters(): Readonly<Record<string, number>> {
    const perCpu = this.#object.map('counters').get(u32(0)) ?? new Uint8Array(0);
    const slots = new BigUint64Array(perCpu.buffer, perCpu.byteOffset, perCpu.byteLength / 8);
    const cpus = slots.length / COUNTER_SLOTS;
    return Object.fromEntries(
      COUNTERS.map(({ id, name, kind }) => {
        const values = Array.from({ length: cpus }, (_, cpu) => Number(slots[cpu * COUNTER_SLOTS + id] ?? 0n));
        return [name, kind === 'max' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)];
      }),
    );
  }

  /** Run time of each program that ran; empty unless the kernel's BPF statistics are on. */
  costs(): readonly ProgramCost[] {
    return this.#object.programs
      .map((program) => ({ name: program.name, stats: program.stats() }))
      .filter(({ stats }) => stats.runCount > 0n)
      .map(({ name, stats }) => ({ name, runs: Number(stats.runCount), runNs: Number(stats.runTimeNs) }));
  }

  /** Takes all probes away, in parallel and away from the event loop. Untrack first: then their order does not matter. */
  detach(): Promise<void> {
    const links = [...this.#links];
    this.#links.clear();
    return closeLinks(links);
  }

  /** Frees everything; probes that are still in place go with it. */
  close(): void {
    this.#object.close();
  }
}

const withoutCookie = ({ symbol }: Hook): string =>
  `${symbol} has its arguments in unusual places, which a kernel before 5.15 cannot be told`;

const toState = (key: DataView, value: DataView): ConnectionState => ({
  pid: key.getUint32(CONNECTION_KEY_LAYOUT.pid, true),
  ssl: key.getBigUint64(CONNECTION_KEY_LAYOUT.ssl, true),
  startNs: value.getBigUint64(CONNECTION_LAYOUT.startNs, true),
  generation: value.getUint32(CONNECTION_LAYOUT.generation, true),
  outBytes: Number(value.getBigUint64(CONNECTION_LAYOUT.outBytes, true)),
  inBytes: Number(value.getBigUint64(CONNECTION_LAYOUT.inBytes, true)),
});
