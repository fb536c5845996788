// The socket behind each connection: right where it is told, whoever does the sending.
import { expect } from 'vitest';
import type { ConnectionEvent } from '../../src/model/index.ts';
import { type Client, startNodeClient, startPythonClient } from '../kit/clients.ts';
import { live } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import { runTracer, Tracer, type TracerRun } from '../kit/tracer.ts';

const peersOf = (run: TracerRun): readonly ConnectionEvent[] =>
  run.events.filter((event): event is ConnectionEvent => event.type === 'connection' && event.remote !== undefined);

async function traced(client: Client, ...more: readonly string[]): Promise<TracerRun> {
  await using tracer = await Tracer.attach(client.pid, ...more);
  client.go();
  await client.process.json('done');
  return await tracer.end();
}

live('curl sends inside the library’s call: its own socket, once per connection', async () => {
  await using service = await startService();
  const port = 40_000 + (process.pid % 20_000);
  const url = `https://localhost:${service.port}/kit/bytes?n=100`;
  const run = await runTracer(
    'run',
    '--json',
    '--',
    'curl',
    '-s',
    '-k',
    '-o',
    '/dev/null',
    '--local-port',
    `${port}-${port + 50}`,
    url,
  );
  const [peer, ...others] = peersOf(run);
  expect(others).toEqual([]);
  expect([peer?.remote, peer?.peerEvidence]).toEqual([
    expect.stringMatching(new RegExp(`^(127\\.0\\.0\\.1|\\[::1\\]):${service.port}$`)),
    'inside',
  ]);
  const localPort = Number(peer?.local?.split(':').at(-1));
  expect(localPort).toBeGreaterThanOrEqual(port);
  expect(localPort).toBeLessThanOrEqual(port + 50);
});

live(
  'Node sends after the call: each of 25 connections has its own local address, all the same remote one',
  async () => {
    await using service = await startService();
    await using client = await startNodeClient('node-https', service, { workload: 'parallel' });
    const peers = peersOf(await traced(client));
    expect(peers.length).toBeGreaterThan(0);
    expect(new Set(peers.map((peer) => `${peer.remote} ${peer.peerEvidence}`))).toEqual(
      new Set([`127.0.0.1:${service.port} after`]),
    );
    expect(new Set(peers.map((peer) => peer.local)).size).toBe(peers.length);
    expect(new Set(peers.map((peer) => peer.id)).size).toBe(peers.length);
  },
);

live.for([
  ['node-https', 'HTTP/1.1'],
  ['undici-fetch', 'HTTP/1.1'],
  ['node-http2', 'HTTP/2'],
  ['undici-fetch', 'HTTP/2'],
] as const)(
  'Node, a single request on a new connection: its bytes may go out with the end of the handshake; %s, %s',
  async ([name, protocol]) => {
    await using service = await startService();
    await using client = await startNodeClient(name, service, {
      workload: 'one',
      h2: name === 'undici-fetch' && protocol === 'HTTP/2',
    });
    const peers = peersOf(await traced(client));
    expect(peers.map((peer) => [peer.remote, peer.peerEvidence])).toEqual([[`127.0.0.1:${service.port}`, 'after']]);
  },
);

live('Python, one connection over its own socket', async () => {
  await using service = await startService();
  await using client = await startPythonClient(service);
  const peers = peersOf(await traced(client));
  expect(peers.map((peer) => [peer.remote, peer.peerEvidence])).toEqual([[`127.0.0.1:${service.port}`, 'inside']]);
});

live('--no-peer tells no address', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  const run = await traced(client, '--no-peer');
  expect([peersOf(run), run.calls.length]).toEqual([[], 1]);
});
