// How a client process and a test meet: the client says on stdout that it is ready and waits for a line on stdin (or for the
// file KIT_GO_FILE) before its first request, so that a tracer can attach first. It ends when its work is done, or at once
// when stdin closes while it waits.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const POLL_MS = 20;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** @param {object} line */
export const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const goFile = () =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!existsSync(String(process.env.KIT_GO_FILE))) return;
      clearInterval(timer);
      resolve(undefined);
    }, POLL_MS);
  });

/** Says `{ready: true, pid}` and waits for the word to go. @param {object} [more] fields to add to the ready line */
export async function waitForGo(more = {}) {
  say({ ready: true, pid: process.pid, ...more });
  if (process.env.KIT_GO_FILE) return goFile();
  const { done } = await lines.next();
  if (done) process.exit(3);
}

/** The test is done with this process; it has no more to say. */
export function leave() {
  process.exit(0);
}
