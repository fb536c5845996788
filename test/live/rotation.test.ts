// A live recording in parts: together they replay what was shown, and each belongs to its owner alone.
import { readdirSync, statSync } from 'node:fs';
import { expect } from 'vitest';
import { startNodeClient } from '../kit/clients.ts';
import { HANG_MS } from '../kit/hang.ts';
import { live, scratch } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import { runTracer, Tracer } from '../kit/tracer.ts';

live('a recording in parts replays the calls of the live session, whatever the order of the files', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startNodeClient('node-http2', service, { workload: 'held' });
  await using tracer = await Tracer.attach(client.pid, '--json', '--record', dir.path('session.trc'), '--rotate', '1s');
  const partsSoFar = (): string[] => readdirSync(dir.path('.')).filter((name) => name.endsWith('.trc'));
  client.go();
  // The answer is in the middle for as long as that takes.
  await expect.poll(() => partsSoFar().length, { timeout: HANG_MS }).toBeGreaterThan(2);
  await service.release();
  await client.results();
  const shown = await tracer.interrupt();
  const parts = partsSoFar();
  for (const part of parts) expect(statSync(dir.path(part)).mode & 0o777).toBe(0o600);
  const files = [...parts]
    .sort()
    .reverse()
    .map((name) => dir.path(name));
  const replayed = await runTracer('replay', '--json', ...files);
  expect(replayed.calls).toEqual(shown.calls);
  expect(replayed.summary).toMatchObject({ complete: true, calls: shown.calls.length });
});
