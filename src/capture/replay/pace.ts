// The speed of a replay: records at the pace at which they were captured, or a multiple of it. Changes when a record comes,
// never which or in what order.

/** Shorter waits cost more than they show. */
const MIN_WAIT_MS = 10;

export interface Pace {
  /** Milliseconds until the record of this time is due; 0 when it is. */
  waitMs(tsNs: bigint): number;
}

export const AT_ONCE: Pace = { waitMs: () => 0 };

/** `factor` times as fast as it happened; `nowMs` is a clock of any origin. */
export function paceOf(factor: number, nowMs: () => number): Pace {
  let first: { readonly tsNs: bigint; readonly atMs: number } | null = null;
  return {
    waitMs(tsNs) {
      if (tsNs === 0n) return 0;
      first ??= { tsNs, atMs: nowMs() };
      const dueMs = first.atMs + Number(tsNs - first.tsNs) / 1e6 / factor;
      const waitMs = dueMs - nowMs();
      return waitMs < MIN_WAIT_MS ? 0 : waitMs;
    },
  };
}
