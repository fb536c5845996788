// One bounded queue per sink, so that a slow sink holds up neither the capture nor another sink.
//
// Policy: when a sink's queue is full, the newest event is dropped for that sink alone and counted; the count is in the
// summary and makes the capture incomplete. A replay has time: it waits for `ready()` before it goes on and drops nothing.

import type { CallCompleted, SessionEvent, TraceEvent } from '../model/index.ts';

/** What fanout needs of an opened sink: `accept` is synchronous and cheap, `backlog` says how much it still holds. */
export interface FanoutSink {
  readonly name: string;
  /** Before the first event, for a sink that names its events by the session. */
  begin?(session: SessionEvent): void;
  accept(event: TraceEvent): void;
  /** Every completed call before its event, redacted, those among them that no filter wants: to find out what belongs together. */
  fact?(call: CallCompleted): void;
  /** Snapshots of the kernel side's counters, for a sink that shows them while the session runs. */
  counters?(counters: Readonly<Record<string, number>>): void;
  /** Bytes accepted and not yet written. */
  backlogBytes(): number;
  /** Resolves when the backlog is below half of the bound. */
  drained(): Promise<void>;
  /** True when a source that can wait should, for a sink whose backlog is not in memory alone. */
  isBehind?(): boolean;
  /** Events that the sink itself had to give up. */
  lostEvents?(): number;
  flush(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** 64 MiB of text per sink: about 30,000 calls with their headers, or a minute of a busy editor with a stalled reader. */
export const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

export class Fanout {
  readonly #sinks: readonly FanoutSink[];
  readonly #dropped = new Map<string, number>();

  constructor(sinks: readonly FanoutSink[]) {
    this.#sinks = sinks;
  }

  begin(session: SessionEvent): void {
    for (const sink of this.#sinks) sink.begin?.(session);
  }

  /** True when a sink asks for facts. */
  get wantsFacts(): boolean {
    return this.#sinks.some((sink) => sink.fact !== undefined);
  }

  fact(call: CallCompleted): void {
    for (const sink of this.#sinks) sink.fact?.(call);
  }

  counters(counters: Readonly<Record<string, number>>): void {
    for (const sink of this.#sinks) sink.counters?.(counters);
  }

  accept(event: TraceEvent): void {
    for (const sink of this.#sinks) {
      if (sink.backlogBytes() > MAX_BACKLOG_BYTES) {
        this.#dropped.set(sink.name, (this.#dropped.get(sink.name) ?? 0) + 1);
      } else {
        sink.accept(event);
      }
    }
  }

  /** Resolves at once unless a sink is over half of its bound. */
  async ready(): Promise<void> {
    for (const sink of this.#sinks) {
      if (sink.isBehind?.() ?? sink.backlogBytes() > MAX_BACKLOG_BYTES / 2) await sink.drained();
    }
  }

  /** Events dropped so far, by sink; empty when none was. */
  dropped(): Readonly<Record<string, number>> {
    const lost = this.#sinks.map((sink) => {
      const events = (this.#dropped.get(sink.name) ?? 0) + (sink.lostEvents?.() ?? 0);
      return [sink.name, events] as const;
    });
    return Object.fromEntries(lost.filter(([, events]) => events > 0));
  }

  async close(deadlineMs: number): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.flush(deadlineMs)));
    await Promise.all(this.#sinks.map((sink) => sink.close()));
  }
}
