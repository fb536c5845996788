// The consumers in docs/examples/nats run as they are printed, against a real server.
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { live, scratch } from '../kit/live.ts';
import { NatsServer } from '../kit/nats-server.ts';
import { KitProcess } from '../kit/process.ts';
import { runTracer } from '../kit/tracer.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const LINE = /^\S+Z root@\S+ chat\.completions \S+ \d+/;

live('both consumers print the calls that are published', async () => {
  using dir = scratch();
  await using server = await NatsServer.start();
  const env = { ...process.env, TRACER_PROTO: at('src/sinks/proto/events.proto') };
  await using js = new KitProcess(process.execPath, [at('docs/examples/nats/consumer.mjs'), server.url], { env });
  await using python = new KitProcess('python3', [
    at('docs/examples/nats/consumer.py'),
    '127.0.0.1',
    String(server.port),
  ]);
  const replay = [
    'replay',
    at('test/sessions/agent-turn/session.trc'),
    '--json',
    '--nats',
    server.url,
    '--nats-spool',
    dir.path('spool'),
  ];
  // What is sent before a consumer listens is gone: send until both have shown something.
  const hasShown = ({ lines }: KitProcess): boolean => lines.some((line) => LINE.test(line));
  while (!hasShown(js) || !hasShown(python)) {
    await runTracer(...replay);
    await runTracer(...replay, '--nats-encoding', 'json');
  }
  expect([hasShown(js), hasShown(python)]).toEqual([true, true]);
});
