// The canary test over a real kernel and real TLS: what goes through every output of a live run, its replay and its audit.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Canary, leaksIn } from '../kit/canary-session.ts';
import { live, scratch } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import { runTracer } from '../kit/tracer.ts';

const CANARIES: readonly Canary[] = [
  ['token', 'Xk3LmQ9rT7vWw2YbNc5Pd8FgHj4Ku6Qs1ZaE'],
  ['query', 'Vb8Nd4Mf7Gh2Jk9Lp3Qw'],
  ['basic password', 'Rt5Yu8Io2Pa6Sd9Fg3Hj'],
  ['body', 'Zx7Cv4Bn1Mq8We5Rt2Yu'],
];
const [token, query, basic, body] = CANARIES.map(([, secret]) => secret);
const IN_BASE64 = Buffer.from(`me:${basic}`).toString('base64').slice(4, -4);

live('no canary in any output of a live run, its replay and its audit', async () => {
  await using service = await startService();
  using dir = scratch();
  const url = `https://127.0.0.1:${service.port}/kit/bytes?n=10&access_token=${query}`;
  const curl = [
    'curl',
    '-s',
    '-k',
    '-o',
    '/dev/null',
    '-u',
    `me:${basic}`,
    '-H',
    `X-Api-Key: ghp_${token}`,
    '-d',
    `{"password":"${body}"}`,
    url,
  ];
  const recording = dir.path('session.trc');
  const runs = [
    await runTracer('run', '--json', '--alert', 'low', '--log-level', 'debug', '--record', recording, '--', ...curl),
    await runTracer('run', '-v', '--log-level', 'debug', '-o', dir.path('table'), '--', ...curl),
    await runTracer('replay', recording, '-v', '--alert', 'low'),
    await runTracer('replay', recording, '--json'),
    await runTracer('audit', recording, '--json'),
    await runTracer('audit', recording, '--sarif'),
  ];
  expect(runs[0]?.calls.map(({ status }) => status)).toEqual([200]);
  expect(readFileSync(recording).length).toBeGreaterThan(0);
  const outputs = [...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]), readFileSync(dir.path('table'), 'utf8')];
  const canaries: Canary[] = [...CANARIES, ['basic in base64', IN_BASE64]];
  expect(outputs.flatMap((output) => leaksIn(output, canaries))).toEqual([]);
  const revealed = await runTracer('replay', recording, '--json', '--reveal');
  expect(leaksIn(revealed.stdout, CANARIES)).toContain('token');
});
