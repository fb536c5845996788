// A live capture as a source of records: loads the kernel side, puts probes where discovery says, follows the processes,
// and hands kernel records and its own in one order to the sink.
//
// Life: open() as root → (the app gives root up) → run() → stop() or all targets exit → drain → close.
// Between open and run records are read and kept; nothing that happens after open is missed as long as it fits.

import { hostname } from 'node:os';
import { type Batch, type Capability, enableStats, features, type Link, RingBuffer } from '@ebpf-tools/node';
import type {
  CaptureRecord,
  ConnectionKey,
  ExitRecord,
  FactsRecord,
  ProcessKey,
  ProcessRecord,
} from '../../model/index.ts';
import { negotiatedOf } from '../../model/index.ts';
import { type DecodedRecord, RECORD_LAYOUT, recordDecoder } from '../../record/index.ts';
import type { CacheOptions } from '../discover/cache.ts';
import type { TlsImage } from '../discover/process.ts';
import { type Supplied, withSupplied } from '../discover/supplied/supplied.ts';
import { isMappedByOthers } from '../proc/sharers.ts';
import type { CaptureSource, RecordSink } from '../source.ts';
import { Attachments } from './attachments.ts';
import { openCallersCache } from './callers-cache.ts';
import { effectiveCapabilities, filtersByProcess, requireChecks } from './checks.ts';
import { Follower, type FollowerHost } from './follower.ts';
import { HeldRecords } from './held-records.ts';
import { HookWatch } from './hook-watch.ts';
import { Kernel, type ProgramCost } from './kernel.ts';
import { likelyPrograms } from './program-files.ts';
import { requireTarget } from './require-target.ts';
import { TargetTree, type TargetTreeOptions } from './target-tree.ts';
import { hasTracepoint } from './tracepoints.ts';

export interface LiveOptions extends TargetTreeOptions {
  readonly command: string;
  /** Find out local and remote address of each connection, and what its handshake negotiated. */
  readonly peers: boolean;
  readonly ringBytes: number;
  /** Have the kernel measure the run time of BPF programs meanwhile (two clock reads per run, of all programs). */
  readonly measure: boolean;
  /** Where findings of large programs are kept between runs. */
  readonly cache?: CacheOptions;
  /** What the user adds to discovery. */
  readonly supplied?: Supplied;
  readonly toolVersion: string;
  readonly log: LiveLog;
}

export interface LiveLog {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
}

/** Figures of a running capture, for `--stats` and the summary. */
export interface LiveStats {
  readonly counters: Readonly<Record<string, number>>;
  readonly programs: readonly ProgramCost[];
  readonly malformed: number;
}

/** How often the kernel side's counters become a record, so that a recording and a live view see losses as they happen. */
const COUNTERS_EVERY_MS = 1000;

/**
 * What is read out of the ring before it can be decoded: a body of some hundred megabytes at the speed of loopback, several
 * times what decoding can follow, arrives whole. Used only while it is needed.
 */
const BACKLOG_BYTES = 256 * 1024 * 1024;

const BY_MAPPING = 'CAP_CHECKPOINT_RESTORE';

type Queued = { readonly record: DecodedRecord; readonly raw: Uint8Array | null };

export class LiveSource implements CaptureSource {
  readonly #options: LiveOptions;
  readonly #kernel: Kernel;
  readonly #follower: Follower;
  readonly #attachments: Attachments;
  readonly #hookWatch = new HookWatch((hook) => this.#reportSuspicious(hook));
  readonly #tree: TargetTree;
  /** User-space records made before run() has a sink. */
  #early: Queued[] = [];
  #sink: RecordSink | null = null;
  #ring: RingBuffer | null = null;
  #startReading: () => void = () => {};
  #malformed = 0;
  #finish: ((reason: string) => void) | null = null;
  #fail: (bug: unknown) => void = () => {};
  #stopReason: string | null = null;
  readonly #usesMulti: boolean;
  /** Run time of all BPF programs when the capture ended; statistics go with the programs. */
  #runNs = 0;
  #isClosed = false;
  #statistics: Link | null = null;
  /** The record that is being acted on: what the follower says now is as of then. */
  #causeNs: bigint | null = null;
  readonly #held = new HeldRecords((record) => this.#hand({ record, raw: null }));

