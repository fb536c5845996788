// Keeps up with the traced processes: who they are, which TLS libraries they map, also those mapped later. The kernel
// side tells of forks, execs and exits at once; libraries loaded later are found by looking at the mappings again.

import type { ProcessKey, ProcessRecord, TlsLibraryFact } from '../../model/index.ts';
import type { FindingsCache } from '../discover/cache.ts';
import { discoverProcess, type KnownFiles, type ProcessDiscovery, type TlsImage } from '../discover/process.ts';
import type { Attempt } from '../proc/attempt.ts';
import type { ProcessRole } from '../proc/roles.ts';

/** What the follower needs from the live source. */
export interface FollowerHost {
  /** Puts probes into a library's file; does nothing when they are there already. Returns what failed, or null. */
  attach(image: TlsImage): string | null;
  /** Hands a process record to the sink. */
  emit(record: ProcessRecord): void;
  nowNs(): bigint;
  log: { debug(text: string): void; warn(text: string): void };
}

/**
 * After an exec the dynamic linker maps libraries for some milliseconds, and a program may load more whenever it likes:
 * look soon, then ever less often. Each look reads /proc/PID/maps (about 0.1 ms for an editor process); files are
 * examined once.
 */
const LOOKS_AFTER_EXEC_MS = [0, 3, 10, 30, 100, 300, 1000] as const;
const LOOK_EVERY_MS = 1000;

interface Followed {
  readonly key: ProcessKey;
  parentPid: number;
  timer: NodeJS.Timeout | null;
  /** The last record sent, as text: a new one is sent only when something changed. */
  sent: string;
}

export class Follower {
  readonly #host: FollowerHost;
  readonly #known: KnownFiles = new Map();
  readonly #cache: FindingsCache | undefined;
  readonly #followed = new Map<number, Followed>();
  readonly #roles = new Map<number, ProcessRole>();
  readonly #ticker: NodeJS.Timeout;

  constructor(host: FollowerHost, cache: FindingsCache | undefined) {
    this.#host = host;
    this.#cache = cache;
    this.#ticker = setInterval(() => this.#lookAtAll(), LOOK_EVERY_MS);
    this.#ticker.unref();
  }

  /** Processes that are followed and have not exited. */
  pids(): readonly number[] {
    return [...this.#followed.keys()];
  }

  keyOf(pid: number): ProcessKey | null {
    return this.#followed.get(pid)?.key ?? null;
  }

  /** Starts to follow a process and looks at it at once. */
  add(key: ProcessKey, parentPid: number): Attempt<ProcessDiscovery> {
    const followed: Followed = { key, parentPid, timer: null, sent: '' };
    this.#followed.set(key.pid, followed);
    return this.#look(followed);
  }

  /** A child was forked: it maps what its parent maps, so its libraries are hooked already. */
  forked(key: ProcessKey, parentPid: number): void {
    if (this.#followed.get(key.pid)?.key.startNs === key.startNs) return;
    const followed: Followed = { key, parentPid, timer: null, sent: '' };
    this.#followed.set(key.pid, followed);
    this.#look(followed);
  }

  /** The program was replaced: other libraries, perhaps another role. */
  execed(pid: number): void {
    const followed = this.#followed.get(pid);
    if (followed !== undefined) this.#lookSoon(followed, 0);
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
  }

  #lookSoon(followed: Followed, step: number): void {
    const delayMs = LOOKS_AFTER_EXEC_MS[step];
    if (delayMs === undefined) return;
    if (followed.timer) clearTimeout(followed.timer);
    followed.timer = setTimeout(() => {
      followed.timer = null;
      this.#look(followed);
      this.#lookSoon(followed, step + 1);
    }, delayMs);
    followed.timer.unref();
  }

  #lookAtAll(): void {
    for (const followed of this.#followed.values()) if (followed.timer === null) this.#look(followed);
  }

  #look(followed: Followed): Attempt<ProcessDiscovery> {
    const { pid } = followed.key;
    const parentRole = this.#roles.get(followed.parentPid);
    const found = discoverProcess(pid, {
      known: this.#known,
      ...(this.#cache !== undefined && { cache: this.#cache }),
      ...(parentRole !== undefined && { parentRole }),
    });
    if (!found.ok) {
      this.#host.log.debug(`process ${pid}: ${found.detail}`);
      return found;
    }
    this.#roles.set(pid, found.value.role);
    const tls = found.value.images.map((image) => this.#attach(image));
    const unsupported = found.value.unsupported.map((image) => factOf(image, null));
    this.#send(followed, found.value, [...tls, ...unsupported]);
    return found;
  }

  #attach(image: TlsImage): TlsLibraryFact {
    const failure = this.#host.attach(image);
    return failure === null ? factOf(image, null) : { ...factOf(image, failure), hooked: false };
  }

  #send(followed: Followed, found: ProcessDiscovery, tls: readonly TlsLibraryFact[]): void {
    const { process, role } = found;
    const facts = { parentPid: process.parentPid, comm: process.comm, exe: process.exe, args: process.args, role, tls };
    const text = JSON.stringify(facts);
    if (text === followed.sent) return;
    followed.sent = text;
    this.#host.emit({ kind: 'process', tsNs: this.#host.nowNs(), ...followed.key, ...facts });
  }
}

const factOf = (image: TlsImage, failure: string | null): TlsLibraryFact => ({
  library: image.version === undefined ? image.library : `${image.library} ${image.version}`,
  file: image.path,
  hooked: image.hooks.length > 0,
  reason: failure ?? image.reason,
});
