// How far a long reading has come: one line on a terminal's standard error, rewritten a few times per second, gone at the
// end. Nothing is printed where standard error is no terminal, or for what ends quickly.

import { bytes } from '../app/start.ts';

interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  show(position: { readonly readBytes: number; readonly totalBytes: number | null }): void;
  clear(): void;
}

/** Nothing is shown before this time, and not more often. */
const FIRST_MS = 500;
const EVERY_MS = 200;

/** Carriage return, and "erase to the end of the line" (ECMA-48 §8.3.41). */
const REWRITE = '\r\u001b[K';

const textOf = (readBytes: number, totalBytes: number | null): string =>
  totalBytes === null || totalBytes === 0
    ? `reading: ${bytes(readBytes)}`
    : `reading: ${Math.min(100, Math.floor((readBytes / totalBytes) * 100))}% of ${bytes(totalBytes)}`;

export function progressLine(stream: ProgressStream, nowMs: () => number = Date.now): ProgressLine {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  let dueMs = nowMs() + FIRST_MS;
  let isShown = false;
  return {
    show: ({ readBytes, totalBytes }) => {
      if (nowMs() < dueMs) return;
      dueMs = nowMs() + EVERY_MS;
      isShown = true;
      stream.write(REWRITE + textOf(readBytes, totalBytes));
    },
    clear: () => {
      if (isShown) stream.write(REWRITE);
      isShown = false;
    },
  };
}
