// Lines out of bytes that are cut anywhere. A line ends with LF; a CR before it belongs to the line end (RFC 9112 §2.2
// lets a recipient accept a bare LF). A whole line inside one input is a view of that input; only a cut one is copied.

import { ByteBuffer } from './byte-buffer.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Result of `read`: no line yet (all input was taken), or a line longer than the limit. */
export const LINE_MORE = -1;
export const LINE_TOO_LONG = -2;

const withoutCr = (line: Uint8Array): Uint8Array =>
  line.length > 0 && line[line.length - 1] === CR ? line.subarray(0, -1) : line;

export class LineReader {
  readonly #held: ByteBuffer;
  /** The last line that `read` completed, without its line end. Valid until the next `read` or the end of the input. */
  line: Uint8Array = new Uint8Array(0);

  constructor(limitBytes: number) {
    this.#held = new ByteBuffer(limitBytes);
  }

  /** Reads on from `at`. Returns the index behind the line's LF, or LINE_MORE, or LINE_TOO_LONG. */
  read(bytes: Uint8Array, at: number): number {
    const lf = bytes.indexOf(LF, at);
    const part = bytes.subarray(at, lf < 0 ? bytes.length : lf);
    if (lf >= 0 && this.#held.length === 0) {
      this.line = withoutCr(part);
      return part.length > this.#held.room ? LINE_TOO_LONG : lf + 1;
    }
    if (!this.#held.append(part)) return LINE_TOO_LONG;
    if (lf < 0) return LINE_MORE;
    this.line = withoutCr(this.#held.take());
    return lf + 1;
  }

  /** The held part of an unfinished line, as a view. */
  get held(): Uint8Array {
    return this.#held.view();
  }

  clear(): void {
    this.#held.clear();
  }
}
