// Events that only a bus carries: who traces where, and that the tracer is alive. Plain JSON values like all events.

import type { EventBase, TraceEvent } from './events.ts';

/** First event of a session on the bus. Its last one is `summary`. */
export interface SessionEvent extends EventBase {
  readonly type: 'session';
  /** Name of the session on the bus: the same for every replay of one recording. */
  readonly session: string;
  /** Machine that was traced. */
  readonly host: string;
  /** User as whom the tracer runs. */
  readonly user: string;
  readonly toolVersion: string;
}

/** Sent at a fixed interval while a session runs and the bus can be reached. All counts since the session's start. */
export interface HeartbeatEvent extends EventBase {
  readonly type: 'heartbeat';
  readonly uptimeMs: number;
  /** Time until the next one. */
  readonly intervalMs: number;
  /** Events handed over for publishing, and those that the server confirmed. */
  readonly accepted: number;
  readonly published: number;
  /** Waiting on disk, now. */
  readonly spooledBytes: number;
  /** Given up because the spool was full. */
  readonly dropped: number;
}

/** All that a bus carries. */
export type FleetEvent = TraceEvent | SessionEvent | HeartbeatEvent;

/** Where an event of the bus comes from. */
export interface Origin {
  readonly host: string;
  readonly user: string;
  readonly session: string;
  /** Number of the event in its session, from 1 without holes; null for a heartbeat, which is outside that order. */
  readonly seq: number | null;
}
