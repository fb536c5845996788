// A timer for any time. Node's own takes 31 bits of milliseconds, 24.8 days, and fires at once when it is given more.

const LONGEST_MS = 2 ** 31 - 1;

/** Calls `body` once, `delayMs` from now; returns what calls it off. */
export function callAfter(delayMs: number, body: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    const stepMs = Math.min(leftMs, LONGEST_MS);
    timer = setTimeout(() => (leftMs > stepMs ? wait(leftMs - stepMs) : body()), stepMs);
  };
  wait(delayMs);
  return () => clearTimeout(timer);
}
