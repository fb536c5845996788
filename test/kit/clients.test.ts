import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Client, startCopilotClient, startNodeClient, startProgram, startPythonClient } from './clients.ts';
import { compileClient, LIBSSL_DEV } from './compile.ts';
import { startService } from './service.ts';
import type { SocketTruth } from './truth.ts';

/** Paths of all requests that the service saw, sorted. */
const summary = (lines: readonly { status: number; isFinished: boolean }[]) =>
  lines.map(({ status, isFinished }) => `${status} ${isFinished}`);

test.each([
  ['node-https', false, '1.1'],
  ['node-http2', false, '2.0'],
  ['undici-fetch', false, '1.1'],
  ['undici-fetch', true, '2.0'],
])('%s (h2: %s) moves 5 MB both ways over HTTP/%s and both ends agree on every byte', async (name, h2, version) => {
  await using service = await startService();
  await using client = await startNodeClient(name, service, { workload: 'bodies', h2 });
  client.go();
  const results = await client.results();
  const truth = await service.exchanges(3);
  expect(truth.map((line) => line.httpVersion)).toEqual([version, version, version]);
  expect(truth.map((line) => line.request.bytes)).toEqual([5_000_000, 0, 5_000_000]);
  expect(results.map((result) => result.sha256)).toEqual(truth.map((line) => line.response.decodedSha256));
});

test('node-http2 sends 200 requests as streams of one connection', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-http2', service, { workload: 'parallel' });
  client.go();
  const results = await client.results();
  const truth = await service.exchanges(200);
  expect(truth).toHaveLength(200);
  expect(results.map((result) => result.sha256).sort()).toEqual(truth.map((line) => line.response.sha256).sort());
});

test('a client sends nothing before it is told to go', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  expect(await service.settled(0)).toEqual([]);
  client.go();
  await client.results();
  expect(await service.settled(1)).toHaveLength(1);
});

test('a warm client has sent one request before it is ready', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-http2', service, { workload: 'one', warm: true });
  expect((await service.exchanges(1)).map((line) => line.path)).toEqual(['/kit/bytes?n=10&seed=99']);
  client.go();
  await client.results();
});

test('the scripted client makes every class of call and two turns on a compressed WebSocket', async () => {
  await using service = await startService();
  await using client = await startCopilotClient(service);
  client.go();
  const results = await client.results();
  const truth = await service.settled(20);
  expect(results.every((result) => result.status === 200 || result.status === 101)).toBe(true);
  const classes = new Set(truth.map((line) => line.expect?.class));
  expect([...classes].sort()).toEqual([
    'auth.token',
    'auth.user',
    'chat.completions',
    'chat.messages',
    'chat.responses',
    'chat.responses.ws',
    'completions.inline',
    'content_exclusion',
    'embeddings.capi',
    'mcp.registry',
    'models.agents_swe',
    'models.list',
    'models.session',
    'nes',
    'router.intent',
    'telemetry.copilot',
  ]);
  const socket = truth.filter((line): line is SocketTruth => line.kind === 'websocket');
  expect(socket.map((line) => [line.compress, line.expect.llm?.toolCalls.length])).toEqual([
    [true, 1],
    [true, 0],
  ]);
});

test('every secret of the scripted client says that it is fake', async () => {
  await using service = await startService();
  await using client = await startCopilotClient(service, ['--no-socket']);
  client.go();
  await client.results();
  const secrets = (await service.settled(18)).flatMap((line) =>
    line.headers.filter((_, i) => /^(authorization|copilot-session-token)$/i.test(line.headers[i - 1] ?? '')),
  );
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((secret) => !secret.includes('FAKE'))).toEqual([]);
});

/** These need a C compiler with libssl-dev, or Python; a machine without them runs the rest. */
const needsC = test.skipIf(!LIBSSL_DEV);

const finish = async (client: Client): Promise<Record<string, number>> => {
  client.go();
  return client.process.json<Record<string, number>>('done');
};

test.skipIf(!existsSync('/usr/bin/python3'))('python moves 5 MB both ways', async () => {
  await using service = await startService();
  await using client = await startPythonClient(service);
  client.go();
  const results = await client.results();
  const truth = await service.exchanges(3);
  expect(summary(truth)).toEqual(['200 true', '200 true', '200 true']);
  expect(results[1]?.sha256).toBe(truth[1]?.response.sha256);
});

needsC('the cycling C client makes one connection per request', async () => {
  await using service = await startService();
  await using client = await startProgram(await compileClient('cycles'), [String(service.port), service.ca, '25']);
  expect(await finish(client)).toMatchObject({ cycles: 25 });
  const sizes = (await service.exchanges(25)).map((line) => line.response.bytes);
  expect(sizes).toEqual(Array.from({ length: 25 }, (_, i) => 100 + i));
});

needsC('the C clients with _ex, one big write, partial writes and threads move every byte', async () => {
  await using service = await startService();
  const place = [String(service.port), service.ca];
  await using ex = await startProgram(await compileClient('ex-client'), place);
  await finish(ex);
  await using big = await startProgram(await compileClient('big-write'), [...place, '10485760']);
  const { wroteBytes, headBytes } = await finish(big);
  expect(wroteBytes! - headBytes!).toBe(10_485_760);
  await using partial = await startProgram(await compileClient('partial'), place);
  const counts = await finish(partial);
  expect(counts.retries).toBeGreaterThan(0);
  expect(counts.partials).toBeGreaterThan(0);
  await using threads = await startProgram(await compileClient('threads'), [...place, '4', '3']);
  await finish(threads);
  const truth = await service.exchanges(15);
  const hash = (path: string) => truth.find((line) => line.path === path)!;
  expect(hash('/kit/echo?big=1').request.bytes).toBe(10_485_760);
  expect(hash('/kit/mirror?ex=1').request.sha256).toBe(hash('/kit/mirror?ex=1').response.sha256);
  expect(hash('/kit/mirror?partial=1').request.sha256).toBe(hash('/kit/mirror?partial=1').response.sha256);
  expect(truth.filter((line) => line.path.includes('thread='))).toHaveLength(12);
});

needsC('seeded bytes are the same in C and in JavaScript', async () => {
  const { seededBytes } = (await import(new URL('service/bytes.mjs', import.meta.url).href)) as {
    seededBytes: (seed: number, length: number) => Buffer;
  };
  await using service = await startService();
  await using ex = await startProgram(await compileClient('ex-client'), [String(service.port), service.ca]);
  await finish(ex);
  const [line] = await service.exchanges(1);
  expect(line?.request.sha256).toBe(createHash('sha256').update(seededBytes(41, 5_000_000)).digest('hex'));
});
