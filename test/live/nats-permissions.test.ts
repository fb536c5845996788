// The permissions that docs/nats.md prints are enough, and no more than that.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { BusReader } from '../../src/sinks/nats/reader.ts';
import { delta, SESSION, storedIn, testSink } from '../kit/bus.ts';
import { live } from '../kit/live.ts';
import { NatsServer } from '../kit/nats-server.ts';

const manual = readFileSync(new URL('../../docs/nats.md', import.meta.url), 'utf8');
const printed = /^authorization \{.*?^\}/ms.exec(manual)?.[0] ?? '';

live('a founder creates the stream, a host publishes to it, a watcher reads it', async () => {
  const users = ['host-7', 'founder', 'watcher'];
  const files = Object.fromEntries(users.map((user) => [user, `${user}\n…\n`]));
  await using server = await NatsServer.prepare(printed, files);
  await server.start();
  const publish = async (user: string, session: string): Promise<string[]> => {
    await using run = await testSink(
      { urls: [server.url], loginFile: server.path(user) },
      { ...SESSION, host: 'host-7', session },
    );
    run.sink.accept(delta(1));
    await expect.poll(() => run.sink.counts().published, { timeout: 20_000 }).toBe(2);
    await run.sink.close();
    return run.warnings;
  };
  expect(await publish('founder', '0000000000000001')).toEqual([]);
  expect((await publish('host-7', '0000000000000002')).join()).toMatch(/may not look at the stream/);
  const watched: (string | null)[] = [];
  const stream = { name: 'TRACER', from: { kind: 'all' } } as const;
  const reader = await BusReader.open(
    { urls: [server.url], loginFile: server.path('watcher'), stream },
    {
      receive: ({ origin }) => {
        if (origin.seq !== null) watched.push(`${origin.session.slice(-1)}:${origin.seq}`);
        if (watched.length === 4) reader.stop();
      },
      warn: (text) => expect.fail(text),
    },
  );
  await reader.run();
  expect(watched).toEqual(['1:1', '1:2', '2:1', '2:2']);
  await expect(storedIn(server.url, 'TRACER', { user: 'host-7', pass: '…' })).rejects.toThrow();
});
