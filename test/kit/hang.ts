// What counts as a hang. Tests of hostile input ask for "ends at all": the inputs are large enough that work which grows with
// their square takes minutes, and the bound is far above what an honest run needs on a busy machine. It is no speed figure:
// those come from test/bench.

/** Milliseconds after which one input counts as hung. */
export const HANG_MS = 20_000;
