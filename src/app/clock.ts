// One clock per session: monotonic nanoseconds of records become UTC by one offset, taken from the session's start
// record. So a replay prints the times of the live run, and no step of the wall clock tears a session.

/** Turns a record's monotonic time into the two forms that events carry. */
export interface SessionClock {
  /** `wallNs` is UTC nanoseconds at monotonic `tsNs`. */
  set(tsNs: bigint, wallNs: bigint): void;
  stamp(tsNs: bigint): { readonly time: string; readonly tsNs: string };
}

/** Before `set`, times count from the epoch: visible nonsense rather than a silent guess. */
export function createClock(): SessionClock {
  let offsetNs = 0n;
  return {
    set(tsNs, wallNs) {
      offsetNs = wallNs - tsNs;
    },
    stamp(tsNs) {
      const wallMs = Number((tsNs + offsetNs) / 1_000_000n);
      return { time: new Date(wallMs).toISOString(), tsNs: tsNs.toString() };
    },
  };
}
