// A file of `tracer collect` after a stop: a line that was torn off goes, the last event tells where to go on.

import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import type { Origin } from '../model/index.ts';

/** First look at the end of a file; doubled until a whole line is in it. */
const FIRST_LOOK_BYTES = 64 * 1024;

/** The last `bytes` of the file. */
function endOf(fd: number, size: number, bytes: number): string {
  const buffer = Buffer.alloc(Math.min(size, bytes));
  readSync(fd, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString('latin1');
}

/** Cuts what stands behind the last line end. Returns the file's size. */
function cutTornLine(fd: number): number {
  const { size } = fstatSync(fd);
  for (let look = FIRST_LOOK_BYTES; ; look *= 2) {
    const end = endOf(fd, size, look);
    const at = end.lastIndexOf('\n');
    if (at < 0 && look < size) continue;
    const whole = size - end.length + at + 1;
    if (whole < size) ftruncateSync(fd, whole);
    return whole;
  }
}

/** Session and number in a line; null for a heartbeat, which has none. */
function numbered(line: string): { session: string; seq: number } | null {
  const { origin } = JSON.parse(line) as { origin?: Partial<Origin> };
  const { session, seq } = origin ?? {};
  return typeof session === 'string' && typeof seq === 'number' ? { session, seq } : null;
}

/** Mends the file and gives the last numbered event in it; null when there is none. */
export function mendCollected(path: string): { readonly session: string; readonly seq: number } | null {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const size = cutTornLine(fd);
    for (let look = FIRST_LOOK_BYTES; ; look *= 2) {
      // The first line of a look is whole only when the look is the file.
      const lines = endOf(fd, size, look)
        .trimEnd()
        .split('\n')
        .slice(look < size ? 1 : 0);
      for (const line of lines.reverse()) {
        const found = line === '' ? null : numbered(line);
        if (found !== null) return found;
      }
      if (look >= size) return null;
    }
  } finally {
    closeSync(fd);
  }
}
