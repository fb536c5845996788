// Keeps up with the traced processes: who they are, which TLS libraries they map, also those mapped later. The kernel
// side tells of forks, execs and exits at once; libraries loaded later are found by looking at the mappings again.

import { basename } from 'node:path';
import type { ProcessKey, ProcessRecord, TlsLibraryFact } from '../../model/index.ts';
import type { FindingsCache } from '../discover/cache.ts';
import { discoverProcess, type KnownFiles, type ProcessDiscovery, type TlsImage } from '../discover/process.ts';
import { Refusals } from '../discover/refusals.ts';
import type { Attempt } from '../proc/attempt.ts';
import type { MappedFile } from '../proc/maps.ts';
import { isLeftOver, type ProcessRole, roleOf } from '../proc/roles.ts';
import { readSocketInodes, readTcpSockets } from '../proc/sockets.ts';
import type { AttachOutcome } from './attachments.ts';
import { Inspector, type InspectThread } from './inspector.ts';
import { commOf } from './require-target.ts';
import { UnseenConnections } from './unseen.ts';

/** What the follower needs from the live source. */
export interface FollowerHost {
  /** Puts probes into a library's file for a process; does nothing when they are there already. */
  attach(image: TlsImage, pid: number): AttachOutcome;
  /** Libraries with probes of this process alone, which a child needs anew. */
  ownedBy(pid: number): readonly TlsImage[];
  /** Libraries that a process which has just replaced its program is going to map. */
  expectedIn(pid: number): readonly TlsImage[];
  /** Hands a process record to the sink. */
  emit(record: ProcessRecord): void;
  /** A process has gone without the kernel side saying so. */
  gone(pid: number): void;
  nowNs(): bigint;
  /** The moment that is being told of: that of the kernel's record that led here, else now. */
  asOfNs(): bigint;
  log: { debug(text: string): void; warn(text: string): void };
}

/**
 * After an exec the dynamic linker maps libraries for some milliseconds, and a program may load more whenever it likes:
 * look soon, then ever less often. Each look reads /proc/PID/maps (about 0.1 ms for an editor process); files are
 * examined once.
 */
const LOOKS_AFTER_EXEC_MS = [2, 4, 8, 16, 50, 200] as const;
const LOOK_EVERY_MS = 1000;
const LOOKS_PER_TURN = 64;
/** Most children exec at once, and then need other probes than their parent: wait for that, but not for long. */
const FORK_SETTLES_MS = 2;

/** TASK_COMM_LEN without its NUL. */
const MAX_COMM = 15;

type ProcessFactsToTell = Omit<ProcessRecord, 'kind' | 'tsNs' | keyof ProcessKey>;
type Delay = Pick<TlsLibraryFact, 'hookedAfterMs' | 'mayHaveMissed'>;

interface Followed {
  readonly key: ProcessKey;
  readonly parentPid: number;
  /** The parent may exit before the child is looked at again. */
  readonly parentRole: ProcessRole | undefined;
  readonly unseen: UnseenConnections;
  timer: NodeJS.Timeout | null;
  /** The last record sent, as text: a new one is sent only when something changed. */
  sent: string;
  /** A library that is mapped now was not mapped at this moment: last look, exec or fork. Null while attaching. */
  withoutNs: bigint | null;
  /** Sockets that it was born with: its parent's. */
  inherited: ReadonlySet<number>;
  /** How long hooking took, by library file. */
  readonly delays: Map<string, Delay>;
  /** Exact in /proc: tells a reused pid. */
  startTicks: bigint | null;
  /** Files that it maps and that a thread is still looking into. */
  readonly putOff: Set<string>;
  /** The facts sent last. */
  told: ProcessFactsToTell | null;
  /** Its program's header names the TLS library that it uses, which says itself whether something was missed. */
  namesLibrary: boolean;
}

export interface FollowerOptions {
  readonly cache?: FindingsCache | undefined;
  readonly startThread?: () => InspectThread;
}

