// `make demo`: the whole path on this machine, with stand-ins at both ends. A STAND-IN service and a STAND-IN client talk TLS
// over loopback; the tracer attaches to the client by its pid and prints each call as it happens. Nothing leaves the machine.
// Ends by itself; exit code 0 only if every call that the service answered was recognised, with the right text.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DEADLINE_MS = 30_000;
const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TRACER = at('build/tracer');

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** @param {string} command @param {string[]} args @param {import('node:child_process').StdioOptions} stdio */
const start = (command, args, stdio) => {
  const child = spawn(command, args, { stdio });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
};

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
const ended = (child) =>
  new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)));

/** First line of the stream that passes, given every line. @param {NodeJS.ReadableStream | null} stream @param {(line: string) => boolean} passes @returns {Promise<string>} */
const lineOf = (stream, passes) =>
  new Promise((resolve, reject) => {
    if (!stream) return reject(new Error('no stream'));
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => passes(line) && resolve(line));
    lines.on('close', () => reject(new Error('a part of the demo ended too early')));
  });

/** @param {string} text */
const say = (text) => process.stderr.write(`demo: ${text}\n`);

/** The tracer's messages for people: the text of a log line. @param {string} line */
const messageOf = (line) => {
  if (!line.startsWith('{')) return line;
  return String(JSON.parse(line).msg ?? line);
};

/** Attaches to the pid with the terminal as output; resolves when the probes are in place. @param {number} pid @param {string} recording */
const attach = async (pid, recording) => {
  const args = ['attach', '--pid', String(pid), '--record', recording];
  const isRoot = process.geteuid?.() === 0;
  say(`$ ${isRoot ? '' : 'sudo '}build/tracer ${args.join(' ')}`);
  const tracer = isRoot
    ? start(TRACER, args, ['ignore', 'inherit', 'pipe'])
    : start('sudo', [TRACER, ...args], ['inherit', 'inherit', 'pipe']);
  const end = ended(tracer);
  await lineOf(tracer.stderr, (line) => {
    process.stderr.write(`${messageOf(line)}\n`);
    return line.includes('attached');
  });
  return { end };
};

/** @param {string} recording @returns {Promise<any[]>} the calls of the recording */
const replayedCalls = async (recording) => {
  const replay = start(TRACER, ['replay', recording, '--json'], ['ignore', 'pipe', 'inherit']);
  /** @type {any[]} */
  const events = [];
  createInterface({ input: /** @type {NodeJS.ReadableStream} */ (replay.stdout) }).on('line', (line) =>
    events.push(JSON.parse(line)),
  );
  await ended(replay);
  return events.filter((event) => event.type === 'call');
};

/** How one call is named in the comparison: its class and what the model said. @param {{ class: string, llm?: { text: string, model: string | null } }} call */
const nameOf = ({ class: name, llm }) =>
  llm && !name.startsWith('embeddings.') ? `${name} ${llm.model}: ${llm.text}` : name;

/** What the service answered and the tracer did not recognise. @param {string} truthFile @param {any[]} calls */
const missing = (truthFile, calls) => {
  const seen = calls.map(nameOf);
  const wanted = readFileSync(truthFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => nameOf(JSON.parse(line).expect));
  return wanted.filter((name) => {
    const found = seen.indexOf(name);
    if (found >= 0) seen.splice(found, 1);
    return found < 0;
  });
};

/** @param {string} dir */
const run = async (dir) => {
  const service = start(process.execPath, [at('test/kit/service.mjs')], ['pipe', 'pipe', 'inherit']);
  const place = JSON.parse(await lineOf(service.stdout, () => true));
  say(`STAND-IN service on https://127.0.0.1:${place.port} (invented answers, nothing leaves this machine)`);
  const client = start(
    process.execPath,
    [at('test/kit/clients/copilot.mjs'), '--port', String(place.port), '--ca', place.ca],
    ['pipe', 'pipe', 'inherit'],
  );
  await lineOf(client.stdout, (line) => line.includes('"ready"'));
  say(`STAND-IN client: pid ${client.pid}, HTTP/2, server-sent events, one WebSocket`);
  const recording = join(dir, 'demo.trc');
  const tracer = await attach(Number(client.pid), recording);
  client.stdin?.write('go\n');
  const exitCode = await tracer.end;
  if (exitCode !== 0) say(`the tracer ended with exit code ${exitCode}`);
  const lacking = missing(place.truth, await replayedCalls(recording));
  for (const name of lacking) say(`not recognised: ${name}`);
  return exitCode === 0 && lacking.length === 0;
};

if (!existsSync(TRACER)) {
  say('build/tracer is missing: run `make build` first');
  process.exit(3);
}
const dir = mkdtempSync(join(tmpdir(), 'tracer-demo-'));
// Started by root, the tracer goes on as another user and must be able to write its recording here.
chmodSync(dir, 0o1777);
const watchdog = setTimeout(() => {
  say(`did not end within ${DEADLINE_MS / 1000} s`);
  for (const child of children) child.kill('SIGKILL');
}, DEADLINE_MS);
try {
  const isGood = await run(dir);
  say(isGood ? 'every call was recognised, with the text that the service sent' : 'FAILED');
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  clearTimeout(watchdog);
  for (const child of children) child.kill();
  rmSync(dir, { recursive: true, force: true });
}
