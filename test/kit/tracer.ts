// Runs the built tracer as a user would and collects what it says: NDJSON events from stdout, messages from stderr.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CallEvent, SummaryEvent, TraceEvent } from '../../src/model/index.ts';
import { KitProcess } from './process.ts';

/** The built tracer of this checkout, or another one that the tests are to judge. */
export const TRACER = process.env.TRACER_UNDER_TEST ?? fileURLToPath(new URL('../../build/tracer', import.meta.url));

export interface TracerRun {
  readonly events: readonly TraceEvent[];
  readonly calls: readonly CallEvent[];
  /** The `call` objects as printed. */
  readonly callLines: readonly string[];
  readonly summary: SummaryEvent | undefined;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a finished tracer said. */
export async function collectRun(child: KitProcess): Promise<TracerRun> {
  const { code } = await child.exited;
  const lines = child.lines.filter((line) => line.startsWith('{"'));
  const events = lines.map((line) => JSON.parse(line) as TraceEvent);
  return {
    events,
    calls: events.filter((event): event is CallEvent => event.type === 'call'),
    callLines: lines.filter((_, i) => events[i]?.type === 'call'),
    summary: events.find((event): event is SummaryEvent => event.type === 'summary'),
    exitCode: code,
    stdout: child.lines.join('\n'),
    stderr: child.stderr,
  };
}

export class Tracer implements AsyncDisposable {
  readonly process: KitProcess;

  private constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.process = new KitProcess(TRACER, args, { env: { ...process.env, ...env } });
  }

  /** Starts it and returns at once. */
  static start(...args: readonly string[]): Tracer {
    return new Tracer(args);
  }

  /** `attach --json --pid`; returns when the probes are in place. */
  static attach(pid: number, ...more: readonly string[]): Promise<Tracer> {
    return Tracer.attachAs({}, pid, ...more);
  }

  /** The same with more environment, such as what sudo sets. */
  static async attachAs(
    env: Readonly<Record<string, string>>,
    pid: number,
    ...more: readonly string[]
  ): Promise<Tracer> {
    const tracer = new Tracer(['attach', '--json', '--pid', String(pid), ...more], env);
    await tracer.process.errorLine('attached');
    return tracer;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Waits for its own end: all targets have exited, or a limit was reached. */
  end(): Promise<TracerRun> {
    return collectRun(this.process);
  }

  /** Ctrl-C, then its end. */
  async interrupt(): Promise<TracerRun> {
    await this.process.stop('SIGINT');
    return collectRun(this.process);
  }

  /** Waits until a call for this path was printed. */
  call(path: string): Promise<string> {
    return this.process.until(() =>
      this.process.lines.find((line) => line.includes('"type":"call"') && line.includes(path)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop('SIGKILL');
  }
}

/** Runs the tracer to its end. */
export function runTracer(...args: readonly string[]): Promise<TracerRun> {
  return Tracer.start(...args).end();
}

/** Why live tests cannot run here, or null. In CI and for root nothing is skipped: what is missing fails instead. */
export function whyNoLiveTests(): string | null {
  if (process.geteuid?.() === 0 || process.env.CI === 'true') return null;
  return existsSync(TRACER) ? 'live tests need root' : 'live tests need root and `make build`';
}
