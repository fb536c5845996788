// `tracer scrub` as a user runs it.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { leakySession, SECRETS } from '../app/audit/session.ts';
import { live, scratch } from '../kit/live.ts';
import { runTracer } from '../kit/tracer.ts';

live('scrub makes a recording without the secrets, and says how many there were', async () => {
  using dir = scratch();
  const run = await runTracer('scrub', leakySession(dir.path('in.trc')), dir.path('out.trc'));
  expect([run.exitCode, run.stdout]).toEqual([EXIT.ok, '']);
  expect(run.stderr).toMatch(/[1-9]\d* secrets replaced/);
  const replayed = await runTracer('replay', dir.path('out.trc'), '--json', '--reveal');
  expect(replayed.calls.length).toBe(6);
  const text = `${replayed.stdout}${readFileSync(dir.path('out.trc'), 'latin1')}`;
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
});
