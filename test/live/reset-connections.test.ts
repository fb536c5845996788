// `--reset-connections`: a client that has been connected for long is made to connect anew, and nothing is joined late.
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { startNodeClient } from '../kit/clients.ts';
import { expectByteExact, expectSameSizes } from '../kit/compare.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { startService } from '../kit/service.ts';

const ALL_REQUESTS = 14;

live('a warm h2 connection is closed from outside, and all that follows is known in full', async () => {
  await using service = await startService();
  await using client = await startNodeClient('reconnecting', service, { workload: 'all', warm: true });
  using dir = scratch();
  const { run, exchanges } = await traceClient(client, dir.path('session.trc'), '--reset-connections');
  expect(run.stderr).toContain('closed 1 open connection of the targets');
  const truth = (await service.exchanges(1 + ALL_REQUESTS)).slice(1);
  expect(truth).toHaveLength(ALL_REQUESTS);
  expectByteExact(exchanges, truth);
  expectSameSizes(run.calls, truth);
  expect(run.calls.filter((call) => call.joinedLate === true)).toEqual([]);
  expect([run.summary?.complete, run.exitCode]).toEqual([true, EXIT.ok]);
});

live('without it the same client stays on its connection, and its calls are joined late', async () => {
  await using service = await startService();
  await using client = await startNodeClient('reconnecting', service, { workload: 'one', warm: true });
  using dir = scratch();
  const { run } = await traceClient(client, dir.path('session.trc'));
  expect(run.calls.map((call) => call.joinedLate)).toEqual([true]);
});
