// Beginning and end of a capture: several targets, limits, Ctrl-C, kill -9 of the tracer in mid-stream.
import { statSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Client, startNodeClient } from '../kit/clients.ts';
import { live, scratch } from '../kit/live.ts';
import { type Service, startService } from '../kit/service.ts';
import { runTracer, Tracer } from '../kit/tracer.ts';

/** Its answer stops in the middle until the service is told to go on. */
const heldClient = (service: Service): Promise<Client> => startNodeClient('node-http2', service, { workload: 'held' });

/** Resolves when a part of the answer is in the recording: request and head of the answer take less than this. */
async function untilAnswered(recording: string, emptyBytes: number): Promise<void> {
  while (statSync(recording).size < emptyBytes + 4_000) await new Promise((resolve) => setTimeout(resolve, 50));
}

live(
  'kill -9 of the tracer in mid-stream: the transfer completes and the recording replays to its last block',
  async () => {
    await using service = await startService();
    using dir = scratch();
    await using client = await heldClient(service);
    await using tracer = await Tracer.attach(client.pid, '--record', dir.path('session.trc'));
    const emptyBytes = statSync(dir.path('session.trc')).size;
    client.go();
    await untilAnswered(dir.path('session.trc'), emptyBytes);
    await tracer.process.stop('SIGKILL');
    await service.release();
    const [result] = await client.results();
    const truth = (await service.exchanges(2)).find(({ path }) => path.startsWith('/kit/hold'));
    expect([result?.sha256, result?.bytes]).toEqual([truth?.response.sha256, 300_000]);
    const replay = await runTracer('replay', dir.path('session.trc'), '--json');
    const [call] = replay.calls;
    expect([call?.path, call?.status, call?.end]).toEqual([truth?.path, 200, 'open']);
    expect(call?.response.bytes).toBeGreaterThan(0);
    expect(call?.response.bytes).toBeLessThan(300_000);
    expect(replay.stderr).toMatch(/last whole block|was cut|ends/);
  },
);

live('kill -9 of the tracer leaves no probe that slows or breaks the target', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-http2', service, { workload: 'bodies' });
  const tracer = await Tracer.attach(client.pid);
  await tracer.process.stop('SIGKILL');
  client.go();
  const results = await client.results();
  expect(results.map((result) => result.status)).toEqual([200, 200, 200]);
});

live('Ctrl-C ends an idle capture with a summary and exit code 0, and the target goes on', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  await using tracer = await Tracer.attach(client.pid);
  const run = await tracer.interrupt();
  expect([run.exitCode, run.summary?.calls, run.summary?.complete]).toEqual([EXIT.ok, 0, true]);
  client.go();
  expect((await client.results()).map((result) => result.status)).toEqual([200]);
});

live('Ctrl-C in mid-stream shows the call that is still open', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await heldClient(service);
  await using tracer = await Tracer.attach(client.pid, '--record', dir.path('session.trc'));
  const emptyBytes = statSync(dir.path('session.trc')).size;
  client.go();
  await untilAnswered(dir.path('session.trc'), emptyBytes);
  const run = await tracer.interrupt();
  expect(run.calls.map((call) => [call.end, call.status])).toEqual([['open', 200]]);
  await service.release();
  expect((await client.results()).map((result) => result.bytes)).toEqual([300_000]);
});

live('two targets at once: the calls of both, each under its own pid', async () => {
  await using service = await startService();
  await using one = await startNodeClient('node-https', service, { workload: 'one' });
  await using two = await startNodeClient('node-http2', service, { workload: 'one' });
  await using tracer = await Tracer.attach(one.pid, '--pid', String(two.pid));
  one.go();
  two.go();
  const run = await tracer.end();
  expect(run.calls.map((call) => [call.pid, call.httpVersion]).sort()).toEqual(
    [
      [one.pid, '1.1'],
      [two.pid, '2'],
    ].sort(),
  );
});

live('--duration ends the capture by itself', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  await using tracer = await Tracer.attach(client.pid, '--duration', '500ms');
  const run = await tracer.end();
  expect([run.exitCode, run.summary?.calls]).toEqual([EXIT.ok, 0]);
});

live('--max-calls ends the capture after that many calls', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'parallel' });
  await using tracer = await Tracer.attach(client.pid, '--max-calls', '3');
  client.go();
  const run = await tracer.end();
  const complete = run.calls.filter((call) => call.end === 'complete');
  expect(complete.length).toBeGreaterThanOrEqual(3);
  expect((await client.results()).filter((result) => result.status !== 200)).toEqual([]);
});

live('a child that the target starts later is traced too', async () => {
  await using service = await startService();
  const url = `https://127.0.0.1:${service.port}/kit/bytes?n=100`;
  const script = `curl -s -k -o /dev/null '${url}'; true`;
  const run = await runTracer('run', '--json', '--', 'sh', '-c', script);
  const found = run.calls.map((call) => call.path);
  expect(found).toEqual(['/kit/bytes?n=100']);
  const forks = run.events.filter((event) => event.type === 'process' && event.phase !== 'exited');
  expect(forks.length).toBeGreaterThan(0);
});
