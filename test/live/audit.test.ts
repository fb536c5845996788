// `tracer audit` as a user runs it. Needs no kernel, but the built tracer.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { cleanSession, leakySession, SECRETS } from '../app/audit/session.ts';
import { live, scratch } from '../kit/live.ts';
import { runTracer } from '../kit/tracer.ts';

live('audit prints findings without secrets and exits with 3 when --fail-on says so', async () => {
  using dir = scratch();
  const leaky = leakySession(dir.path('leaky.trc'));
  const run = await runTracer('audit', leaky, '--fail-on', 'high');
  expect(run.exitCode).toBe(EXIT.findings);
  expect(run.stdout).toContain('HIGH    github-token  GitHub token');
  expect(SECRETS.filter((secret) => `${run.stdout}${run.stderr}`.includes(secret))).toEqual([]);
  expect((await runTracer('audit', cleanSession(dir.path('clean.trc')), '--fail-on', 'high')).exitCode).toBe(EXIT.ok);
});

live('audit writes SARIF to a private file', async () => {
  using dir = scratch();
  const out = dir.path('findings.sarif');
  const run = await runTracer('audit', leakySession(dir.path('leaky.trc')), '--sarif', '-o', out);
  expect([run.exitCode, run.stdout]).toEqual([EXIT.ok, '']);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const [sarif] = JSON.parse(readFileSync(out, 'utf8')).runs;
  expect(sarif.results[0].ruleId).toBe('github-token');
});

live('audit refuses what is no host and a file that is none', async () => {
  using dir = scratch();
  expect((await runTracer('audit', 'x', '--allow-host', 'http://a/')).exitCode).toBe(EXIT.use);
  expect((await runTracer('audit', dir.path('none.trc'))).exitCode).toBe(EXIT.unreadable);
});

live('audit-store prints the secrets of a store by fingerprint', async () => {
  const store = fileURLToPath(new URL('../vectors/store/session-store.db', import.meta.url));
  const run = await runTracer('audit-store', store, '--fail-on', 'high');
  expect(run.exitCode).toBe(EXIT.findings);
  expect(run.stdout).toContain('2 sessions, 2 secrets');
  expect(SECRETS.filter((secret) => run.stdout.includes(secret))).toEqual([]);
});
