// Finds the next provable start line in bytes of unknown meaning: after joining in mid-stream, after a hole, after
// damage. Keeps the last SEEK_KEEP_BYTES of an unfinished line, so an endless body costs no memory.

import { ByteBuffer, latin1 } from '../../bytes/index.ts';
import { SEEK_KEEP_BYTES } from './limits.ts';
import { type Kind, parseStartLine, type StartLine, seekStartLine } from './syntax.ts';

const LF = 0x0a;
const CR = 0x0d;
const STATUS_PREFIX = 'HTTP/1.';
/** Shortest start line: `HTTP/1.1 200`. Bodies of many short lines pass without being made into text. */
const SHORTEST_BYTES = 12;

export class StartSeeker {
  readonly #tail = new ByteBuffer(SEEK_KEEP_BYTES);
  /** Bytes passed since `begin` that are not part of the unfinished line. Line ends before the first line do not count. */
  #passedBytes = 0;
  /** The found start line, and whether it was the very first thing seen since `begin`. */
  start: StartLine | undefined;
  isAtOnce = false;
  /** What comes first is known to begin a line. */
  #isAligned: boolean;

  constructor(isAligned: boolean) {
    this.#isAligned = isAligned;
  }

  begin(isAligned: boolean): void {
    this.#isAligned = isAligned;
    this.#tail.clear();
    this.#passedBytes = 0;
    this.start = undefined;
  }

  get passedBytes(): number {
    return this.#passedBytes + this.#tail.length;
  }

  /** True when the bytes since `begin` can no longer start with a status line. Bytes in `next` have not been passed yet. */
  cannotBeStatus(next: Uint8Array): boolean {
    if (this.#passedBytes > 0) return true;
    const seen = latin1(this.#tail.view().subarray(0, 7)) + latin1(next.subarray(0, 7));
    const head = seen.replace(/^[\r\n]+/, '').slice(0, STATUS_PREFIX.length);
    return !STATUS_PREFIX.startsWith(head);
  }

  /** Reads up to the next line end. Returns the index behind it; `start` is set when the line held a start line. */
  read(bytes: Uint8Array, at: number, kind: Kind | undefined): number {
    const lf = bytes.indexOf(LF, at);
    const end = lf < 0 ? bytes.length : lf;
    this.#keep(bytes.subarray(at, end));
    if (lf < 0) return end;
    const isEmpty = this.#tail.length === 0 || (this.#tail.length === 1 && this.#tail.view()[0] === CR);
    if (this.#tail.length >= SHORTEST_BYTES) this.#examine(latin1(this.#tail.view()).replace(/\r$/, ''), kind);
    if (!isEmpty || this.#passedBytes > 0) this.#passedBytes += this.#tail.length + 1;
    this.#tail.clear();
    return lf + 1;
  }

  #examine(line: string, kind: Kind | undefined): void {
    const isFirst = this.#passedBytes === 0;
    const known = seekStartLine(line, kind);
    // A method that is not among the known ones is believed only where a start line is due.
    const direct = known === undefined && isFirst && this.#isAligned ? parseStartLine(line, kind) : undefined;
    const found = direct === undefined ? known : { start: direct, before: 0 };
    this.start = found?.start;
    this.isAtOnce = isFirst && found?.before === 0;
  }

  #keep(part: Uint8Array): void {
    const excess = this.#tail.length + part.length - SEEK_KEEP_BYTES;
    if (excess > 0) {
      this.#passedBytes += excess;
      this.#tail.drop(excess);
    }
    this.#tail.append(part.subarray(-SEEK_KEEP_BYTES));
  }
}
