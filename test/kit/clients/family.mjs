// A parent that starts children like an editor starts extension hosts, one after another: each waits a moment, sends one request,
// and is killed without a word once it has its answer.
//   family.mjs --port N --ca FILE --children N --delay MS
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { leave, say, waitForGo } from './go.mjs';

const { values } = parseArgs({
  options: {
    type: { type: 'string' },
    port: { type: 'string' },
    ca: { type: 'string' },
    children: { type: 'string', default: '1' },
    delay: { type: 'string', default: '0' },
    number: { type: 'string', default: '0' },
  },
});

/** Asks for a body of its own size and tells the parent how much came. */
function beChild() {
  const path = `/kit/bytes?n=${100_000 + Number(values.number)}&seed=${values.number}`;
  const options = { host: '127.0.0.1', port: values.port, path, ca: readFileSync(String(values.ca)) };
  setTimeout(() => {
    https.get(options, (response) => {
      let bytes = 0;
      response.on('data', (piece) => {
        bytes += piece.length;
      });
      response.on('end', () => process.send?.({ bytes }));
    });
  }, Number(values.delay));
}

/** @param {number} number @returns {Promise<number>} bytes that the child received */
async function bringUp(number) {
  const args = ['--type=extensionHost', ...process.argv.slice(2), '--number', String(number)];
  const child = fork(fileURLToPath(import.meta.url), args);
  const [{ bytes }] = await once(child, 'message');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  return bytes;
}

/** @param {import('node:child_process').ChildProcess} child @param {string} event @returns {Promise<any[]>} */
const once = (child, event) => new Promise((resolve) => child.once(event, (...args) => resolve(args)));

if (values.type === 'extensionHost') beChild();
else {
  await waitForGo();
  const results = [];
  for (let i = 0; i < Number(values.children); i++) results.push(await bringUp(i + 1));
  say({ done: true, results });
  leave();
}
