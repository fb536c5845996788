// Every real client, byte for byte against what the server saw and sent: zero loss, zero bytes different.
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Client, startNodeClient, startProgram, startPythonClient } from '../kit/clients.ts';
import { expectByteExact, expectSameSizes } from '../kit/compare.ts';
import { compileClient } from '../kit/compile.ts';
import { live, scratch, type Traced, traceClient } from '../kit/live.ts';
import { type Service, startService } from '../kit/service.ts';

/** Requests of the workload `all`: bodies both ways, codings, a cut event stream, odd answers. */
const ALL_REQUESTS = 14;
const STREAMS = 200;

const expectNoLoss = ({ run }: Traced): void => {
  expect({
    lost: run.summary?.lost,
    complete: run.summary?.complete,
    exitCode: run.exitCode,
    stderr: run.stderr,
  }).toEqual({
    lost: { out: 0, in: 0, incompleteCalls: 0 },
    complete: true,
    exitCode: EXIT.ok,
    stderr: expect.any(String),
  });
};

const expectExact = async (service: Service, client: Client, count: number): Promise<void> => {
  using dir = scratch();
  const traced = await traceClient(client, dir.path('session.trc'));
  const truth = await service.exchanges(count);
  expect(truth).toHaveLength(count);
  expectNoLoss(traced);
  expectByteExact(traced.exchanges, truth);
  expectSameSizes(traced.run.calls, truth);
};

const NODE_CLIENTS = [
  ['node-https', false],
  ['node-http2', false],
  ['undici-fetch', false],
  ['undici-fetch', true],
] as const;

live.each(NODE_CLIENTS)(
  '%s (h2: %s): bodies of 5 MB both ways, codings, 2,000 events, odd answers',
  async (name, h2) => {
    await using service = await startService();
    await using client = await startNodeClient(name, service, { workload: 'all', h2 });
    await expectExact(service, client, ALL_REQUESTS);
  },
);

live.each(NODE_CLIENTS)('%s (h2: %s): 200 requests at the same time', async (name, h2) => {
  await using service = await startService();
  await using client = await startNodeClient(name, service, { workload: 'parallel', h2 });
  await expectExact(service, client, STREAMS);
});

live('python: 5 MB both ways through SSL_read_ex and SSL_write_ex, in the right directions', async () => {
  await using service = await startService();
  await using client = await startPythonClient(service);
  await expectExact(service, client, 3);
});

live('SSL_read_ex and SSL_write_ex of a C program', async () => {
  await using service = await startService();
  await using client = await startProgram(await compileClient('ex-client'), [String(service.port), service.ca]);
  await expectExact(service, client, 1);
});

live('one SSL_write of 5 MiB', async () => {
  await using service = await startService();
  const place = [String(service.port), service.ca, String(5 * 1024 * 1024)];
  await using client = await startProgram(await compileClient('big-write'), place);
  await expectExact(service, client, 1);
});

live('partial writes and WANT_WRITE retries give no byte twice', async () => {
  await using service = await startService();
  await using client = await startProgram(await compileClient('partial'), [String(service.port), service.ca]);
  await expectExact(service, client, 1);
});

live('eight threads with ten connections each', async () => {
  await using service = await startService();
  const place = [String(service.port), service.ca, '8', '10'];
  await using client = await startProgram(await compileClient('threads'), place);
  await expectExact(service, client, 80);
});

live('1,000 connect and close cycles in one process: no connection is mixed with another', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startProgram(await compileClient('cycles'), [String(service.port), service.ca, '1000']);
  const traced = await traceClient(client, dir.path('session.trc'));
  const truth = await service.exchanges(1000);
  expectNoLoss(traced);
  expectByteExact(traced.exchanges, truth);
  const connections = new Set(traced.run.calls.map((call) => call.id.split('.')[0]));
  expect(connections.size).toBe(1000);
});

live('a client that was connected before the tracer came: bodies are exact from there on', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startNodeClient('node-http2', service, { workload: 'bodies', warm: true });
  const { run, exchanges } = await traceClient(client, dir.path('session.trc'));
  const truth = (await service.exchanges(4)).slice(1);
  expect(exchanges.map((exchange) => exchange.response.sha256).sort()).toEqual(
    truth.map((line) => line.response.decodedSha256).sort(),
  );
  expect(run.calls.map((call) => call.joinedLate)).toEqual([true, true, true]);
});