  private constructor(options: LiveOptions, kernel: Kernel, usesMulti: boolean) {
    this.#options = options;
    this.#usesMulti = usesMulti;
    this.#kernel = kernel;
    const cache = options.cache === undefined ? undefined : openCallersCache(options.cache);
    const known = options.supplied === undefined ? cache : withSupplied(cache, options.supplied);
    this.#attachments = new Attachments({
      attach: (place) => kernel.attach(place),
      release: (attachment) => kernel.release(attachment),
      isShared: (image) => this.#isShared(image),
      log: options.log,
    });
    const host = {
      attach: (image: TlsImage, pid: number) => this.#attachments.attach(image, pid),
      ownedBy: (pid: number) => this.#attachments.ownedBy(pid),
      expectedIn: (pid: number) => this.#tree.expectedIn(pid),
      emit: (record: ProcessRecord) => this.#acceptFacts(record),
      gone: (pid: number) => this.#processExited(pid),
      nowNs: () => process.hrtime.bigint(),
      asOfNs: () => this.#causeNs ?? process.hrtime.bigint(),
      log: options.log,
    } satisfies FollowerHost;
    this.#follower = new Follower(host, { cache: known });
    const { log } = options;
    const parts = { kernel, attachments: this.#attachments, follower: this.#follower, cache: known, log };
    this.#tree = new TargetTree(options, parts);
  }

  /**
   * Checks the place, loads, attaches. Throws a TracerError and leaves nothing behind when that is not possible.
   * Needs root (docs/security.md lists the capabilities); the caller gives it up afterwards.
   */
  static open(options: LiveOptions): LiveSource {
    requireChecks(options);
    for (const pid of options.pids) requireTarget(pid);
    const found = features();
    const kernel = Kernel.load({
      ringBytes: options.ringBytes,
      followProcesses: options.followChildren,
      uprobeMulti: found.uprobeMulti.ok,
      attachCookie: found.bpfCookie.ok,
      peers: tellsPeers(options),
      facts: options.peers,
    });
    const source = new LiveSource(options, kernel, found.uprobeMulti.ok);
    try {
      if (options.measure) source.#statistics = enableStats();
      source.#attachTargets();
      source.#openRing();
      for (const path of options.supplied?.unused ?? [])
        options.log.warn(`${path} has symbols of no file that the targets map`);
      return source;
    } catch (error) {
      source.close();
      throw error;
    }
  }

  /** Processes that are traced now. */
  targets(): readonly ProcessKey[] {
    return this.#follower.pids().flatMap((pid) => this.#follower.keyOf(pid) ?? []);
  }

  stats(): LiveStats {
    return { counters: this.#kernel.counters(), programs: this.#kernel.costs(), malformed: this.#malformed };
  }

  /** Capabilities without which a running capture could not hook libraries that appear later. */
  neededCapabilities(): readonly Capability[] {
    // Opens /proc/PID/map_files: the only way to a library that was deleted, is a memfd, or lies where we may not search.
    const byMapping: Capability[] = effectiveCapabilities().has(BY_MAPPING) ? [BY_MAPPING] : [];
    const attach: Capability[] = this.#usesMulti ? byMapping : ['CAP_SYS_ADMIN'];
    return ['CAP_BPF', 'CAP_PERFMON', 'CAP_SYS_PTRACE', ...attach];
  }

  /** What tracing has cost up to now. */
  cost(): { readonly bpfRunMs?: number; readonly tracerCpuMs: number; readonly ringBytes: number } {
    const { user, system } = process.cpuUsage();
    const run = this.#runNs === 0 ? {} : { bpfRunMs: this.#runNs / 1e6 };
    return { ...run, tracerCpuMs: (user + system) / 1000, ringBytes: this.#options.ringBytes };
  }

  /** Takes all probes away and frees everything. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#ring?.close();
    this.#follower.close();
    this.#statistics?.close();
    this.#kernel.close();
  }

  /** Stops copying a connection that speaks nothing we decode. */
  skip(key: ConnectionKey): void {
    this.#hookWatch.undecodable(key);
    this.#kernel.skip(key);
  }

  stop(reason: string): void {
    this.#stopReason ??= reason;
    this.#finish?.(this.#stopReason);
  }

  async run(sink: RecordSink): Promise<string> {
    this.#sink = sink;
    this.#follower.settle();
    if (this.#options.followChildren) this.#follower.lookAhead(likelyPrograms(process.env['PATH'] ?? ''));
    this.#deliver(this.#sessionRecord('start', ''), null);
    for (const { record, raw } of this.#early.splice(0)) this.#deliver(record, raw);
    this.#startReading();
    const ticker = setInterval(() => this.#deliverCounters(), COUNTERS_EVERY_MS);
    try {
      const reason = await this.#ended();
      this.#kernel.untrackAll();
      await this.#kernel.detach();
      await this.#ring?.close();
      this.#deliverEnd(reason);
      return reason;
    } finally {
      clearInterval(ticker);
      await this.#ring?.close();
      this.close();
    }
  }

  /** While this process may still raise a thread's priority. What comes before run() waits, first in the backlog. */
  #openRing(): void {
    const started = new Promise<void>((resolve) => {
      this.#startReading = resolve;
    });
    this.#ring = new RingBuffer(this.#kernel.ring, {
      backlogBytes: BACKLOG_BYTES,
      realTime: true,
      onBatch: (batch) =>
        this.#sink === null ? started.then(() => this.#acceptBatch(batch)) : this.#acceptBatch(batch),
    });
  }

  /** Resolves with the reason of an orderly end; rejects when a record could not be handled, which is a bug. */
  #ended(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
      if (this.#stopReason !== null) resolve(this.#stopReason);
      else if (this.#follower.pids().length === 0) resolve('all targets exited');
    });
  }

  #attachTargets(): void {
    if (this.#options.followChildren) this.#kernel.attachProcessEvents();
    this.#attachPeerEvents();
    this.#tree.attach();
  }

  #attachPeerEvents(): void {
    if (!tellsPeers(this.#options)) return;
    const failure = this.#kernel.attachPeerEvents();
    if (failure !== null) this.#options.log.debug(`addresses of peers are not told: ${failure}`);
  }

  /** A program that is started for the capture is to be seen from its first byte, and so are all its children. */
  #isShared(image: TlsImage): boolean {
    if (this.#options.programs.length > 0) return false;
    if (!this.#usesMulti || !filtersByProcess()) return false;
    return isMappedByOthers(image.file, (pid) => this.#tree.wants(pid) || this.#follower.follows(pid));
  }

  #acceptBatch(batch: Batch): void {
    const decode = recordDecoder(batch.bytes);
    try {
      for (const sample of batch) {
        this.#deliver(decode(sample.byteOffset, sample.byteOffset + sample.length), trimmed(sample));
      }
    } catch (bug) {
      this.#fail(bug);
    }
    batch.release();
  }

  /** The follower acts on process records before the sink sees the next record. */
  #deliver(record: DecodedRecord, raw: Uint8Array | null): void {
    if (record.kind === 'malformed') {
      this.#malformed += 1;
      return;
    }
    if (this.#sink === null) {
      this.#early.push({ record, raw });
      return;
    }
    this.#held.passTo(record);
    this.#causeNs = record.tsNs;
    if (record.kind === 'exit') {
      this.#follower.ending(record.pid, (file) => this.#tree.isProgramFile(file));
      this.#endConnectionsOf(record);
    }
    this.#sink(record, raw);
    this.#follow(record);
    this.#causeNs = null;
  }

  /** What a look of its own accord has found is newer than what the ring still holds: that goes first. */
  #acceptFacts(record: ProcessRecord): void {
    if (this.#causeNs === null && this.#sink !== null) this.#held.hold(record);
    else this.#hand({ record, raw: null });
  }

  #hand({ record, raw }: Queued): void {
    if (this.#sink === null || record.kind === 'malformed') this.#early.push({ record, raw });
    else this.#sink(record, raw);
  }

  #follow(record: CaptureRecord): void {
    if (record.kind === 'data') this.#hookWatch.data(record);
    else if (record.kind === 'fork') this.#follower.forked(record.child, record.parentPid, record.tsNs);
    else if (record.kind === 'exec') this.#follower.execed(record.pid, record.tsNs, record.file);
    else if (record.kind === 'exit') this.#processExited(record.pid);
    else if (record.kind === 'facts') this.#doubt(record);
  }

  /** What the engine will not tell, because it makes no sense, is of use to whoever looks for the reason. */
  #doubt(record: FactsRecord): void {
    if (negotiatedOf(record) !== undefined) return;
    const [version, cipher] = [record.version, record.cipher].map((n) => `0x${n.toString(16).padStart(4, '0')}`);
    this.#options.log.debug(`process ${record.pid}: version ${version} with cipher suite ${cipher} is not told`);
  }

  #reportSuspicious(id: number): void {
    const hook = this.#attachments.hook(id);
    if (hook === undefined) return;
    const { symbol, library, file } = hook;
    this.#options.log.warn(
      `what ${symbol} of ${library} in ${file} gives does not look like plaintext: suspicious, please report that file's build-id`,
    );
  }

  /** Before the exit is told: the final offsets of what the process never freed, which reveal a loss at the tail. */
  #endConnectionsOf(exit: ExitRecord): void {
    for (const state of this.#kernel.connections()) {
      if (state.pid !== exit.pid || state.startNs !== exit.startNs) continue;
      this.#deliver({ kind: 'progress', tsNs: exit.tsNs, ...state }, null);
      this.#kernel.forgetConnection(state);
    }
  }

  #processExited(pid: number): void {
    this.#follower.exited(pid);
    this.#attachments.exited(pid);
    if (this.#follower.pids().length === 0) this.stop('all targets exited');
  }

  #deliverCounters(): void {
    this.#deliver({ kind: 'counters', tsNs: process.hrtime.bigint(), counters: this.#kernel.counters() }, null);
  }

  #sessionRecord(phase: 'start' | 'end', reason: string): DecodedRecord {
    const tsNs = process.hrtime.bigint();
    const wallNs = BigInt(Date.now()) * 1_000_000n;
    return { kind: 'session', tsNs, phase, wallNs, host: hostname(), toolVersion: this.#options.toolVersion, reason };
  }

  /** Final offsets of open connections reveal losses at their tails. */
  #deliverEnd(reason: string): void {
    this.#held.passAll();
    for (const state of this.#kernel.connections()) {
      this.#deliver({ kind: 'progress', tsNs: process.hrtime.bigint(), ...state }, null);
    }
    this.#deliverCounters();
    this.#runNs = this.#kernel.costs().reduce((sum, cost) => sum + cost.runNs, 0);
    this.#deliver(this.#sessionRecord('end', reason), null);
  }
}

/**
 * Part of the object for kernels with type information; and sockets tell what they send since Linux 6.3. On others each write
 * would be noted for nothing.
 */
const tellsPeers = ({ peers, followChildren }: LiveOptions): boolean =>
  peers && followChildren && hasTracepoint(Kernel.PEER_TRACEPOINT);

/**
 * The record without what follows it in its ring slot: slots come in size classes, and the rest is old memory of the
 * ring, perhaps another connection's bytes, which must not get into a recording.
 */
function trimmed(sample: Uint8Array): Uint8Array {
  if (sample.length < RECORD_LAYOUT.sizeBytes) return sample;
  const view = new DataView(sample.buffer, sample.byteOffset, sample.length);
  return sample.subarray(0, RECORD_LAYOUT.sizeBytes + view.getUint32(RECORD_LAYOUT.lenBytes, true));
}
