// Commands that read a recording, under Node's permission model: they need the program's files, the recording and their own
// output, and nothing else. docs/security.md tells users how.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { collectRun, TRACER, type TracerRun } from '../kit/tracer.ts';

const CHECKOUT = dirname(dirname(TRACER));
const SESSION = join(CHECKOUT, 'test/sessions/agent-turn/session.trc');

const [MAJOR = 0, MINOR = 0] = process.versions.node.split('.').map(Number);
const isStable = MAJOR > 23 || (MAJOR === 23 && MINOR >= 5) || (MAJOR === 22 && MINOR >= 13);
const FLAG = isStable ? '--permission' : '--experimental-permission';

/** The tracer with the right to read itself, its own settings and `dir`, and to write in `dir`. */
function confined(dir: string, ...args: string[]): Promise<TracerRun> {
  const reads = [CHECKOUT, join(homedir(), '.config/ebpf-tracer'), dir].map((path) => `--allow-fs-read=${path}`);
  const options = [FLAG, ...reads, `--allow-fs-write=${dir}`, '--no-warnings'].join(' ');
  return collectRun(new KitProcess(TRACER, args, { env: { ...process.env, NODE_OPTIONS: options } }));
}

it('replay, report, audit and exports work with the right to read a recording and to write beside it', async () => {
  using dir = scratch();
  const out = dir.path('out');
  mkdirSync(out);
  const replay = await confined(out, 'replay', SESSION, '--json');
  expect([replay.exitCode, replay.calls.length]).toEqual([0, 15]);
  const har = join(out, 'a.har');
  const runs = [
    await confined(out, 'report', SESSION, '-o', join(out, 'report.html')),
    await confined(out, 'audit', SESSION, '--json'),
    await confined(out, 'export', SESSION, '--har', har, '--sqlite', join(out, 'a.db')),
  ];
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr.includes('E_')])).toEqual(runs.map(() => [0, false]));
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(15);
  expect(statSync(har).mode & 0o777).toBe(0o600);
});

it('nothing else can be written or read then', async () => {
  using dir = scratch();
  const out = dir.path('out');
  mkdirSync(out);
  const outside = await confined(out, 'export', SESSION, '--har', dir.path('a.har'));
  expect([outside.exitCode, outside.stderr]).toEqual([30, expect.stringContaining('ERR_ACCESS_DENIED')]);
  const unreadable = await confined(out, 'replay', '/etc/hostname');
  expect([unreadable.exitCode, unreadable.stderr]).toEqual([40, expect.stringContaining('E_RECORDING_UNREADABLE')]);
});
