// Recordings that hold less: encrypted while they are made, and without bodies.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { live, scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { startService } from '../kit/service.ts';
import { collectRun, runTracer, TRACER, type TracerRun } from '../kit/tracer.ts';

const BODY = 'Zx7Cv4Bn1Mq8We5Rt2Yu';

/** Runs the tracer with more environment. */
const runWith = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<TracerRun> =>
  collectRun(new KitProcess(TRACER, args, { env: { ...process.env, ...env } }));

const post = (url: string): string[] => ['curl', '-s', '-k', '-o', '/dev/null', '-d', `{"note":"${BODY}"}`, url];

live('an encrypted recording replays to the same calls with its passphrase, and to nothing without', async () => {
  await using service = await startService();
  using dir = scratch();
  const file = dir.path('secret.trc');
  const url = `https://127.0.0.1:${service.port}/kit/bytes?n=10`;
  const key = { TRACER_PASSPHRASE: 'correct horse battery' };
  const run = await runWith(
    key,
    'run',
    '--json',
    '--user',
    'root',
    '--record',
    file,
    '--record-encrypt',
    '--',
    ...post(url),
  );
  expect([run.exitCode, run.calls.length]).toEqual([EXIT.ok, 1]);
  expect(run.stderr).toContain('encrypted');
  const bytes = readFileSync(file);
  expect([bytes.subarray(0, 21).toString(), bytes.includes(BODY), bytes.includes('curl')]).toEqual([
    'age-encryption.org/v1',
    false,
    false,
  ]);
  expect((await runWith(key, 'replay', file, '--json')).callLines).toEqual(run.callLines);
  const locked = await runWith({ TRACER_PASSPHRASE: 'wrong' }, 'replay', file, '--json');
  expect([locked.exitCode, locked.calls]).toEqual([EXIT.locked, []]);
});

live('the traced program does not inherit the passphrase', async () => {
  using dir = scratch();
  const key = { TRACER_PASSPHRASE: 'correct horse battery' };
  const run = await runWith(key, 'run', '-o', dir.path('table'), '--', 'sh', '-c', 'echo "got:$TRACER_PASSPHRASE:"');
  expect(run.stdout).toContain('got::');
});

live('with --no-bodies neither the output nor the recording has a body, and heads and sizes are there', async () => {
  await using service = await startService();
  using dir = scratch();
  const file = dir.path('heads.trc');
  const url = `https://127.0.0.1:${service.port}/kit/bytes?n=1000`;
  const run = await runTracer('run', '--json', '--no-bodies', '--user', 'root', '--record', file, '--', ...post(url));
  const replayed = await runTracer('replay', file, '--json', '--reveal');
  for (const one of [run, replayed]) {
    expect(one.calls.map(({ status, request, response }) => [status, request.bytes, response.bytes])).toEqual([
      [200, BODY.length + 11, 1000],
    ]);
    expect(one.calls[0]?.request.headers.some(([name]) => name === 'user-agent')).toBe(true);
  }
  const rows = [run.callLines.join(''), replayed.stdout];
  expect(rows.filter((text) => text.includes(`"note":"${BODY}`))).toEqual([]);
});