export class Follower {
  readonly #host: FollowerHost;
  readonly #known: KnownFiles = new Map();
  readonly #refusals = new Refusals();
  readonly #inspector: Inspector;
  readonly #followed = new Map<number, Followed>();
  readonly #roles = new Map<number, ProcessRole>();
  readonly #ticker: NodeJS.Timeout;
  /** Programs of which it was told that they ended too early. */
  readonly #missed = new Set<string>();
  /** Where the next turn begins. */
  #turn = 0;

  constructor(host: FollowerHost, options: FollowerOptions = {}) {
    this.#host = host;
    const { cache, startThread } = options;
    const onAnswer = (): void => this.#lookAtAll();
    this.#inspector = new Inspector({ cache, onAnswer, log: host.log, ...(startThread && { startThread }) });
    this.#ticker = setInterval(() => this.#lookAround(), LOOK_EVERY_MS);
    this.#ticker.unref();
  }

  /** Attaching is over: from here on large files are looked into by a thread, and delays count. */
  settle(): void {
    this.#inspector.defer();
    const nowNs = this.#host.nowNs();
    for (const followed of this.#followed.values()) followed.withoutNs = nowNs;
  }

  /** Gets ready for programs that the traced processes may start. */
  lookAhead(programs: readonly string[]): void {
    this.#inspector.lookAhead(programs);
  }

  /** Processes that are followed and have not exited. */
  pids(): readonly number[] {
    return [...this.#followed.keys()];
  }

  follows(pid: number): boolean {
    return this.#followed.has(pid);
  }

  keyOf(pid: number): ProcessKey | null {
    return this.#followed.get(pid)?.key ?? null;
  }

  /** Starts to follow a process and looks at it at once. */
  add(key: ProcessKey, parentPid: number): Attempt<ProcessDiscovery> {
    return this.#look(this.#follow(key, parentPid, null));
  }

  /** A child was forked: it maps what its parent maps; probes for all processes are in it already, others are not. */
  forked(key: ProcessKey, parentPid: number, tsNs: bigint): void {
    if (this.#followed.get(key.pid)?.key.startNs === key.startNs) return;
    const followed = this.#follow(key, parentPid, tsNs);
    const sockets = readSocketInodes(parentPid);
    if (sockets.ok) followed.inherited = sockets.value;
    this.#after(followed, FORK_SETTLES_MS, () => {
      for (const image of this.#host.ownedBy(parentPid)) this.#attach(followed, image);
      this.#look(followed);
    });
  }

  /** The program was replaced: other libraries, perhaps another role. One that has ended already is known by its name. */
  execed(pid: number, tsNs: bigint, file: string): void {
    const followed = this.#followed.get(pid);
    if (followed === undefined) return;
    followed.withoutNs = tsNs;
    followed.delays.clear();
    const expected = this.#host.expectedIn(pid);
    followed.namesLibrary = expected.length > 0;
    for (const image of expected) this.#attach(followed, image);
    if (!this.#look(followed).ok) this.#sendName(followed, file);
    this.#lookSoon(followed, 0);
  }

  /**
   * Before an exit is told: what the process sent while its program was still being looked into was not seen, unless the
   * file was hooked before it ran, or names the library that was.
   */
  ending(pid: number, isHooked: (file: string) => boolean): void {
    const followed = this.#followed.get(pid);
    const told = followed?.told;
    if (
      followed === undefined ||
      !told ||
      followed.namesLibrary ||
      !followed.putOff.has(told.exe) ||
      isHooked(told.exe)
    )
      return;
    if (!this.#missed.has(told.exe)) {
      this.#missed.add(told.exe);
      this.#host.log.warn(
        `${told.exe} ran and ended before it had been looked into: its traffic, if any, is not shown`,
      );
    }
    const reason = 'the process ended before its program had been looked into';
    const fact = { library: 'unknown', file: told.exe, hooked: false, reason, mayHaveMissed: true };
    this.#emit(followed, { ...told, tls: [...told.tls, fact] });
  }

  exited(pid: number): void {
    const followed = this.#followed.get(pid);
    if (followed?.timer) clearTimeout(followed.timer);
    this.#followed.delete(pid);
    this.#roles.delete(pid);
  }

  close(): void {
    clearInterval(this.#ticker);
    for (const followed of this.#followed.values()) if (followed.timer) clearTimeout(followed.timer);
    this.#followed.clear();
    this.#inspector.close();
  }

  #follow(key: ProcessKey, parentPid: number, withoutNs: bigint | null): Followed {
    const followed: Followed = {
      key,
      parentPid,
      parentRole: this.#roles.get(parentPid),
      unseen: new UnseenConnections(),
      timer: null,
      sent: '',
      withoutNs,
      inherited: new Set(),
      delays: new Map(),
      startTicks: null,
      putOff: new Set(),
      told: null,
      namesLibrary: false,
    };
    this.#followed.set(key.pid, followed);
    return followed;
  }

  #after(followed: Followed, delayMs: number, body: () => void): void {
    if (followed.timer) clearTimeout(followed.timer);
    followed.timer = setTimeout(() => {
      followed.timer = null;
      body();
    }, delayMs);
    followed.timer.unref();
  }

  #lookSoon(followed: Followed, step: number): void {
    const delayMs = LOOKS_AFTER_EXEC_MS[step];
    if (delayMs === undefined) return;
    this.#after(followed, delayMs, () => {
      this.#look(followed);
      this.#lookSoon(followed, step + 1);
    });
  }

  /** Of very many processes a part at each turn, so that a turn takes no longer than it would for a large editor. */
  #lookAround(): void {
    const all = [...this.#followed.values()];
    const start = all.length > LOOKS_PER_TURN ? this.#turn % all.length : 0;
    this.#turn = start + LOOKS_PER_TURN;
    for (const followed of all.slice(start, start + LOOKS_PER_TURN)) this.#lookAgain(followed);
  }

  #lookAtAll(): void {
    for (const followed of [...this.#followed.values()]) this.#lookAgain(followed);
  }

  #lookAgain(followed: Followed): void {
    if (followed.timer === null && !this.#look(followed).ok) this.#host.gone(followed.key.pid);
  }

  #look(followed: Followed): Attempt<ProcessDiscovery> {
    const { pid } = followed.key;
    const lookedNs = this.#host.nowNs();
    this.#inspector.beginLook();
    followed.putOff.clear();
    const found = discoverProcess(pid, {
      known: this.#known,
      refusals: this.#refusals,
      inspect: (source, path, file) => {
        const findings = this.#inspector.inspect(source, path, file);
        if (findings === undefined) followed.putOff.add(file.path);
        return findings;
      },
      isPutOff: (file) => this.#isPutOff(followed, file),
      onImage: (image) => this.#attach(followed, image),
      ...(followed.parentRole !== undefined && { parentRole: followed.parentRole }),
    });
    if (!found.ok || this.#isAnother(followed, found.value)) {
      this.#host.log.debug(`process ${pid}: ${found.ok ? 'its pid was given to another' : found.detail}`);
      return found.ok ? { ok: false, why: 'gone', detail: `process ${pid} has gone` } : found;
    }
    this.#roles.set(pid, found.value.role);
    if (followed.withoutNs !== null) followed.withoutNs = lookedNs;
    this.#send(followed, found.value);
    return found;
  }

  #isPutOff(followed: Followed, file: MappedFile): boolean {
    const isPutOff = this.#inspector.isPutOff(file);
    if (isPutOff) followed.putOff.add(file.path);
    return isPutOff;
  }

  #isAnother(followed: Followed, found: ProcessDiscovery): boolean {
    followed.startTicks ??= found.process.startTicks;
    return followed.startTicks !== found.process.startTicks;
  }

  #attach(followed: Followed, image: TlsImage): AttachOutcome {
    const { pid } = followed.key;
    const outcome = this.#host.attach(image, pid);
    if (!followed.delays.has(image.path))
      followed.delays.set(image.path, this.#delayOf(followed, image, outcome.isNew));
    return outcome;
  }

  /** Nothing for what was attached at the start: its connections are told to be joined late. */
  #delayOf(followed: Followed, image: TlsImage, isNew: boolean): Delay {
    if (followed.withoutNs === null) return {};
    if (!isNew) return { hookedAfterMs: 0, mayHaveMissed: false };
    const tookMs = Number(this.#host.nowNs() - followed.withoutNs) / 1e6;
    const mayHaveMissed = this.#hasOwnSockets(followed);
    const missed = mayHaveMissed ? 'it may have had connections by then' : 'it had no connection yet';
    this.#host.log.debug(`process ${followed.key.pid}: ${image.path} hooked within ${tookMs.toFixed(1)} ms: ${missed}`);
    return { hookedAfterMs: Math.round(tookMs * 10) / 10, mayHaveMissed };
  }

  /** Without a TCP connection of its own a process cannot have used TLS: so nothing was missed. */
  #hasOwnSockets({ key, inherited }: Followed): boolean {
    const sockets = readTcpSockets(key.pid);
    return !sockets.ok || sockets.value.some((socket) => !inherited.has(socket.inode));
  }

  #factOf(followed: Followed, image: TlsImage): TlsLibraryFact {
    const { failure } = this.#attach(followed, image);
    const delay = failure === null ? followed.delays.get(image.path) : undefined;
    return { ...toFact(image), ...(failure !== null && { hooked: false, reason: failure }), ...delay };
  }

  #unhookedFacts(followed: Followed, found: ProcessDiscovery): readonly TlsLibraryFact[] {
    if (found.unsupported.length === 0) return [];
    // The library that the process really uses may be one that has not been looked into yet.
    const isKnown = found.images.length === 0 && !this.#inspector.isPending;
    const note = isKnown ? followed.unseen.look(followed.key.pid) : null;
    const facts = found.unsupported.map(toFact);
    if (note?.isFirst) {
      const names = facts.map((fact) => fact.library).join(', ');
      this.#host.log.warn(`${found.role} ${followed.key.pid} uses ${names}, which cannot be hooked: ${note.text}`);
    }
    return facts.map((fact) => (note === null ? fact : { ...fact, reason: `${fact.reason}, ${note.text}` }));
  }

  #send(followed: Followed, found: ProcessDiscovery): void {
    const { parentPid, comm, exe, args } = found.process;
    const hooked = found.images.map((image) => this.#factOf(followed, image));
    const tls = [...hooked, ...this.#unhookedFacts(followed, found)];
    const stale = this.#isStale(found) && ({ stale: true } as const);
    this.#emit(followed, { parentPid, comm, exe, args, role: found.role, ...stale, tls });
  }

  #isStale({ role, process }: ProcessDiscovery): boolean {
    const { parentPid } = process;
    return isLeftOver(role, parentPid, this.#followed.has(parentPid) ? undefined : commOf(parentPid));
  }

  #sendName(followed: Followed, file: string): void {
    const comm = basename(file).slice(0, MAX_COMM);
    const role = roleOf({ comm, exe: file, args: [] }, followed.parentRole);
    this.#emit(followed, { parentPid: followed.parentPid, comm, exe: file, args: [], role, tls: [] });
  }

  #emit(followed: Followed, facts: ProcessFactsToTell): void {
    const text = JSON.stringify(facts);
    if (text === followed.sent) return;
    followed.sent = text;
    followed.told = facts;
    this.#host.emit({ kind: 'process', tsNs: this.#host.asOfNs(), ...followed.key, ...facts });
  }
}

const toFact = (image: TlsImage): TlsLibraryFact => ({
  library: image.version === undefined ? image.library : `${image.library} ${image.version}`,
  file: image.path,
  hooked: image.hooks.length > 0,
  reason: image.reason,
});
