// The one error class and the one place that throws it. Native functions return failures as data; `unwrap` turns them into
// exceptions. Misuse that the types already forbid is a TypeError or RangeError, thrown before native code is asked.
import type { Failure } from './failure.ts';
import { hintFor } from './hints.ts';
import { tellingLines } from './verifier-log.ts';

/** A refusal by the kernel, by libbpf, or by the state of a handle. */
export class BpfError extends Error {
  /** Name of the errno: `'EPERM'`, `'EINVAL'`, … */
  readonly code: string;
  /** The errno, positive; 0 when there is none. */
  readonly errno: number;
  /** What was asked for: `'object.load'`, `'program.attachUprobe'`, … */
  readonly operation: string;
  /** What was wrong; for a refused program the last telling lines of the verifier. */
  readonly detail: string;
  /** What to do about it, a sentence that starts with a verb; empty when there is no general advice. */
  readonly hint: string;
  /** All that libbpf said, the whole verifier log included; empty when it said nothing. */
  readonly log: string;

  constructor(failure: Failure, hint: string = hintFor(failure)) {
    const detail = tellingLines(failure.log ?? '') || failure.detail;
    super(`${failure.operation}: ${detail ? `${detail} (${failure.code})` : failure.code}`);
    this.name = 'BpfError';
    this.code = failure.code;
    this.errno = failure.errno;
    this.operation = failure.operation;
    this.detail = detail;
    this.hint = hint;
    this.log = failure.log ?? '';
  }
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'errno' in value && 'operation' in value;

/** The result, or a thrown {@link BpfError}. */
export const unwrap = <T>(result: T | Failure): T => {
  if (isFailure(result)) throw new BpfError(result);
  return result;
};
