// The processes that were asked for and all below them, when a capture opens: their libraries are hooked, then they are
// tracked. What comes later is the follower's.

import { TracerError } from '../../errors.ts';
import type { FindingsCache } from '../discover/cache.ts';
import type { TlsImage } from '../discover/process.ts';
import { readProcess } from '../proc/process-facts.ts';
import { readChildren, treeOf } from '../proc/tree.ts';
import type { Attachments } from './attachments.ts';
import type { Follower } from './follower.ts';
import type { Kernel } from './kernel.ts';
import { imagesOfProgram, systemImages } from './program-files.ts';
import { commOf } from './require-target.ts';
import { SystemLibraries } from './system-libraries.ts';

export interface TargetTreeOptions {
  readonly pids: readonly number[];
  /** Programs about to be started: their files, and the libraries that they name, are hooked before they run. */
  readonly programs: readonly string[];
  readonly followChildren: boolean;
  /** Attach even when no target has a TLS library yet. */
  readonly wait: boolean;
}

/** What the tree is hooked and tracked with. */
export interface TargetTreeParts {
  readonly kernel: Pick<Kernel, 'track' | 'trackedStart'>;
  readonly attachments: Attachments;
  readonly follower: Follower;
  readonly cache: FindingsCache | undefined;
  readonly log: { warn(text: string): void };
}

export class TargetTree {
  readonly #options: TargetTreeOptions;
  readonly #parts: TargetTreeParts;
  /** Pids that were, or are about to be, hooked. */
  #wanted: ReadonlySet<number> = new Set();
  readonly #seen = new Set<number>();
  /** Files that were hooked before they ran. */
  readonly #programFiles = new Set<string>();
  /** Why libraries that were recognised cannot be hooked. */
  readonly #unhookable: string[] = [];
  #systemLibraries = new SystemLibraries([]);

  constructor(options: TargetTreeOptions, parts: TargetTreeParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Hooks and tracks the tree. Throws a TracerError when nothing can be seen in it. */
  attach(): void {
    this.#wanted = new Set(this.#wantedPids());
    if (this.#options.followChildren) this.#prepareSystemLibraries();
    for (const program of this.#options.programs) this.#attachProgram(program);
    // A child that is made while the tree is read may be missed by the snapshot and, its parent not being tracked yet, by
    // the kernel side: look again until there is nothing new.
    for (let fresh = this.#untrackedPids(); fresh.length > 0; fresh = this.#untrackedPids()) {
      for (const pid of fresh) this.#attachTarget(pid);
    }
    this.#requireTls();
  }

  wants(pid: number): boolean {
    return this.#wanted.has(pid);
  }

  /** True for the file of a program that was hooked before it ran. */
  isProgramFile(path: string): boolean {
    return this.#programFiles.has(path);
  }

  /** What a process that has just replaced its program is going to map. */
  expectedIn(pid: number): readonly TlsImage[] {
    return this.#systemLibraries.expectedIn(pid);
  }

  #wantedPids(): readonly number[] {
    const { pids, followChildren } = this.#options;
    if (!followChildren) return pids;
    const children = readChildren();
    return [...new Set(pids.flatMap((pid) => treeOf(pid, children)))];
  }

  #untrackedPids(): readonly number[] {
    return this.#wantedPids().filter((pid) => pid !== process.pid && !this.#seen.has(pid));
  }

  #prepareSystemLibraries(): void {
    const images = systemImages(this.#parts.cache);
    for (const image of images) this.#parts.attachments.prepare(image);
    this.#systemLibraries = new SystemLibraries(images);
  }

  /** Files of a program that will replace the first target: its probes survive the exec. */
  #attachProgram(program: string): void {
    const [pid = 0] = this.#options.pids;
    const images = imagesOfProgram(program, process.env['PATH'] ?? '', this.#parts.cache);
    for (const image of images) {
      if (this.#parts.attachments.attach(image, pid).failure === null) this.#programFiles.add(image.path);
    }
  }

  /** Probes first, then the process: what a call did before both its probes were there would count as late. */
  #attachTarget(pid: number): void {
    this.#seen.add(pid);
    const { kernel, attachments, follower, log } = this.#parts;
    const facts = readProcess(pid);
    if (!facts.ok) return;
    // A child forked by a tracked process is tracked by the kernel side already, under its own start time.
    const trackedNs = kernel.trackedStart(pid);
    const key = { pid, startNs: trackedNs ?? facts.value.startNs };
    if (trackedNs === null) attachments.addTarget(pid);
    const found = follower.add(key, facts.value.parentPid);
    if (!found.ok) {
      follower.exited(pid);
      return;
    }
    if (trackedNs === null) {
      const startNs = kernel.track(key, this.#options.followChildren);
      // Its fork was told of between the two looks: the follower must know it by the same name as the records will.
      if (startNs !== key.startNs) follower.add({ pid, startNs }, facts.value.parentPid);
    }
    this.#unhookable.push(...found.value.unsupported.map((image) => image.reason));
    for (const text of found.value.unread) {
      if (text.startsWith(`${facts.value.exe}: `))
        log.warn(`process ${pid}: its program cannot be looked into: ${text}`);
    }
  }

  #requireTls(): void {
    const [first] = this.#options.pids;
    if (first === undefined) return;
    const { attachments, follower } = this.#parts;
    if (follower.pids().length === 0) throw new TracerError('E_TARGET_EXITED', { pid: first });
    if (this.#options.wait || attachments.hasAny()) return;
    const comm = commOf(first);
    const [failure] = [...attachments.failures(), ...this.#unhookable];
    if (failure !== undefined) throw new TracerError('E_TARGET_NOT_HOOKABLE', { pid: first, comm, reason: failure });
    throw new TracerError('E_TARGET_NO_TLS', { pid: first, comm });
  }
}
