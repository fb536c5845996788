// Call facts to the events that sinks take: numbers become ids, monotonic time becomes UTC, the process is joined.

import type { CallCompleted, CallDelta, CallEvent, CallFact, CallId, CallStarted, TraceEvent } from '../model/index.ts';
import type { SessionClock } from './clock.ts';
import type { Registry } from './registry.ts';

/** `c3.5`, and `c3.5.2` for the second call of a WebSocket. */
export const callIdText = ({ connection, exchange, message }: CallId): string =>
  message === undefined ? `c${connection}.${exchange}` : `c${connection}.${exchange}.${message}`;

/** Milliseconds with microseconds as decimals. */
const msBetween = (fromNs: bigint, toNs: bigint): number => Number((toNs - fromNs) / 1000n) / 1000;

const msUntil = (fromNs: bigint, toNs: bigint | null): number | null =>
  toNs === null ? null : msBetween(fromNs, toNs);

export function toTraceEvent(fact: CallFact, clock: SessionClock, registry: Registry): TraceEvent {
  switch (fact.type) {
    case 'CallStarted':
      return startedEvent(fact, clock, registry);
    case 'CallDelta':
      return deltaEvent(fact, clock);
    case 'CallCompleted':
      return completedEvent(fact, clock, registry);
  }
}

function startedEvent(fact: CallStarted, clock: SessionClock, registry: Registry): TraceEvent {
  return {
    type: 'call.started',
    id: callIdText(fact.id),
    ...clock.stamp(fact.startNs),
    ...registry.roleOf(fact.id.connection),
    class: fact.class,
    host: fact.host,
    method: fact.method,
    path: fact.path,
    model: fact.model,
  };
}

function deltaEvent({ id, tsNs, delta }: CallDelta, clock: SessionClock): TraceEvent {
  const text = delta.kind === 'tool-call' ? delta.argumentsText : delta.text;
  return { type: 'call.delta', id: callIdText(id), ...clock.stamp(tsNs), kind: delta.kind, text };
}

function completedEvent(fact: CallCompleted, clock: SessionClock, registry: Registry): CallEvent {
  return {
    type: 'call',
    id: callIdText(fact.id),
    ...clock.stamp(fact.startNs),
    ...registry.roleOf(fact.id.connection),
    class: fact.class,
    ...(fact.kind !== undefined && { kind: fact.kind }),
    evidence: fact.evidence,
    confidence: fact.confidence,
    host: fact.host,
    method: fact.method,
    path: fact.path,
    status: fact.status,
    httpVersion: fact.httpVersion,
    request: fact.request,
    response: fact.response,
    ...(fact.llm !== undefined && { llm: fact.llm }),
    ...(fact.service !== undefined && { service: fact.service }),
    timing: {
      ttfbMs: msUntil(fact.startNs, fact.firstByteNs),
      ttftMs: msUntil(fact.startNs, fact.firstTokenNs),
      durationMs: msBetween(fact.startNs, fact.tsNs),
    },
    end: fact.end,
    captured: fact.captured,
    ...(fact.joinedLate && { joinedLate: true }),
    ...(fact.served && { served: true }),
    ...(fact.copyOf && { copyOf: callIdText(fact.copyOf) }),
    ...(fact.notes.length > 0 && { notes: fact.notes }),
  };
}
