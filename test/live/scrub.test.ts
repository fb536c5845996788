// `tracer scrub` as a user runs it.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { CallEvent } from '../../src/model/index.ts';
import { leakySession, SECRETS } from '../app/audit/session.ts';
import { startCopilotClient } from '../kit/clients.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
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

/** All that a scrubbed call keeps: not fingerprints, nor the size of a compressed body. */
function comparable(call: CallEvent): object {
  const { request, response, ...rest } = JSON.parse(JSON.stringify(call).replace(/ #[0-9a-f]{8}>/g, '>')) as CallEvent;
  const side = ({ headers, decodedBytes }: CallEvent['request']) => ({
    headers,
    decodedBytes,
  });
  return { ...rest, request: side(request), response: side(response) };
}

live('a captured session of the Copilot-like client replays to the same calls when it is scrubbed', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startCopilotClient(service);
  const { run } = await traceClient(client, dir.path('in.trc'), '--user', 'root');
  await runTracer('scrub', dir.path('in.trc'), dir.path('out.trc'));
  const replayed = await runTracer('replay', dir.path('out.trc'), '--json');
  expect(replayed.calls.map(comparable)).toEqual(run.calls.map(comparable));
  expect(run.calls.length).toBe(20);
  const audited = await runTracer('audit', dir.path('in.trc'), '--json');
  const rules: string[] = JSON.parse(audited.stdout).findings.map(({ rule }: { rule: string }) => rule);
  expect([...new Set(rules)]).toEqual(['personal-machine']);
});
