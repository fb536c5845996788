// OpenTelemetry while a session runs. A call's span goes out within seconds of its end, a tool's when its result was sent, a
// turn's when it is over; each knows its parent from the start, so that they may arrive in any order. The spans are those that
// an export of the session's recording makes, with the same ids.
//
// Nothing here waits for the collector but `flush`: what it does not take at once is kept within a bound and tried again with
// growing pauses, then the newest is given up and counted. The caller's clock drives it: `tick`.

import type { CallEvent, TraceEvent } from '../../model/index.ts';
import type { TurnFacts } from '../export.ts';
import { GenAiMetrics } from './metrics.ts';
import type { Span } from './model.ts';
import type { Refusal } from './refusal.ts';
import { batchLength, charsOf, metricsRequest, traceRequest } from './request.ts';
import { type LooseSpan, SpanTree, turnsByCall } from './spans.ts';
import { TlsFacts } from './tls.ts';
import type { OtlpTransport } from './transport.ts';

/** What waits for a collector that is away: an hour of a busy editor without content. */
const MAX_QUEUED_SPANS = 20_000;
/** The same in characters of attributes, for spans with content. */
const MAX_QUEUED_CHARS = 32 * 1024 * 1024;
/** Histograms go out this often, as the specification's default has it. */
const METRICS_EVERY_MS = 60_000;
/** Pauses between attempts; the first doubles until the last. */
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [5000, 60_000];
/** Turns of which is known which tools went out: of the latest of each conversation more may come. */
const MAX_TURNS = 1000;

/** A turn, and whether no more is expected of it. */
export interface LiveTurn {
  readonly turn: TurnFacts;
  readonly isOver: boolean;
}

export interface LiveOtlpHost {
  readonly transport: OtlpTransport;
  /** For messages. */
  readonly target: string;
  readonly toolVersion: string;
  readonly content: boolean;
  /** Turns with news since the last time, earlier ones first; `isEnd`: all are over. */
  turns(isEnd: boolean): readonly LiveTurn[];
  info(text: string): void;
  warn(text: string): void;
}

export class LiveOtlp {
  readonly #host: LiveOtlpHost;
  readonly #tree: SpanTree;
  readonly #metrics = new GenAiMetrics();
  readonly #connections = new TlsFacts();
  /** Calls that ended since the last tick, and what their spans hold. */
  #loose: LooseSpan[] = [];
  #looseChars = 0;
  /** Ready to go, oldest first. */
  readonly #queue: Span[] = [];
  #queuedChars = 0;
  /** Tools whose spans were made, by turn. */
  readonly #tools = new Map<string, Set<string>>();
  #lost = 0;
  /** The one that is at work; requests never overlap. */
  #sending: Promise<void> | null = null;
  /** Zero while the collector takes what it gets. */
  #pauseMs = 0;
  #notBeforeMs = 0;
  /** Why the collector does not take spans, or metrics, as it was told; the same reason is told once. */
  #told: string | null = null;
  #toldOfMetrics: string | null = null;
  #metricsDueMs = 0;
  #hasNewMetrics = false;

  constructor(host: LiveOtlpHost) {
    this.#host = host;
    this.#tree = new SpanTree(host.content);
  }

  accept(event: TraceEvent): void {
    if (event.type === 'connection') this.#connections.learn(event);
    if (event.type === 'call') this.#acceptCall(event);
  }

  /** Spans that were given up. */
  get lost(): number {
    return this.#lost;
  }

  /** Makes spans of what happened since the last time, and sends. Resolves when nothing more can be sent now. */
  async tick(nowMs: number): Promise<void> {
    this.#collect(false);
    if (nowMs >= this.#notBeforeMs) await this.#send(nowMs);
  }

  /** The same for the last time: turns that are still open go out as they are. */
  async end(nowMs: number): Promise<void> {
    await this.#sending;
    this.#collect(true);
    this.#metricsDueMs = nowMs;
    await this.#send(nowMs);
  }

  /** Gives up what has not been taken. */
  close(): void {
    this.#lost += this.#queue.length;
    this.#drop(this.#queue.length);
  }

  #acceptCall(call: CallEvent): void {
    if (call.llm === undefined) return;
    this.#metrics.add(call, call.llm);
    this.#hasNewMetrics = true;
    const loose = this.#tree.loose(call, this.#connections.ofCall(call.id));
    if (loose === null) return;
    if (this.#isFull()) {
      this.#lost += 1;
      return;
    }
    this.#loose.push(loose);
    this.#looseChars += charsOf(loose.span);
  }

