// Wall-clock times for monotonic ones, learned from events that carry both.

import type { CallEvent } from '../model/index.ts';

const NS_PER_MS = 1_000_000n;

export class WallTime {
  /**
   * Wall clock minus monotonic clock, at most this much too small: a time is cut to milliseconds, so each event gives a lower
   * bound, and with the largest of them every event comes out as it was told. Null before the first event.
   */
  #offsetNs: bigint | null = null;

  learn({ time, tsNs }: Pick<CallEvent, 'time' | 'tsNs'>): void {
    const boundNs = BigInt(Date.parse(time)) * NS_PER_MS - BigInt(tsNs);
    const byNs = this.#offsetNs === null ? 0n : boundNs - this.#offsetNs;
    // Another clock altogether is another session's.
    if (this.#offsetNs === null || (byNs > 0n && byNs < NS_PER_MS)) this.#offsetNs = boundNs;
  }

  /** UTC, ISO 8601 with milliseconds. */
  iso(tsNs: bigint): string {
    return new Date(Number((tsNs + (this.#offsetNs ?? 0n)) / NS_PER_MS)).toISOString();
  }
}

/** Milliseconds with microseconds as decimals. */
export const msOf = (ns: bigint): number => Number(ns / 1000n) / 1000;
