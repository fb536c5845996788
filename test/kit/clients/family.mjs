// A parent that starts children like an editor starts extension hosts, one after another. Each waits a moment, or for a word to
// go (--told), and sends one request; once it has its answer, the next word to go has it killed.
//   family.mjs --port N --ca FILE --children N [--delay MS | --told]
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
    told: { type: 'boolean', default: false },
    number: { type: 'string', default: '0' },
  },
});

/** Asks for a body of its own size and tells the parent how much came. */
function beChild() {
  // Alive until it is killed: an answer that was the last thing to do would end it.
  process.channel?.ref();
  const path = `/kit/bytes?n=${100_000 + Number(values.number)}&seed=${values.number}`;
  const options = { host: '127.0.0.1', port: values.port, path, ca: readFileSync(String(values.ca)) };
  const ask = () =>
    https.get(options, (response) => {
      let bytes = 0;
      response.on('data', (piece) => {
        bytes += piece.length;
      });
      response.on('end', () => process.send?.({ bytes }));
    });
  if (values.told) process.once('message', ask);
  else setTimeout(ask, Number(values.delay));
}

/** @param {number} number @returns {Promise<number>} bytes that the child received */
async function bringUp(number) {
  const args = ['--type=extensionHost', ...process.argv.slice(2), '--number', String(number)];
  // Its own standard input: words to go are the parent's.
  const child = fork(fileURLToPath(import.meta.url), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  if (values.told) {
    await waitForGo({ child: child.pid, number });
    child.send('go');
  }
  const [{ bytes }] = await once(child, 'message');
  await waitForGo({ answered: number });
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
