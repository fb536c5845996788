// What a call may keep in memory.

export interface CallLimits {
  /** Of one body, after content decoding: a full context window of a million tokens is about 5 MB of JSON. */
  readonly maxBodyBytes: number;
  /** Of all bodies that are open at the same time. */
  readonly maxOpenBytes: number;
  /** Of an answer that is kept only to see what kind of answer it is (path not known). */
  readonly maxProbeBytes: number;
}

export const CALL_LIMITS: CallLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxOpenBytes: 128 * 1024 * 1024,
  maxProbeBytes: 64 * 1024,
};
