// The canary session over a real bus: what a subscriber gets, what the server stores, and what waits in the spool while there
// is no server.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Msg } from '@nats-io/transport-node';
import { expect } from 'vitest';
import { type CanarySession, canarySession, leaksIn } from '../kit/canary-session.ts';
import { live, scratch } from '../kit/live.ts';
import { freePort, NatsServer } from '../kit/nats-server.ts';
import { runTracer } from '../kit/tracer.ts';

/** Everything that a message has: subject, headers, data. */
const textOf = ({ subject, headers, data }: Msg): string => {
  const fields = [...(headers ?? [])].map(([key, values]) => `${key}: ${values.join(', ')}`);
  return [subject, ...fields, Buffer.from(data).toString('latin1')].join('\n');
};

const kindOf = ({ subject }: Msg): string => subject.split('.').at(-1) ?? '';

/** Names and bytes of all files below. */
function filesBelow(dir: string): string {
  const paths = readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)));
  return paths.map((path) => (statSync(path).isFile() ? `${path}\n${readFileSync(path, 'latin1')}` : path)).join('\n');
}

const replayTo = (url: string, recording: string, spool: string, ...more: string[]) =>
  runTracer('replay', recording, '--json', '--alert', 'low', '--nats', url, '--nats-spool', spool, ...more);

/** What a subscriber to everything got of one replay, once the stream has it all. */
async function published(server: NatsServer, session: CanarySession, encoding: string): Promise<Msg[]> {
  using dir = scratch();
  const recording = dir.path('session.trc');
  writeFileSync(recording, session.recording);
  const connection = await connect({ servers: server.url });
  try {
    const got: Msg[] = [];
    const subscription = connection.subscribe('tracer.v1.>', { callback: (_, message) => void got.push(message) });
    await connection.flush();
    const { exitCode, stdout } = await replayTo(
      server.url,
      recording,
      dir.path('spool'),
      ...['--jetstream', '--nats-encoding', encoding],
    );
    // 4: the session has connections that were cut.
    expect([exitCode, leaksIn(stdout, session.canaries)]).toEqual([4, []]);
    // The server sends in order: behind the answer to this, everything that it had taken is here.
    await connection.flush();
    subscription.unsubscribe();
    return got;
  } finally {
    await connection.close();
  }
}

const KINDS = ['call', 'connection', 'finding', 'loss', 'process', 'session', 'sse'];

for (const encoding of ['protobuf', 'json'] as const) {
  live(`no canary reaches a subscriber or the server's disk as ${encoding}`, async () => {
    const session = await canarySession();
    await using server = await NatsServer.start();
    const messages = await published(server, session, encoding);
    expect([...new Set(messages.map(kindOf))].filter((kind) => kind !== 'heartbeat').sort()).toEqual(KINDS);
    const all = messages.map(textOf).join('\n');
    expect(leaksIn(all, session.canaries)).toEqual([]);
    // The prompts did travel, their secrets replaced.
    expect(all).toMatch(/<github-token #[0-9a-f]{8}>/);
    // It writes and renames while it runs.
    await server.stop();
    const stored = filesBelow(server.path('js'));
    expect(stored.length).toBeGreaterThan(messages.reduce((sum, { data }) => sum + data.length, 0));
    expect(leaksIn(stored, session.canaries)).toEqual([]);
  });
}

live('no canary lies in the spool while there is no server', async () => {
  using dir = scratch();
  const session = await canarySession();
  const recording = dir.path('session.trc');
  writeFileSync(recording, session.recording);
  const nobody = `nats://127.0.0.1:${await freePort()}`;
  for (const encoding of ['protobuf', 'json']) {
    const spool = dir.path(`spool-${encoding}`);
    await replayTo(nobody, recording, spool, '--nats-encoding', encoding);
    const waiting = filesBelow(spool);
    expect(waiting).toMatch(/<github-token #[0-9a-f]{8}>/);
    expect(leaksIn(waiting, session.canaries)).toEqual([]);
  }
});
