// Child processes of the tests: their lines as they come, their end, and no way to forget one. Every process is ended by its
// own pid only.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long a test waits for a line or an end before it says what it saw instead; emulated machines take longer. */
const PATIENCE_MS = Number(process.env.KIT_PATIENCE_MS ?? 60_000);

export class KitProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Whole stdout so far, by line. */
  readonly lines: string[] = [];
  /** Lines of stderr so far. */
  readonly errorLines: string[] = [];
  /** Called after every new line of either stream, and at the end. */
  readonly #watchers = new Set<() => void>();
  readonly #name: string;
  #isGone = false;

  constructor(command: string, args: readonly string[], options: SpawnOptions = {}) {
    this.#name = [command, ...args].join(' ');
    this.child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    this.pid = this.child.pid ?? -1;
    this.exited = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal }));
    });
    this.exited.then(
      () => this.#end(),
      () => this.#end(),
    );
    this.#collect(this.child.stdout, this.lines);
    this.#collect(this.child.stderr, this.errorLines);
    // A child that has ended cannot be written to; its end is reported by `exited`.
    this.child.stdin?.on('error', () => {});
  }

  get stderr(): string {
    return this.errorLines.join('\n');
  }

  /** One line to its standard input. */
  say(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** First line of stdout, past or to come, that is a JSON object with this field. */
  async json<T = Record<string, unknown>>(field: string): Promise<T> {
    const found = await this.until(() => this.lines.map(parseObject).find((value) => value && field in value));
    return found as T;
  }

  /** First line of stderr, past or to come, that contains the text. */
  errorLine(text: string): Promise<string> {
    return this.until(() => this.errorLines.find((line) => line.includes(text)));
  }

  /** Waits until `probe` gives a value; asks again at every new line. Fails when the process ends or takes too long. */
  until<T>(probe: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        stop();
        reject(new Error(`${this.#name}: ${why}\nstdout: ${this.lines.slice(-20).join('\n')}\nstderr: ${this.stderr}`));
      };
      const look = (): void => {
        const value = probe();
        if (value !== undefined) {
          stop();
          resolve(value);
        } else if (this.#isGone) fail('ended before it said what was expected');
      };
      const timer = setTimeout(() => fail(`said nothing of the expected in ${PATIENCE_MS} ms`), PATIENCE_MS);
      const stop = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Ends it if it still runs, and waits for that. One that takes too long is killed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', patienceMs = PATIENCE_MS / 2): Promise<Exit> {
    if (!this.#isGone) this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), patienceMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #collect(stream: NodeJS.ReadableStream | null, into: string[]): void {
    if (!stream) return;
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      into.push(line);
      this.#notify();
    });
  }

  #end(): void {
    this.#isGone = true;
    this.#notify();
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** The line as a JSON object, or undefined when it is something else. */
function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
