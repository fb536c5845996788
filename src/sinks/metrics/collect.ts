// Events as Prometheus metrics. Labels come from a closed set or are bounded: what a peer can choose (models) must not make
// series without end.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CallEvent, ConnectionEvent, LlmSummary, ProcessEvent, TraceEvent, Usage } from '../../model/index.ts';

/** Different models that get a label of their own; the rest are `other`. */
const MAX_MODELS = 100;
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120];

/** Fields of Usage and the label that each has. */
const TOKENS: readonly (readonly [keyof Usage, string])[] = [
  ['input', 'input'],
  ['cached', 'cached'],
  ['cacheWrite', 'cache_write'],
  ['output', 'output'],
  ['reasoning', 'reasoning'],
];

/** `2xx`, or `none` for a call that got no status. */
const statusClass = (status: number | null): string => (status === null ? 'none' : `${Math.floor(status / 100)}xx`);

export class MetricsCollector {
  readonly registry = new Registry();
  readonly #models = new Set<string>();
  readonly #processes = new Set<number>();
  readonly #calls = this.#counter('tracer_calls_total', 'Calls that have ended', ['class', 'model', 'status', 'end']);
  readonly #incomplete = this.#counter('tracer_calls_incomplete_total', 'Of these, not captured whole', ['class']);
  readonly #tokens = this.#counter('tracer_tokens_total', 'Tokens as reported by the provider', ['model', 'type']);
  readonly #bytes = this.#counter('tracer_body_bytes_total', 'Bodies on the wire', ['class', 'side']);
  readonly #lost = this.#counter('tracer_lost_bytes_total', 'Plaintext that the capture lost', ['dir']);
  readonly #findings = this.#counter('tracer_findings_total', 'Findings', ['severity']);
  readonly #duration = this.#histogram('tracer_call_duration_seconds', 'First byte of the request to the end', 'class');
  readonly #ttft = this.#histogram('tracer_time_to_first_token_seconds', 'First byte to the first token', 'model');
  readonly #open = this.#gauge('tracer_connections_open', 'Connections that are open', []);
  readonly #traced = this.#gauge('tracer_processes', 'Processes that are traced', []);
  readonly #kernel = this.#gauge('tracer_kernel_counter', 'Counters of the kernel side, by bpf/counters.def', ['name']);
  readonly #bus = this.#gauge('tracer_nats', 'Counts of the bus: published, waiting in the spool, dropped', ['name']);

  accept(event: TraceEvent): void {
    switch (event.type) {
      case 'call':
        this.#call(event);
        return;
      case 'connection':
        this.#connection(event);
        return;
      case 'process':
        this.#process(event);
        return;
      case 'loss':
        this.#lost.inc({ dir: event.dir ?? 'none' }, event.bytes);
        return;
      case 'finding':
        this.#findings.inc({ severity: event.severity });
        return;
      case 'summary':
        this.counters(event.counters);
        return;
      default:
        return;
    }
  }

  /** The newest snapshot of the kernel side's counters. */
  counters(counters: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(counters)) this.#kernel.set({ name }, value);
  }

  bus(counts: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(counts)) this.#bus.set({ name }, value);
  }

  #call(call: CallEvent): void {
    const { class: name, llm } = call;
    const model = this.#modelOf(llm);
    this.#calls.inc({ class: name, model, status: statusClass(call.status), end: call.end });
    if (call.captured === 'partly') this.#incomplete.inc({ class: name });
    this.#bytes.inc({ class: name, side: 'request' }, call.request.bytes);
    this.#bytes.inc({ class: name, side: 'response' }, call.response.bytes);
    this.#duration.observe({ class: name }, call.timing.durationMs / 1000);
    if (call.timing.ttftMs !== null) this.#ttft.observe({ model }, call.timing.ttftMs / 1000);
    for (const [field, type] of TOKENS) {
      const count = llm?.usage[field];
      if (count !== undefined) this.#tokens.inc({ model, type }, count);
    }
  }

  #modelOf(llm: LlmSummary | undefined): string {
    const model = llm?.model ?? 'none';
    if (this.#models.size >= MAX_MODELS && !this.#models.has(model)) return 'other';
    this.#models.add(model);
    return model;
  }

  #connection({ phase }: ConnectionEvent): void {
    if (phase === 'opened') this.#open.inc();
    if (phase === 'closed') this.#open.dec();
  }

  #process({ phase, pid }: ProcessEvent): void {
    if (phase === 'exited') this.#processes.delete(pid);
    else this.#processes.add(pid);
    this.#traced.set(this.#processes.size);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<Label extends string>(name: string, help: string, labelName: Label): Histogram<Label> {
    return new Histogram({ name, help, labelNames: [labelName], buckets: SECONDS, registers: [this.registry] });
  }
}
