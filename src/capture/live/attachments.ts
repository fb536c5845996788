// Which libraries have probes, and for whom. A file that only traced processes map gets probes once, for all of them and for
// those to come; a file that strangers map, too, gets probes per traced process, because each trap costs a stranger about as
// much as a traced call costs without copying (docs/processes.md has the figures). The system's own libraries are both: a
// child such as curl is through before probes of its own could be made, so the first newcomer that needs the library makes
// them for all.
//
// Invariant: no call meets two probes of one hook that speak: it would look like two calls. So the way of a file is chosen when
// it is met first and kept, and where it is both, the probes for all are silent in processes that have their own.

import { existsSync } from 'node:fs';
import type { TlsImage } from '../discover/process.ts';
import type { Attachment, AttachPlace } from './kernel.ts';

export interface AttachmentsHost {
  attach(place: AttachPlace): Attachment;
  release(attachment: Attachment): Promise<void>;
  /** Asked once per file. */
  isShared(image: TlsImage): boolean;
  log: { debug(text: string): void; warn(text: string): void };
}

/** What an order to hook a library for a process led to. */
export interface AttachOutcome {
  /** Why there are no probes; null when there are. */
  readonly failure: string | null;
  /** False when the probes were there before this order. */
  readonly isNew: boolean;
}

/** The function behind a hook id, for messages. */
export interface HookedFunction {
  readonly symbol: string;
  readonly library: string;
  readonly file: string;
}

interface Attempted {
  readonly attachment: Attachment | null;
  readonly failure: string | null;
  readonly firstHookId: number;
  readonly image: TlsImage;
}

interface Entry extends Attempted {
  /** The process through which the file was reached. */
  readonly triedBy: number;
}

/** `newcomers`: targets of the start each have their own probes, all processes that come later share one set. */
type Way = 'all' | 'each' | 'newcomers';

interface FileState {
  readonly way: Way;
  /** A traced process maps it. */
  isWanted: boolean;
  /** The set for all processes under 0; one for a process alone under its pid. */
  readonly entries: Map<number, Entry>;
}

const ALL = 0;

/** A file may hold several TLS libraries: each is known by its first function. */
const keyOf = ({ file, hooks }: TlsImage): string => `${file.dev}/${file.inode}/${hooks[0]?.attachOffset ?? -1}`;

export class Attachments {
  readonly #host: AttachmentsHost;
  readonly #files = new Map<string, FileState>();
  readonly #hooks = new Map<number, HookedFunction>();
  readonly #targets = new Set<number>();
  #nextHookId = 1;

  constructor(host: AttachmentsHost) {
    this.#host = host;
  }

  /** A target of the start, which the kernel side is told to be one with its own probes. */
  addTarget(pid: number): void {
    this.#targets.add(pid);
  }

  /** Puts probes on a library that a process maps, or will map; does nothing where they are already. */
  attach(image: TlsImage, pid: number): AttachOutcome {
    const file = this.#fileOf(image);
    file.isWanted = true;
    const owner = this.#ownerOf(file, pid);
    const before = file.entries.get(owner);
    // What failed by the way through one process (it may have exited meanwhile) is tried again by the way of another.
    if (before !== undefined && (before.attachment !== null || before.triedBy === pid)) {
      return { failure: before.failure, isNew: false };
    }
    const entry = { ...this.#tryAttach(image, file.way, owner, pid), triedBy: pid };
    file.entries.set(owner, entry);
    return { failure: entry.failure, isNew: entry.failure === null };
  }

  /**
   * Gets ready for a library of the system, which no traced process may map yet: decides how it will be hooked, which takes a
   * while, and hooks it at once when nobody else maps it.
   */
  prepare(image: TlsImage): void {
    const file = this.#fileOf(image, 'newcomers');
    if (file.way !== 'all' || file.entries.size > 0) return;
    file.entries.set(ALL, { ...this.#tryAttach(image, file.way, ALL, process.pid), triedBy: process.pid });
  }

  /** Libraries with probes of this process alone: what a child of it maps at first, too. */
  ownedBy(pid: number): readonly TlsImage[] {
    return [...this.#files.values()].flatMap((file) => {
      const entry = file.entries.get(pid);
      return entry?.attachment ? [entry.image] : [];
    });
  }

  /** Failures of all orders so far; empty when none failed. */
  failures(): readonly string[] {
    return this.#entries().flatMap((entry) => entry.failure ?? []);
  }

  /** True when any library that a traced process maps has probes. */
  hasAny(): boolean {
    return this.#entries().some((entry) => entry.attachment !== null);
  }

  hook(id: number): HookedFunction | undefined {
    return this.#hooks.get(id);
  }

  /** A process has gone: its own probes go. Others' stay. */
  exited(pid: number): void {
    this.#targets.delete(pid);
    for (const file of this.#files.values()) {
      const entry = file.entries.get(pid);
      if (entry === undefined) continue;
      file.entries.delete(pid);
      for (const i of entry.image.hooks.keys()) this.#hooks.delete(entry.firstHookId + i);
      if (entry.attachment !== null) void this.#host.release(entry.attachment);
    }
  }

  #entries(): readonly Entry[] {
    const wanted = [...this.#files.values()].filter((file) => file.isWanted);
    return wanted.flatMap((file) => [...file.entries.values()]);
  }

  #ownerOf({ way }: FileState, pid: number): number {
    return way === 'each' || (way === 'newcomers' && this.#targets.has(pid)) ? pid : ALL;
  }

  #fileOf(image: TlsImage, whenShared: Way = 'each'): FileState {
    const key = keyOf(image);
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const way = this.#host.isShared(image) ? whenShared : 'all';
    const fresh = { way, isWanted: false, entries: new Map<number, Entry>() };
    this.#files.set(key, fresh);
    return fresh;
  }

  #tryAttach(image: TlsImage, way: Way, owner: number, triedBy: number): Attempted {
    const firstHookId = this.#nextHookId;
    const { hooks, facts, attachPath, library, path } = image;
    const whom = owner === ALL ? 'all processes that map it' : `process ${owner}`;
    const scope = owner !== ALL ? { pid: owner } : { yields: way === 'newcomers' };
    try {
      const attachment = this.#host.attach({
        path: attachPath,
        hooks,
        firstHookId,
        ...(facts !== undefined && { facts }),
        ...scope,
      });
      this.#nextHookId += hooks.length;
      for (const [i, { symbol }] of hooks.entries()) this.#hooks.set(firstHookId + i, { symbol, library, file: path });
      this.#host.log.debug(`hooked ${library} in ${path} for ${whom}: ${image.reason}`);
      return { attachment, failure: null, firstHookId, image };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      // A process that has gone meanwhile is no trouble to tell of.
      const isGone = !existsSync(`/proc/${triedBy}`);
      this.#host.log[isGone ? 'debug' : 'warn'](`cannot hook ${path} for ${whom}: ${failure}`);
      return { attachment: null, failure, firstHookId, image };
    }
  }
}
