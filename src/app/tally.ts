// Counts for the summary: taken from the events as they pass, so that live and replay count alike.

import type { ConnectionEvent, CostSummary, SummaryEvent, TraceEvent } from '../model/index.ts';
import { COUNTERS } from '../record/index.ts';

const KIND_OF: ReadonlyMap<string, string> = new Map(COUNTERS.map(({ name, kind }) => [name, kind]));

/** True when the kernel side counted a loss of any kind. */
export const countersShowLoss = (counters: Readonly<Record<string, number>>): boolean =>
  Object.entries(counters).some(([name, value]) => value > 0 && (KIND_OF.get(name) ?? '').startsWith('loss'));

/** What the summary says about cost that only a live run knows. */
export type LiveCost = Pick<CostSummary, 'bpfRunMs' | 'tracerCpuMs' | 'ringBytes'>;

export class Tally {
  #calls = 0;
  #byClass = new Map<string, number>();
  #incomplete = 0;
  /** A process ended before its program had been looked into. */
  #mayHaveMissed = false;
  #processes = 0;
  #connections = 0;
  readonly #bytes = { out: 0, in: 0 };
  readonly #lost = { out: 0, in: 0 };
  #counters: Readonly<Record<string, number>> = {};

  get calls(): number {
    return this.#calls;
  }

  add(event: TraceEvent): void {
    switch (event.type) {
      case 'call':
        this.#calls += 1;
        this.#byClass.set(event.class, (this.#byClass.get(event.class) ?? 0) + 1);
        return;
      case 'process':
        if (event.phase === 'found' || event.phase === 'forked') this.#processes += 1;
        this.#mayHaveMissed ||= event.tls.some((fact) => !fact.hooked && fact.mayHaveMissed === true);
        return;
      case 'connection':
        this.#addConnection(event);
        return;
      default:
        return;
    }
  }

  /** A call of which the capture lost a part (not merely one that began before it). */
  addIncomplete(): void {
    this.#incomplete += 1;
  }

  #addConnection(event: ConnectionEvent): void {
    if (event.phase === 'opened') this.#connections += 1;
    if (event.phase !== 'closed') return;
    this.#bytes.out += event.outBytes ?? 0;
    this.#bytes.in += event.inBytes ?? 0;
    this.#lost.out += event.lostOutBytes ?? 0;
    this.#lost.in += event.lostInBytes ?? 0;
  }

  /** The newest snapshot of the kernel side's counters; they are cumulative. */
  setCounters(counters: Readonly<Record<string, number>>): void {
    this.#counters = counters;
  }

  summary(
    stamp: { time: string; tsNs: string },
    reason: string,
    durationMs: number,
    cost: LiveCost | null,
    endsEarly = false,
  ): SummaryEvent {
    const counters = this.#counters;
    const lost = { ...this.#lost, incompleteCalls: this.#incomplete };
    const hookedCalls = (counters['calls_out'] ?? 0) + (counters['calls_in'] ?? 0);
    const isWhole = lost.out + lost.in + lost.incompleteCalls === 0 && !countersShowLoss(counters);
    const complete = isWhole && !this.#mayHaveMissed && !endsEarly;
    return {
      type: 'summary',
      ...stamp,
      reason,
      durationMs,
      calls: this.#calls,
      callsByClass: Object.fromEntries([...this.#byClass].sort(([a], [b]) => (a < b ? -1 : 1))),
      connections: this.#connections,
      processes: this.#processes,
      bytes: { ...this.#bytes },
      lost,
      counters,
      cost: { hookedCalls, ringHighWaterBytes: counters['ring_peak_bytes'] ?? 0, ...cost },
      complete,
    };
  }
}
