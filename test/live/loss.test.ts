// Loss is exact: what was captured and what is reported as lost add up to what the program sent and received, nothing is
// spliced, and a call that lacks bytes says so.
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { startNodeClient, startProgram } from '../kit/clients.ts';
import { compileClient } from '../kit/compile.ts';
import { capturedBytes } from '../kit/decode.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import type { TracerRun } from '../kit/tracer.ts';

const MAX_CALL_BYTES = 8 * 1024 * 1024;
/** A full chunk, its header and the ring's. */
const LARGEST_RECORD_BYTES = 16_384 + 64 + 8;
const MIRROR_BYTES = 5_000_000;

/** Closed connections of a run: plaintext and lost bytes by direction. */
const closed = (run: TracerRun) =>
  run.events.flatMap((event) => (event.type === 'connection' && event.phase === 'closed' ? [event] : []));

live('a ring that is far too small: captured and lost bytes are exactly what the program wrote and read', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startProgram(await compileClient('ex-client'), [String(service.port), service.ca]);
  const { run } = await traceClient(client, dir.path('session.trc'), '--ring-size', '64K');
  const { bytes: readBytes } = await client.process.json<{ bytes: number }>('bytes');
  const captured = await capturedBytes(dir.path('session.trc'));
  const [connection] = closed(run);
  const lost = { out: connection?.lostOutBytes ?? 0, in: connection?.lostInBytes ?? 0 };
  expect(lost.out).toBeGreaterThan(0);
  expect(captured.in + lost.in).toBe(readBytes);
  expect(connection?.inBytes).toBe(readBytes);
  expect(captured.out + lost.out).toBe(connection?.outBytes);
  expect(connection?.outBytes).toBeGreaterThan(MIRROR_BYTES);
  expect(run.summary?.lost).toMatchObject(lost);
  expect(run.exitCode).toBe(EXIT.incomplete);
});

live('the kernel side’s own books balance when the ring is too small', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startNodeClient('node-https', service, { workload: 'many' });
  const { run } = await traceClient(client, dir.path('session.trc'), '--ring-size', '64K');
  const counters = run.summary?.counters ?? {};
  const count = (name: string): number => counters[name] ?? 0;
  const lost = Object.keys(counters)
    .filter((name) => /^lost_.*_bytes$/.test(name))
    .reduce((sum, name) => sum + count(name), 0);
  expect(lost).toBeGreaterThan(0);
  expect(count('copied_bytes') + count('skipped_bytes') + lost).toBe(count('bytes_out') + count('bytes_in'));
  // A record that found no room tells how full the ring was: what was left is less than the largest record takes.
  const { ringHighWaterBytes = 0, ringBytes } = run.summary?.cost ?? {};
  expect(ringBytes).toBe(65_536);
  expect(ringHighWaterBytes).toBeGreaterThan(65_536 - LARGEST_RECORD_BYTES);
  expect(ringHighWaterBytes).toBeLessThanOrEqual(65_536);
});

live.each(['node-https', 'node-http2'])(
  '%s: no damaged call is shown as whole: each is right, or marked',
  async (name) => {
    await using service = await startService();
    using dir = scratch();
    await using client = await startNodeClient(name, service, { workload: 'many' });
    const { run, exchanges } = await traceClient(client, dir.path('session.trc'), '--ring-size', '64K');
    const truth = await service.exchanges(60);
    const hashes = new Map(truth.map((line) => [line.path, line.response.sha256]));
    const wrong = exchanges.filter(
      (exchange) =>
        exchange.lostBytes === 0 &&
        exchange.end === 'complete' &&
        exchange.response.sha256 !== hashes.get(exchange.path ?? ''),
    );
    expect(wrong).toEqual([]);
    const marked = run.calls.filter((call) => call.captured === 'partly' || call.end !== 'complete');
    expect(marked.length).toBeGreaterThan(0);
    expect(run.summary?.lost.incompleteCalls).toBe(marked.length);
    expect(run.exitCode).toBe(EXIT.incomplete);
  },
);

live('one SSL_write of 10 MiB: its first 8 MiB are there and the rest is counted, to the byte', async () => {
  await using service = await startService();
  using dir = scratch();
  const place = [String(service.port), service.ca, String(10 * 1024 * 1024)];
  await using client = await startProgram(await compileClient('big-write'), place);
  const { run } = await traceClient(client, dir.path('session.trc'));
  const { wroteBytes } = await client.process.json<{ wroteBytes: number }>('wroteBytes');
  expect(run.summary?.lost).toEqual({ out: wroteBytes - MAX_CALL_BYTES, in: 0, incompleteCalls: 1 });
  expect(run.calls.map((call) => [call.captured, call.request.bytes, call.request.lostBytes])).toEqual([
    ['partly', 10 * 1024 * 1024, wroteBytes - MAX_CALL_BYTES],
  ]);
  expect(run.exitCode).toBe(EXIT.incomplete);
});
