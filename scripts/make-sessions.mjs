// Records the golden sessions anew: for each, a stand-in service and a stand-in client follow the same script over real TLS on
// loopback, and the built tracer attaches to the client and records. Needs root and `make build`; nothing leaves the machine.
//
//   node scripts/make-sessions.mjs [NAME…]
//
// Writes test/sessions/NAME/session.trc and about.md. The golden outputs beside them are written by `make golden`.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SESSIONS } from '../test/kit/sessions/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TRACER = join(root, 'build/tracer');
const DEADLINE_MS = 30_000;
/** A session is a test fixture, not a load. */
const MAX_BYTES = 200_000;

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
const start = (command, args, cwd) => {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  /** @param {NodeJS.ReadableStream} stream @param {string} word @returns {Promise<string>} */
  const line = (stream, word) =>
    new Promise((resolve, reject) => {
      const lines = createInterface({ input: stream });
      lines.on('line', (text) => text.includes(word) && resolve(text));
      lines.on('close', () => reject(new Error(`${command} ${args.join(' ')} ended without ${word}:\n${errors}`)));
    });
  return { child, ended, line };
};

/** The scripts run from a folder of their own, so that the recording holds no path of this checkout. @param {string} dir */
const prepare = (dir) => {
  cpSync(join(root, 'test/kit'), join(dir, 'kit'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
};

/** @param {string} name @param {string} dir */
const record = async (name, dir) => {
  const service = start(process.execPath, ['kit/session-service.mjs', '--session', name, '--dir', dir], dir);
  const { port, ca } = JSON.parse(await service.line(service.child.stdout, '"port"'));
  const client = start(
    process.execPath,
    ['kit/clients/session.mjs', '--session', name, '--port', String(port), '--ca', ca],
    dir,
  );
  await client.line(client.child.stdout, '"ready"');
  const recording = join(dir, `${name}.trc`);
  const args = ['attach', '--json', '--pid', String(client.child.pid), '--record', recording];
  const tracer = start(TRACER, args, dir);
  tracer.child.stdout.resume();
  await tracer.line(tracer.child.stderr, 'attached');
  client.child.stdin.write('go\n');
  const watchdog = setTimeout(() => client.child.kill('SIGKILL'), DEADLINE_MS);
  const code = await tracer.ended;
  clearTimeout(watchdog);
  service.child.stdin.end();
  await service.ended;
  if ((await client.ended) !== 0 || code !== 0) throw new Error(`${name}: client or tracer failed (exit code ${code})`);
  return recording;
};

/** @param {string} name */
const aboutText = (name) => {
  const { about, facts } = SESSIONS[name]();
  return `# ${name}

${about}

The service and the client are **stand-ins**: both follow \`test/kit/sessions/\`, talk TLS to each other on loopback, and every
name, text and secret in them is invented. The recording was made by the tracer itself (\`scripts/make-sessions.mjs\`). Nothing in
it was sent to or came from a real service.

The shapes follow these facts about the real one: ${facts.join('; ')}.
`;
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SESSIONS);
if (process.geteuid?.() !== 0 || !existsSync(TRACER)) {
  process.stderr.write('make-sessions: needs root and build/tracer (`make build`)\n');
  process.exit(3);
}
const dir = mkdtempSync(join(tmpdir(), 'sessions-'));
chmodSync(dir, 0o1777);
try {
  prepare(dir);
  for (const name of names) {
    const recording = await record(name, dir);
    const { size } = statSync(recording);
    if (size > MAX_BYTES) throw new Error(`${name}: ${size} bytes, more than ${MAX_BYTES}`);
    const target = join(root, 'test/sessions', name);
    mkdirSync(target, { recursive: true });
    copyFileSync(recording, join(target, 'session.trc'));
    chmodSync(join(target, 'session.trc'), 0o644);
    writeFileSync(join(target, 'about.md'), aboutText(name));
    process.stderr.write(`make-sessions: ${name}, ${size} bytes\n`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
