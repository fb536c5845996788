// Wall-clock times for monotonic ones, learned from events that carry both.

import type { CallEvent } from '../model/index.ts';

export class WallTime {
  /** Wall clock minus monotonic clock; null before the first event. */
  #offsetMs: bigint | null = null;

  learn({ time, tsNs }: Pick<CallEvent, 'time' | 'tsNs'>): void {
    this.#offsetMs ??= BigInt(Date.parse(time)) - BigInt(tsNs) / 1_000_000n;
  }

  /** UTC, ISO 8601 with milliseconds. */
  iso(tsNs: bigint): string {
    return new Date(Number(tsNs / 1_000_000n + (this.#offsetMs ?? 0n))).toISOString();
  }
}

/** Milliseconds with microseconds as decimals. */
export const msOf = (ns: bigint): number => Number(ns / 1000n) / 1000;
