// The terminal view: one line per completed call as it ends, losses and findings as they happen, a summary at the end.
// Nothing captured reaches the terminal unless it passed `visible`.

import type { ConnectionEvent, FindingEvent, LossEvent, TraceEvent } from '../../model/index.ts';
import type { OpenSink, Sink, SinkHost } from '../sink.ts';
import { callDetails, explanation } from './call-details.ts';
import { callLine, headLine } from './call-line.ts';
import { type Layout, layoutFor } from './columns.ts';
import { type Paint, painter } from './paint.ts';
import { ProcessLines } from './process-lines.ts';
import { exact, timeOfDay } from './quantity.ts';
import { createLossLedger, summaryLines } from './summary.ts';
import { visible } from './visible.ts';
import { shorten } from './width.ts';

/** How long `close` waits for the last lines. */
const CLOSE_DEADLINE_MS = 1_000;
const MAX_FACT_CELLS = 400;

/** `opened` is when its first byte was seen: one that was there before the tracer says nothing of its age. */
const CONNECTION_PHASES = { opened: 'first seen at', identified: 'identified at', closed: 'closed by' } as const;

const connectionText = (e: ConnectionEvent): string => {
  const tls = e.tlsVersion === undefined ? undefined : `TLS ${e.tlsVersion} ${e.tlsCipher ?? ''}`;
  const alpn = e.alpn === undefined ? undefined : `ALPN ${e.alpn}`;
  const facts = [e.protocol, e.detail, e.sni, e.remote, tls, alpn, e.joinedLate === true ? 'joined late' : undefined];
  return [
    `${e.id} ${CONNECTION_PHASES[e.phase]} ${e.role}:${e.pid}`,
    ...facts.filter((fact) => fact !== undefined),
  ].join(' · ');
};

const lossText = (e: LossEvent): string =>
  [`lost ${exact(e.bytes)} B`, e.connection === undefined ? '' : `of ${e.connection}`, e.dir ?? '', `(${e.cause})`]
    .filter((part) => part !== '')
    .join(' ');

const findingText = (e: FindingEvent): string => {
  const from = e.file === undefined ? '' : ` from ${e.file}`;
  const to = e.host === undefined || e.host === null ? '' : ` ${e.dir === 'received' ? 'answered by' : 'to'} ${e.host}`;
  return `${e.severity} finding ${e.rule} in ${e.call}, ${e.where}${from}${to} #${e.fingerprint}`;
};

class Terminal implements OpenSink {
  readonly #host: SinkHost;
  readonly #paint: Paint;
  readonly #isVerbose: boolean;
  readonly #explains: boolean;
  readonly #losses = createLossLedger();
  readonly #processes = new ProcessLines();
  /** Width for which the head line was last printed; undefined before the first. */
  #headFor: number | null | undefined;
  #layout: Layout = new Map();

  constructor(host: SinkHost, isVerbose: boolean, explains: boolean) {
    this.#host = host;
    this.#paint = painter(host.colour);
    this.#isVerbose = isVerbose;
    this.#explains = explains;
  }

  accept(event: TraceEvent): void {
    const lines = this.#lines(event);
    if (lines.length > 0) this.#host.write(`${lines.join('\n')}\n`);
  }

  flush(deadlineMs: number): Promise<void> {
    return this.#host.drain(deadlineMs);
  }

  close(): Promise<void> {
    return this.#host.drain(CLOSE_DEADLINE_MS);
  }

  #lines(event: TraceEvent): string[] {
    switch (event.type) {
      case 'call': {
        const head = this.#headLines();
        const why = this.#explains ? explanation(event, this.#paint) : [];
        const details = this.#isVerbose ? callDetails(event, this.#paint) : [];
        return [...head, callLine(event, this.#layout, this.#paint), ...why, ...details];
      }
      case 'loss':
        this.#losses.add(event);
        return [this.#fact(event.time, lossText(event), 'notice')];
      case 'finding':
        return [this.#fact(event.time, findingText(event), event.severity === 'high' ? 'bad' : 'notice')];
      case 'process':
        // Programs start many short helpers: only those that could speak TLS are worth a line.
        if (!this.#isVerbose || event.tls.length === 0) return [];
        return [this.#fact(event.time, this.#processes.textOf(event), 'dim')];
      case 'connection':
        return this.#isVerbose ? [this.#fact(event.time, connectionText(event), 'dim')] : [];
      case 'summary':
        return summaryLines(event, this.#losses, this.#paint, this.#isVerbose);
      case 'call.started':
      case 'call.delta':
        return [];
    }
  }

  /** The titles before the first call, and again when the terminal's width has changed. */
  #headLines(): string[] {
    const columns = this.#host.columns();
    if (columns === this.#headFor) return [];
    this.#headFor = columns;
    this.#layout = layoutFor(columns);
    return [headLine(this.#layout, this.#paint)];
  }

  /** A line that is not a call: time, then words. */
  #fact(time: string, text: string, tone: 'dim' | 'notice' | 'bad'): string {
    const stamp = timeOfDay(time);
    const cells = (this.#host.columns() ?? MAX_FACT_CELLS) - stamp.length - 1;
    return `${this.#paint(stamp, 'dim')} ${this.#paint(shorten(visible(text), cells), tone)}`;
  }
}

export const terminal: Sink = {
  name: 'terminal',
  flag: null,
  description: 'print one line per call',
  options: [
    { name: 'verbose', kind: 'flag', description: 'show prompts, answers, tool calls, processes and connections' },
    { name: 'explain', kind: 'flag', description: 'show which rule named each call' },
  ],
  open: async ({ verbose, explain }, host) => new Terminal(host, verbose === true, explain === true),
};