  #isFull(): boolean {
    const chars = this.#looseChars + this.#queuedChars;
    return this.#loose.length + this.#queue.length >= MAX_QUEUED_SPANS || chars >= MAX_QUEUED_CHARS;
  }

  #collect(isEnd: boolean): void {
    const news = this.#host.turns(isEnd);
    const turns = news.map(({ turn }) => turn);
    this.#tree.learn(turns);
    const turnOf = turnsByCall(turns);
    const loose = this.#loose;
    [this.#loose, this.#looseChars] = [[], 0];
    for (const { turn, isOver } of news) {
      this.#collectTools(turn, isOver);
      if (isOver) this.#push(this.#tree.turnSpan(turn));
    }
    for (const one of loose) this.#push(this.#tree.callSpan(one, turnOf.get(one.call)));
  }

  /** Tools that brought a result, or never will. */
  #collectTools(turn: TurnFacts, isOver: boolean): void {
    const made = this.#tools.get(turn.id) ?? new Set<string>();
    for (const tool of turn.tools) {
      if (made.has(tool.id) || (tool.endNs === undefined && !isOver)) continue;
      made.add(tool.id);
      this.#push(this.#tree.toolSpan(tool, turn));
    }
    if (made.size > 0) this.#remember(turn.id, made);
  }

  #remember(turn: string, made: Set<string>): void {
    this.#tools.delete(turn);
    this.#tools.set(turn, made);
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > MAX_TURNS && oldest !== undefined) this.#tools.delete(oldest);
  }

  #push(span: Span): void {
    if (this.#isFull()) {
      this.#lost += 1;
      return;
    }
    this.#queue.push(span);
    this.#queuedChars += charsOf(span);
  }

  #drop(count: number): void {
    for (const span of this.#queue.splice(0, count)) this.#queuedChars -= charsOf(span);
  }

  async #send(nowMs: number): Promise<void> {
    if (this.#sending !== null) return;
    this.#sending = this.#sendAll(nowMs);
    await this.#sending;
    this.#sending = null;
  }

  async #sendAll(nowMs: number): Promise<void> {
    while (this.#queue.length > 0) if (!(await this.#sendBatch(nowMs))) return;
    if (this.#hasNewMetrics && nowMs >= this.#metricsDueMs) await this.#sendMetrics(nowMs);
  }

  /** False when the collector takes nothing now. */
  async #sendBatch(nowMs: number): Promise<boolean> {
    const { transport, toolVersion } = this.#host;
    const spans = this.#queue.slice(0, batchLength(this.#queue));
    const refusal = await transport.traces(traceRequest(spans, toolVersion));
    if (refusal?.isPassing === true) {
      this.#pause(refusal, nowMs);
      return false;
    }
    this.#drop(spans.length);
    if (refusal === undefined) this.#taken();
    else {
      this.#lost += spans.length;
      this.#tell(`${refusal.reason}; its spans are lost`);
    }
    return true;
  }

  async #sendMetrics(nowMs: number): Promise<void> {
    const { transport, toolVersion } = this.#host;
    this.#metricsDueMs = nowMs + METRICS_EVERY_MS;
    this.#hasNewMetrics = false;
    const refusal = await transport.metrics(metricsRequest(this.#metrics.metrics(), toolVersion));
    const reason = refusal && `metrics: ${refusal.reason}`;
    if (reason !== undefined && reason !== this.#toldOfMetrics) this.#warn(reason);
    this.#toldOfMetrics = reason ?? null;
    // The next ones hold these as well.
    if (refusal?.isPassing === true) this.#hasNewMetrics = true;
  }

  #pause(refusal: Refusal, nowMs: number): void {
    this.#pauseMs = Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    this.#notBeforeMs = nowMs + this.#pauseMs;
    this.#tell(`${refusal.reason}; spans wait, and it is tried again`);
  }

  #taken(): void {
    if (this.#told !== null) this.#host.info(`${this.#host.target} takes spans again`);
    [this.#told, this.#pauseMs, this.#notBeforeMs] = [null, 0, 0];
  }

  #tell(reason: string): void {
    if (this.#told !== reason) this.#warn(reason);
    this.#told = reason;
  }

  #warn(reason: string): void {
    this.#host.warn(`${this.#host.target} did not take the data: ${reason}`);
  }
}
