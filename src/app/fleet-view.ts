// What a fleet's events look like in one place: the same views as a local session's, each line with its origin in front.

import type { FleetEvent, Origin, TraceEvent } from '../model/index.ts';
import { inCells, type OpenSink, SINKS, type SinkHost, timeOfDay, toLine, visible } from '../sinks/index.ts';

export interface FleetView {
  accept(event: FleetEvent, origin: Origin): Promise<void>;
}

/** Width of the origin in front of each line. */
const ORIGIN_CELLS = 24;
/** Sessions whose losses are counted at a time; of those that never said that they ended, the oldest go. */
const MAX_SESSIONS = 1_000;

const NO_ORIGIN = `${' '.repeat(ORIGIN_CELLS)} `;

const label = ({ host, user }: Origin): string => `${inCells(visible(`${user}@${host}`), ORIGIN_CELLS, 'left')} `;

class TerminalView implements FleetView {
  readonly #host: SinkHost;
  readonly #isVerbose: boolean;
  /** One table with one head for the calls of all sessions. */
  #shared: OpenSink | null = null;
  /** Losses and summaries: they count by session. */
  readonly #sessions = new Map<string, OpenSink>();
  #label = NO_ORIGIN;

  constructor(host: SinkHost, isVerbose: boolean) {
    this.#isVerbose = isVerbose;
    this.#host = {
      ...host,
      write: (text) => host.write(text.replace(/^(?=.)/gm, this.#label)),
      columns: () => {
        const columns = host.columns();
        return columns === null ? null : Math.max(1, columns - ORIGIN_CELLS - 1);
      },
    };
  }

  async accept(event: FleetEvent, origin: Origin): Promise<void> {
    this.#label = label(origin);
    if (event.type === 'heartbeat') return;
    if (event.type === 'session') {
      this.#host.write(`${timeOfDay(event.time)} session begins, tracer ${visible(event.toolVersion)}\n`);
      return;
    }
    const sink = await this.#sinkFor(event, origin.session);
    sink.accept(event);
    if (event.type === 'summary') this.#sessions.delete(origin.session);
  }

  async #sinkFor(event: TraceEvent, session: string): Promise<OpenSink> {
    if (event.type !== 'loss' && event.type !== 'summary') {
      this.#shared ??= await this.#open();
      return this.#shared;
    }
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    const sink = await this.#open();
    this.#sessions.set(session, sink);
    return sink;
  }

  #open(): Promise<OpenSink> {
    const kind = SINKS.find(({ name }) => name === 'terminal');
    if (kind === undefined) throw new Error('there is a terminal sink');
    return kind.open({ verbose: this.#isVerbose }, this.#host);
  }
}

/** An event with its origin as one more member: what `tail --json` prints and `collect` keeps. */
export function originLine(event: FleetEvent, origin: Origin): string {
  const located: FleetEvent & { readonly origin: Origin } = { ...event, origin };
  return toLine(located);
}

const lineView = (host: SinkHost): FleetView => ({
  accept: async (event, origin) => host.write(originLine(event, origin)),
});

export const createFleetView = (format: 'terminal' | 'ndjson', host: SinkHost, isVerbose: boolean): FleetView =>
  format === 'ndjson' ? lineView(host) : new TerminalView(host, isVerbose);
