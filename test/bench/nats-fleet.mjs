// A fleet on one nats-server: 200 publishers with the event rate of busy editors, one reader of the JetStream stream, all on
// this machine. Prints what it cost and how late events were; figures of a run stand in docs/nats.md.
// Usage: node test/bench/nats-fleet.mjs [publishers] [seconds]      (after `make build`)

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const { BusReader, openNats } = await import('../../build/js/sinks/index.js');

const PUBLISHERS = Number(process.argv[2] ?? 200);
const SECONDS = Number(process.argv[3] ?? 30);
/** An agent at work: one call in five seconds, its answer in 40 pieces, its prompt resent whole. */
const CALL_EVERY_MS = 5_000;
const PIECES = 40;
const PROMPT_CHARS = 60_000;
const TICK_MS = 50;

const dir = mkdtempSync(join(tmpdir(), 'nats-fleet-'));

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

const port = await freePort();
const url = `nats://127.0.0.1:${port}`;
const config = join(dir, 'server.conf');
writeFileSync(config, `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${dir}/js", max_file_store: 20G }\n`);
const server = spawn('nats-server', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
await new Promise((resolve) => {
  server.stderr.on('data', (text) => String(text).includes('Server is ready') && resolve(undefined));
});

/** CPU milliseconds and resident bytes of a process. @param {number} pid */
function costOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return { cpuMs: (Number(stat[11]) + Number(stat[12])) * 10, rssBytes: Number(stat[21]) * 4096 };
}

const stamp = () => ({ time: new Date().toISOString(), tsNs: process.hrtime.bigint().toString() });

/** @param {number} publisher @param {number} n */
const piece = (publisher, n) => ({ type: 'call.delta', ...stamp(), id: `c${publisher}.${n}`, kind: 'text', text: ' and then rename it' });

/** Text that no two calls share, as compressible as code. @param {number} n */
const prompt = (n) => `function step${n}() { return ${n}; }\n`.repeat(PROMPT_CHARS / 36);

/** @param {number} publisher @param {number} n */
const call = (publisher, n) => ({
  type: 'call', id: `c${publisher}.${n}`, ...stamp(), pid: 4242, role: 'extension-host', class: 'chat.completions',
  evidence: 'path', host: 'api.example', method: 'POST', path: '/chat/completions', status: 200, httpVersion: '2',
  request: { bytes: PROMPT_CHARS, decodedBytes: PROMPT_CHARS, headers: [['content-type', 'application/json']] },
  response: { bytes: 9_000, decodedBytes: 9_000, headers: [['content-type', 'text/event-stream']] },
  llm: {
    dialect: 'openai-chat', model: 'gpt-4.1', text: 'and then rename it'.repeat(PIECES), toolCalls: [],
    usage: { input: 15_000, output: 200 }, finishReason: 'stop', complete: true,
    request: { dialect: 'openai-chat', model: 'gpt-4.1', stream: true, tools: [], parameters: {},
      messages: [{ role: 'user', parts: [{ kind: 'text', text: prompt(n) }] }] },
  },
  timing: { ttfbMs: 310, ttftMs: 800, durationMs: 4_300 }, end: 'complete', captured: 'whole',
});

const quiet = { log: { info: () => {}, warn: (/** @type {string} */ text) => console.error(text) } };
const stream = { name: 'TRACER', maxAgeMs: 3_600_000, maxBytes: -1 };

/** @param {number} i */
async function publisher(i) {
  const spoolDir = join(dir, `spool-${i}`);
  const sink = await openNats({ urls: [url], encoding: 'protobuf', stream, spoolDir, spoolBytes: 1e8 }, quiet);
  const session = i.toString(16).padStart(16, '0');
  sink.begin({ type: 'session', ...stamp(), session, host: `host-${i}`, user: 'ada', toolVersion: '0.1.0' });
  return { sink, i, sent: 1, calls: 0, dueMs: performance.now() + Math.random() * CALL_EVERY_MS, pieces: 0 };
}

/** @type {Awaited<ReturnType<typeof publisher>>[]} */
const fleet = [];
for (let i = 0; i < PUBLISHERS; i += 1) fleet.push(await publisher(i));

/** @type {number[]} */
const lateMs = [];
let received = 0;
const reader = await BusReader.open(
  { urls: [url], stream: { name: 'TRACER', from: { kind: 'all' } } },
  {
    receive: (/** @type {any} */ { event, origin }) => {
      if (origin.seq === null) return;
      received += 1;
      if (event.type !== 'session') lateMs.push(Number(process.hrtime.bigint() - BigInt(event.tsNs)) / 1e6);
    },
    warn: (/** @type {string} */ text) => console.error(text),
  },
);
const reading = reader.run();

/** Sends what is due at one publisher. @param {(typeof fleet)[number]} one @param {number} nowMs */
function act(one, nowMs) {
  const sinceMs = nowMs - one.dueMs;
  const pieces = Math.min(PIECES, Math.floor(sinceMs / (CALL_EVERY_MS / PIECES)));
  for (; one.pieces < pieces; one.pieces += 1, one.sent += 1) one.sink.accept(/** @type {any} */ (piece(one.i, one.calls)));
  if (sinceMs < CALL_EVERY_MS) return;
  one.sink.accept(/** @type {any} */ (call(one.i, one.calls)));
  Object.assign(one, { calls: one.calls + 1, sent: one.sent + 1, pieces: 0, dueMs: one.dueMs + CALL_EVERY_MS });
}

const [before, own, startMs] = [costOf(Number(server.pid)), process.cpuUsage(), performance.now()];
while (performance.now() - startMs < SECONDS * 1000) {
  for (const one of fleet) act(one, performance.now());
  await pause(TICK_MS);
}
const tookS = (performance.now() - startMs) / 1000;
for (const one of fleet) await one.sink.flush(10_000);
const total = fleet.reduce((sum, { sent }) => sum + sent, 0);
for (let i = 0; i < 100 && received < total; i += 1) await pause(100);
const [after, spent] = [costOf(Number(server.pid)), process.cpuUsage(own)];
const counts = reader.counts();
reader.stop();
for (const one of fleet) await one.sink.close();

lateMs.sort((a, b) => a - b);
const at = (/** @type {number} */ part) => `${(lateMs[Math.floor((lateMs.length - 1) * part)] ?? 0).toFixed(1)} ms`;
console.log(`publishers            ${PUBLISHERS}, ${tookS.toFixed(0)} s`);
console.log(`events                ${total} sent, ${received} read, ${counts.missing} missing, ${counts.duplicates} twice`);
console.log(`rate                  ${(total / tookS).toFixed(0)} events/s, of these ${(fleet.reduce((sum, one) => sum + one.calls, 0) / tookS).toFixed(0)} calls/s`);
console.log(`from event to reader  median ${at(0.5)}, 99 % ${at(0.99)}, worst ${at(1)}`);
console.log(`nats-server           ${((after.cpuMs - before.cpuMs) / tookS / 10).toFixed(0)} % of a core, ${(after.rssBytes / 2 ** 20).toFixed(0)} MiB`);
console.log(`all publishers+reader ${((spent.user + spent.system) / 1e4 / tookS).toFixed(0)} % of a core`);
server.kill('SIGTERM');
await reading;
rmSync(dir, { recursive: true, force: true });
process.exit(received === total ? 0 : 1);
