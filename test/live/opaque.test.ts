// What is no HTTP is labelled and left alone: its bytes are counted by the kernel and not copied.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:tls';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { startProgram } from '../kit/clients.ts';
import { capturedBytes } from '../kit/decode.ts';
import { live, scratch } from '../kit/live.ts';
import { makeCertificate } from '../kit/service/certificate.mjs';
import { kitPath } from '../kit/service.ts';
import { Tracer } from '../kit/tracer.ts';

const GREETINGS = {
  redis: Buffer.from('*1\r\n$4\r\nPING\r\n'),
  postgres: Buffer.from('\0\0\0\x17\0\x03\0\0user\0tracer\0\0', 'latin1'),
  mqtt: Buffer.from('\x10\x0c\0\x04MQTT\x04\x02\0\x3c\0\0', 'latin1'),
  unknown: Buffer.from('0102030405060708', 'hex'),
} as const;

const GREETED = Object.keys(GREETINGS).length;

const labelsIn = (lines: readonly string[]): number =>
  lines.filter((line) => line.includes('"protocol":"opaque"') && line.includes('"identified"')).length;

live('redis, postgres, mqtt and unknown binary: labelled with exact byte counts, and no longer copied', async () => {
  using dir = scratch();
  const { key, cert } = makeCertificate('echo', ['localhost']);
  writeFileSync(dir.path('ca.pem'), cert);
  const server = createServer({ key, cert }, (socket) => socket.on('error', () => {}).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const greetings = Object.values(GREETINGS).map((bytes) => bytes.toString('hex'));
  const args = [kitPath('clients/tls-echo.mjs'), port, dir.path('ca.pem'), ...greetings];
  await using client = await startProgram(process.execPath, args);
  await using tracer = await Tracer.attach(client.pid, '--record', dir.path('session.trc'));
  for (let labelled = 0; labelled < greetings.length; ) {
    client.go();
    labelled++;
    // What is sent after the label must not be copied.
    await tracer.process.until(() => labelsIn(tracer.process.lines) === labelled || undefined);
  }
  client.go();
  const sent = await client.process.json<{ beforeBytes: number; afterBytes: number }>('done');
  const run = await tracer.end();
  server.close();

  const connections = run.events.filter((event) => event.type === 'connection');
  const labels = connections.filter(({ phase, protocol }) => phase === 'identified' && protocol !== undefined);
  expect(labels.map(({ protocol, detail }) => [protocol, detail])).toEqual(
    Object.keys(GREETINGS).map((name) => ['opaque', name]),
  );
  const sizes = Object.values(GREETINGS).map((bytes) => bytes.length + sent.beforeBytes + sent.afterBytes);
  const closed = connections.filter(({ phase }) => phase === 'closed');
  expect(
    closed.map(({ outBytes, inBytes, lostOutBytes, lostInBytes }) => [outBytes, inBytes, lostOutBytes, lostInBytes]),
  ).toEqual(sizes.map((bytes) => [bytes, bytes, 0, 0]));
  expect([run.calls, run.summary?.complete, run.exitCode]).toEqual([[], true, EXIT.ok]);

  const { skipped_bytes: skipped = 0, copied_bytes: copied = 0 } = run.summary?.counters ?? {};
  const all = 2 * sizes.reduce((sum, bytes) => sum + bytes, 0);
  expect(skipped).toBeGreaterThanOrEqual(2 * GREETED * sent.afterBytes);
  expect(copied + skipped).toBe(all);
  const { out, in: received } = await capturedBytes(dir.path('session.trc'));
  expect(out + received).toBe(copied);
});
