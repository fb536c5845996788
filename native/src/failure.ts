// A failure as data, as it comes out of native code.

/** What native code returns instead of a result. */
export interface Failure {
  /** Positive errno; 0 when the failure has no errno. */
  readonly errno: number;
  /** Name of the errno ("EPERM"). */
  readonly code: string;
  /** What was asked for, as `noun.verb` ("map.get"). */
  readonly operation: string;
  readonly detail: string;
  /** All that libbpf said, the verifier's log included. */
  readonly log?: string;
}
