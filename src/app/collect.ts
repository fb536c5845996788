// `tracer collect`: the events of a fleet into files, one per session, each line an event with its origin. From a JetStream
// stream it goes on where it stopped: `.position` in the directory holds the place in the stream, the files themselves hold
// the last event of each session, so that a kill between the two writes nothing twice.

import { constants, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, type TracerError } from '../errors.ts';
import type { EventFilter } from '../filter/index.ts';
import type { Origin } from '../model/index.ts';
import { BusReader, escapeToken, type ReaderSettings, type Received } from '../sinks/index.ts';
import { countsText, hasGaps } from './bus-counts.ts';
import { mendCollected } from './collected-file.ts';
import { unwritable } from './failed-output.ts';
import { originLine } from './fleet-view.ts';
import { filterOf } from './selection.ts';
import type { Log, SessionResult } from './types.ts';
import { userName } from './user-name.ts';

export interface CollectSettings {
  readonly source: ReaderSettings;
  readonly dir: string;
  readonly filter: string | undefined;
  readonly log: Log;
  readonly stop: AbortSignal;
}

/** Lines are kept together this long, so that a busy fleet costs few writes. */
const FLUSH_MS = 500;
/** Beyond this much unwritten, reading waits for the disk. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const POSITION = '.position';

const fileOf = ({ host, user, session }: Origin): string =>
  `${escapeToken(host)}.${escapeToken(user)}.${session}.ndjson`;

class Collector {
  readonly #settings: CollectSettings;
  readonly #filter: EventFilter | null;
  #waiting = new Map<string, string[]>();
  #waitingBytes = 0;
  #position: number | null = null;
  #writing: Promise<void> = Promise.resolve();
  #problem: TracerError | null = null;
  #onProblem: () => void = () => {};

  constructor(settings: CollectSettings) {
    this.#settings = settings;
    this.#filter = settings.filter === undefined ? null : filterOf(settings.filter);
  }

  get problem(): TracerError | null {
    return this.#problem;
  }

  onProblem(act: () => void): void {
    this.#onProblem = act;
  }

  async receive({ event, origin, streamSeq }: Received): Promise<void> {
    this.#position = streamSeq;
    if (this.#filter?.accepts(event, origin) ?? true) {
      const line = originLine(event, origin);
      const lines = this.#waiting.get(fileOf(origin));
      if (lines === undefined) this.#waiting.set(fileOf(origin), [line]);
      else lines.push(line);
      this.#waitingBytes += line.length;
    }
    if (this.#waitingBytes > MAX_WAITING_BYTES) await this.flush();
  }

  /** Writes what waits, then the place in the stream. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const [files, position] = [this.#waiting, this.#position];
    this.#waiting = new Map();
    this.#waitingBytes = 0;
    if (this.#problem !== null) return;
    try {
      for (const [file, lines] of files) await append(join(this.#settings.dir, file), lines.join(''));
      if (position !== null) this.#keepPosition(position);
    } catch (cause) {
      this.#problem = unwritable(this.#settings.dir, userName(), cause);
      this.#onProblem();
    }
  }

  #keepPosition(position: number): void {
    const path = join(this.#settings.dir, POSITION);
    writeFileSync(`${path}.new`, `${position}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
}

async function append(path: string, text: string): Promise<void> {
  const file = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

function makeDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unwritable(dir, userName(), cause);
  }
}

/** Place in the stream up to which a directory has everything; null when it has none. */
function positionOf(dir: string): number | null {
  try {
    const position = Number(readFileSync(join(dir, POSITION), 'utf8'));
    return Number.isSafeInteger(position) && position > 0 ? position : null;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unwritable(dir, userName(), cause);
  }
}

/** The settings of a reader that goes on where the files in `dir` end. */
function resumed(source: ReaderSettings, dir: string): ReaderSettings {
  const position = positionOf(dir);
  if (source.stream === null || position === null) return source;
  return { ...source, stream: { ...source.stream, from: { kind: 'after', streamSeq: position } } };
}

/** Collects until the user stops it or the disk refuses. Throws what prevents it from starting. */
export async function collect(settings: CollectSettings): Promise<SessionResult> {
  const { dir, log, stop } = settings;
  makeDir(dir);
  const collector = new Collector(settings);
  const reader = await BusReader.open(resumed(settings.source, dir), {
    receive: (received) => collector.receive(received),
    warn: (text) => log.warn(`NATS: ${text}`),
  });
  for (const name of readdirSync(dir).filter((file) => file.endsWith('.ndjson'))) {
    const last = mendCollected(join(dir, name));
    if (last !== null) reader.resume(last.session, last.seq);
  }
  collector.onProblem(() => reader.stop());
  stop.addEventListener('abort', () => reader.stop(), { once: true });
  if (stop.aborted) reader.stop();
  log.info(`collecting from ${settings.source.urls.join(', ')} into ${dir}`);
  const timer = setInterval(() => void collector.flush(), FLUSH_MS);
  // Left alone, it would keep the process alive after an error.
  await reader.run().finally(() => clearInterval(timer));
  await collector.flush();
  const counts = reader.counts();
  log.info(countsText(counts));
  const { problem } = collector;
  return { exitCode: problem?.exitCode ?? (hasGaps(counts) ? EXIT.incomplete : EXIT.ok), problem };
}
