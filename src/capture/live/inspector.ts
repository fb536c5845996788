// Looks into program files that a running capture meets. Small ones and those found in the cache at once; large ones (a
// browser takes a second) in a thread, and whoever asked is told to look again when the answer is there.
//
// LIMITS: a file whose last process exits before the thread opens it is not known afterwards, and is asked for again.

import { Worker } from 'node:worker_threads';
import type { FindingsCache } from '../discover/cache.ts';
import type { FileFindings } from '../discover/findings.ts';
import { findingsOf, keepFindings, keptFindings } from '../discover/process.ts';
import { type FileSource, openFileSource } from '../discover/source.ts';
import type { MappedIdentity } from '../proc/sharers.ts';

/** Below this a file is searched in some 10 ms, as long as starting the thread takes. */
const LARGE_FILE_BYTES = 8 * 1024 * 1024;

/** A program may map a hundred libraries that nobody has looked into; the rest has to wait for the next look. */
const LOOK_BUDGET_MS = 10;

interface Asked {
  readonly key: string;
  /** Held open to keep the findings for later runs: the process may be gone by the time that they are there. */
  readonly source: FileSource;
}

interface Answer {
  readonly path: string;
  readonly findings: FileFindings | null;
}

/** The part of a `Worker` that is used: tests put something smaller in its place. */
export interface InspectThread {
  postMessage(path: string): void;
  on(event: 'message', listener: (answer: Answer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  unref(): void;
  terminate(): Promise<number>;
}

export interface InspectorOptions {
  readonly cache: FindingsCache | undefined;
  /** A file that was put off has been looked into. */
  readonly onAnswer: () => void;
  readonly log: { warn(text: string): void };
  readonly startThread?: () => InspectThread;
}

/** Under test the sources run as they are, built they are JavaScript. */
const startWorker = (): InspectThread =>
  new Worker(new URL(import.meta.url.endsWith('.ts') ? './inspect-worker.ts' : './inspect-worker.js', import.meta.url));

const mappedKey = ({ dev, inode }: MappedIdentity): string => `${dev}/${inode}`;
const keyOf = (source: FileSource): string => `${source.dev}/${source.inode}`;

export class Inspector {
  readonly #options: InspectorOptions;
  #thread: InspectThread | null = null;
  #mayDefer = false;
  #lookedMs = 0;
  #isPending = false;
  /** Files, as mappings name them, that the thread has been asked about. */
  readonly #waiting = new Set<string>();
  readonly #answers = new Map<string, FileFindings>();
  /** Files that the thread has been asked about, by path. */
  readonly #asked = new Map<string, Asked>();
  /** Files that nobody runs yet: asked about one at a time, when the thread has nothing else to do. */
  #ahead: string[] = [];

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** From here on the event loop must not be held up. Before, while attaching, every answer comes at once. */
  defer(): void {
    this.#mayDefer = true;
  }

  /** Another process is looked at: its files get a time of their own. */
  beginLook(): void {
    this.#lookedMs = performance.now();
    this.#isPending = false;
  }

  /** True when the file has to wait, for its answer or for time; then something is pending in this look. */
  isPutOff(file: MappedIdentity): boolean {
    const isOver = performance.now() - this.#lookedMs > LOOK_BUDGET_MS;
    const isPutOff = this.#mayDefer && (isOver || this.#waiting.has(mappedKey(file)));
    this.#isPending ||= isPutOff;
    return isPutOff;
  }

  /** True when the last look left something out. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** What the file holds; undefined when the answer comes later. */
  inspect(source: FileSource, path: string, file: MappedIdentity): FileFindings | undefined {
    const { cache } = this.#options;
    if (!this.#mayDefer || source.sizeBytes < LARGE_FILE_BYTES) return findingsOf(source, cache);
    const known = this.#largeFile(source, path);
    if (known !== undefined) return known;
    this.#waiting.add(mappedKey(file));
    this.#isPending = true;
    return undefined;
  }

  #largeFile(source: FileSource, path: string): FileFindings | undefined {
    const { cache } = this.#options;
    const known = this.#answers.get(keyOf(source)) ?? keptFindings(source, cache);
    if (known === undefined) this.#ask(keyOf(source), path);
    return known;
  }

  /** Looks into large files that may be run soon, so that their findings are there, or in the cache, by then. */
  lookAhead(paths: readonly string[]): void {
    this.#ahead = [...paths];
    this.#askAhead();
  }

  #askAhead(): void {
    while (this.#asked.size === 0) {
      const path = this.#ahead.shift();
      if (path === undefined) return;
      const source = openFileSource(path);
      if (!source.ok) continue;
      if (source.value.sizeBytes >= LARGE_FILE_BYTES) this.#largeFile(source.value, path);
      source.value.close();
    }
  }

  close(): void {
    void this.#thread?.terminate();
    this.#thread = null;
    this.#forgetAsked();
  }

  #ask(key: string, path: string): void {
    if ([...this.#asked.values()].some((asked) => asked.key === key)) return;
    const source = openFileSource(path);
    if (!source.ok) return;
    this.#asked.set(path, { key, source: source.value });
    this.#thread ??= this.#start();
    this.#thread.postMessage(path);
  }

  #start(): InspectThread {
    const thread = (this.#options.startThread ?? startWorker)();
    thread.on('message', (answer) => this.#accept(answer));
    thread.on('error', (error) => {
      this.#options.log.warn(`looking into a program file failed: ${error.message}`);
      this.#thread = null;
      this.#forgetAsked();
    });
    thread.unref();
    return thread;
  }

  #accept({ path, findings }: Answer): void {
    const asked = this.#asked.get(path);
    this.#asked.delete(path);
    this.#waiting.clear();
    if (asked === undefined) return;
    if (findings !== null) {
      this.#answers.set(asked.key, findings);
      keepFindings(asked.source, findings, this.#options.cache);
    }
    asked.source.close();
    if (findings !== null) this.#options.onAnswer();
    this.#askAhead();
  }

  #forgetAsked(): void {
    this.#ahead = [];
    for (const { source } of this.#asked.values()) source.close();
    this.#asked.clear();
    this.#waiting.clear();
  }
}
