// The bus against a real nats-server: logins, limits, slow readers, full spools, permissions, and a traced program.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeys } from '@nats-io/transport-node';
import { describe, expect } from 'vitest';
import type { Origin, TraceEvent } from '../../src/model/index.ts';
import { BusReader, type ReaderSettings, type Received } from '../../src/sinks/nats/reader.ts';
import { decodeEvent } from '../../src/sinks/proto/event-codec.ts';
import { delta, SESSION, storedIn, testSink } from '../kit/bus.ts';
import { HANG_MS } from '../kit/hang.ts';
import { live, scratch } from '../kit/live.ts';
import { makeAccounts } from '../kit/nats-accounts.ts';
import { NatsServer } from '../kit/nats-server.ts';
import { KitProcess } from '../kit/process.ts';
import { runTracer, TRACER } from '../kit/tracer.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const RECORDING = 'test/sessions/agent-turn/session.trc';

/** Reads until `count` numbered events are here; `slowMs` for each. */
async function read(
  settings: Partial<ReaderSettings> & { urls: string[] },
  count: number,
  slowMs = 0,
): Promise<Received[]> {
  const received: Received[] = [];
  const stream = { name: 'TRACER', from: { kind: 'all' } } as const;
  const reader = await BusReader.open(
    { stream, ...settings },
    {
      receive: async (one) => {
        if (one.origin.seq !== null) received.push(one);
        if (received.length >= count) reader.stop();
        if (slowMs > 0) await pause(slowMs);
      },
      warn: () => {},
    },
  );
  await reader.run();
  return received;
}

const numbers = (received: readonly Received[]): (number | null)[] => received.map(({ origin }) => origin.seq);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** A certificate authority, and a server certificate for 127.0.0.1 by it, as files in `dir`. */
function makeCertificates(dir: string): void {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=kit CA');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=bus');
  writeFileSync(join(dir, 'san'), 'subjectAltName=IP:127.0.0.1');
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'server.pem',
    '-days',
    '30',
    '-extfile',
    'san',
  );
}

describe('limits', () => {
  live('an event over max_payload travels in parts and arrives whole', async () => {
    await using server = await NatsServer.start('max_payload: 4096');
    await using run = await testSink({ urls: [server.url] });
    const large = delta(1, 'x'.repeat(50_000));
    run.sink.accept(large);
    run.sink.accept(delta(2));
    await run.sink.flush(HANG_MS);
    await run.sink.close();
    const stored = await storedIn(server.url);
    expect(stored.filter(({ part }) => part !== '').map(({ part }) => part)).toEqual(upTo(14).map((n) => `${n}/14`));
    expect((await read({ urls: [server.url] }, 3)).map(({ event }) => event)).toEqual([SESSION, large, delta(2)]);
  });

  live('a stream that takes smaller messages than the server gets smaller parts; it is not changed', async () => {
    await using server = await NatsServer.start();
    const connection = await connect({ servers: server.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'TRACER', subjects: ['tracer.>'], max_msg_size: 2_048 });
    const before = (await manager.streams.info('TRACER')).config;
    await using run = await testSink({ urls: [server.url] });
    run.sink.accept(delta(1, 'x'.repeat(10_000)));
    await run.sink.flush(HANG_MS);
    await run.sink.close();
    expect(await read({ urls: [server.url] }, 2)).toHaveLength(2);
    expect((await manager.streams.info('TRACER')).config).toEqual(before);
    expect(run.warnings).toEqual([
      'NATS: stream TRACER remembers ids for 120 s only: after a longer outage events may be twice in it',
    ]);
    await connection.close();
  });

  live('a stream of somebody else is left alone', async () => {
    await using server = await NatsServer.start();
    const connection = await connect({ servers: server.url });
    await (await jetstreamManager(connection)).streams.add({ name: 'TRACER', subjects: ['orders.>'] });
    await expect(testSink({ urls: [server.url] })).rejects.toMatchObject({ code: 'E_NATS_STREAM' });
    await connection.close();
  });

  live('a full spool gives up its oldest events, counts them and says so on the bus', async () => {
    await using server = await NatsServer.prepare();
    await using run = await testSink({ urls: [server.url], spoolBytes: 3 * 1024 * 1024 });
    for (let i = 1; i <= 1_000; i += 1) run.sink.accept(delta(i, 'y'.repeat(10_000)));
    await expect.poll(() => run.sink.counts().dropped, { timeout: HANG_MS }).toBeGreaterThan(500);
    await server.start();
    await expect.poll(() => run.sink.counts().spooledBytes, { timeout: 20_000 }).toBe(0);
    await run.sink.flush(HANG_MS);
    await run.sink.close();
    const { accepted, published, dropped } = run.sink.counts();
    expect(published + dropped).toBe(accepted);
    const events = (await storedIn(server.url)).map(({ data }) => decodeEvent(data));
    const losses = events.flatMap((event) => (event.type === 'loss' ? [event.cause] : []));
    expect(losses.reduce((sum, cause) => sum + Number(/^\d+/.exec(cause)?.[0]), 0)).toBe(dropped);
    expect(losses[0]).toMatch(/^\d+ events not published: spool full$/);
  });
});

describe('logins', () => {
  live('TLS: the right authority is accepted, none or another is refused at the start', async () => {
    await using server = await NatsServer.prepare('tls { cert_file: "DIR/server.pem", key_file: "DIR/server.key" }');
    makeCertificates(server.dir);
    await server.start();
    const urls = [server.url.replace('nats:', 'tls:')];
    await using run = await testSink({ urls, caFile: server.path('ca.pem') });
    run.sink.accept(delta(1));
    await run.sink.flush(HANG_MS);
    await run.sink.close();
    expect(run.sink.counts().published).toBe(2);
    expect(numbers(await read({ urls, caFile: server.path('ca.pem') }, 2))).toEqual([1, 2]);
    await expect(testSink({ urls })).rejects.toMatchObject({
      code: 'E_NATS_REFUSED',
      message: expect.stringMatching(/TLS: .*certificate/),
    });
  });

  live('a tls:// server without TLS is refused: nothing goes out in the clear', async () => {
    await using server = await NatsServer.start();
    await expect(testSink({ urls: [server.url.replace('nats:', 'tls:')] })).rejects.toMatchObject({
      code: 'E_NATS_REFUSED',
    });
  });

  live('a .creds file', async () => {
    const { config, creds } = makeAccounts();
    await using server = await NatsServer.prepare(config, {
      'tracer.creds': creds,
      'other.creds': makeAccounts().creds,
    });
    await server.start();
    await using run = await testSink({ urls: [server.url], credsFile: server.path('tracer.creds') });
    run.sink.accept(delta(1));
    await run.sink.flush(HANG_MS);
    await run.sink.close();
    expect(run.sink.counts().published).toBe(2);
    const stranger = testSink({ urls: [server.url], credsFile: server.path('other.creds') });
    await expect(stranger).rejects.toMatchObject({
      code: 'E_NATS_REFUSED',
      message: expect.stringContaining('credentials'),
    });
  });

  live('an nkey, and user and password', async () => {
    const user = nkeys.createUser();
    const seed = new TextDecoder().decode(user.getSeed());
    const users = `authorization { users: [{ nkey: ${user.getPublicKey()} }, { user: ada, password: s3cret }] }`;
    await using server = await NatsServer.prepare(users, {
      seed: `${seed}\n`,
      login: 'ada\ns3cret\n',
      wrong: 'ada\nwrong\n',
    });
    await server.start();
    for (const login of [{ nkeyFile: server.path('seed') }, { loginFile: server.path('login') }]) {
      await using run = await testSink({ urls: [server.url], ...login });
      await run.sink.flush(HANG_MS);
      await run.sink.close();
      expect(run.sink.counts().published).toBe(1);
    }
    await expect(testSink({ urls: [server.url], loginFile: server.path('wrong') })).rejects.toMatchObject({
      code: 'E_NATS_REFUSED',
    });
  });

  live('what a server does not let us publish waits, and is said, in core NATS too', async () => {
    const users = 'authorization { users: [{ user: ada, password: p, permissions: { publish: ["other.>"] } }] }';
    await using server = await NatsServer.prepare(users, { login: 'ada\np\n' });
    await server.start();
    await using run = await testSink({ urls: [server.url], loginFile: server.path('login'), stream: null });
    run.sink.accept(delta(1));
    await expect
      .poll(() => run.warnings.join(), { timeout: HANG_MS })
      .toMatch(/events wait: .*[Pp]ermissions? [Vv]iolation/);
    await run.sink.flush(500);
    await run.sink.close();
    expect(run.sink.counts().published).toBe(0);
    expect(run.sink.counts().spooledBytes).toBeGreaterThan(0);
  });
});

describe('readers and servers that are slow or away', () => {
  live('a slow reader of a stream gets everything in order and holds up no publisher', async () => {
    await using server = await NatsServer.start();
    await using run = await testSink({ urls: [server.url] });
    const slow = read({ urls: [server.url] }, 2_001, 1);
    const startMs = performance.now();
    for (let i = 1; i <= 2_000; i += 1) run.sink.accept(delta(i));
    await run.sink.flush(HANG_MS);
    const publishedMs = performance.now() - startMs;
    expect(run.sink.counts().published).toBe(2_001);
    expect(numbers(await slow)).toEqual(upTo(2_001));
    expect(publishedMs).toBeLessThan(performance.now() - startMs);
    await run.sink.close();
  });

  live('events are accepted while no server answers', async () => {
    await using server = await NatsServer.prepare();
    await using run = await testSink({ urls: [server.url] });
    for (let i = 1; i <= 10_000; i += 1) run.sink.accept(delta(i));
    await run.sink.flush(HANG_MS);
    await run.sink.close();
    expect(run.sink.counts()).toMatchObject({ accepted: 10_001, published: 0, dropped: 0 });
  });

  live('the next run sends what the last one could not, readable for its owner only', async () => {
    await using server = await NatsServer.prepare();
    await using first = await testSink({ urls: [server.url] });
    first.sink.accept(delta(1));
    await first.sink.close();
    const [segment = ''] = readdirSync(join(first.spoolDir, '0'));
    expect(statSync(join(first.spoolDir, '0', segment)).mode & 0o777).toBe(0o600);
    await server.start();
    const later = { ...SESSION, session: 'ffff000011112222' };
    await using second = await testSink({ urls: [server.url], spoolDir: first.spoolDir }, later);
    await expect.poll(() => second.sink.counts().published, { timeout: HANG_MS }).toBe(3);
    await second.sink.close();
    const ids = (await storedIn(server.url)).map(({ id }) => id);
    expect(ids).toEqual(['00112233445566aa:1', '00112233445566aa:2', 'ffff000011112222:1']);
  });

  live('the second server takes over when the first goes', async () => {
    await using first = await NatsServer.start();
    await using second = await NatsServer.start();
    await using run = await testSink({ urls: [first.url, second.url], stream: null });
    await run.sink.flush(HANG_MS);
    await first.kill();
    run.sink.accept(delta(1));
    await expect.poll(() => run.sink.counts().published, { timeout: HANG_MS }).toBe(2);
    await run.sink.close();
  });
});

describe('commands', () => {
  live('collect writes what replay published, goes on where it stopped, and mends a torn line', async () => {
    using dir = scratch();
    await using server = await NatsServer.start();
    const shown = await runTracer('replay', RECORDING, '--json');
    const replay = [
      'replay',
      RECORDING,
      '--json',
      '--nats',
      server.url,
      '--jetstream',
      '--nats-spool',
      dir.path('spool'),
    ];
    await runTracer(...replay);
    const read = (): string[] => {
      const files = readdirSync(dir.path('fleet')).filter((name) => name.endsWith('.ndjson'));
      expect(files.length).toBeLessThan(2);
      return files.flatMap((name) =>
        readFileSync(join(dir.path('fleet'), name), 'utf8')
          .split('\n')
          .slice(0, -1),
      );
    };
    /** Collects until so many lines are there, and whatever comes behind them. */
    const collect = async (count: number): Promise<string[]> => {
      await using collector = new KitProcess(TRACER, [
        'collect',
        '--nats',
        server.url,
        '--jetstream',
        '--record',
        dir.path('fleet'),
      ]);
      await collector.errorLine('collecting');
      await expect.poll(() => read().length, { timeout: HANG_MS }).toBeGreaterThanOrEqual(count);
      await pause(500);
      await collector.stop('SIGINT');
      const [file = ''] = readdirSync(dir.path('fleet')).filter((name) => name.endsWith('.ndjson'));
      expect(statSync(join(dir.path('fleet'), file)).mode & 0o777).toBe(0o600);
      return read();
    };
    const numbered = (lines: readonly string[]): (TraceEvent & { origin: Origin })[] =>
      lines.map((line) => JSON.parse(line)).filter(({ origin }) => origin.seq !== null);
    const events = numbered(await collect(shown.events.length + 1));
    expect(events.map(({ origin }) => origin.seq)).toEqual(upTo(shown.events.length + 1));
    expect(events.slice(1).map(({ origin: _, ...event }) => event)).toEqual(shown.events);
    const [file = ''] = readdirSync(dir.path('fleet')).filter((name) => name.endsWith('.ndjson'));
    writeFileSync(join(dir.path('fleet'), file), '{"torn', { flag: 'a' });
    await runTracer(...replay);
    expect(numbered(await collect(events.length))).toEqual(events);
  });

  live('tail shows calls with their origin, filtered', async () => {
    using dir = scratch();
    await using server = await NatsServer.start();
    await using text = new KitProcess(TRACER, ['tail', '--nats', server.url]);
    await using json = new KitProcess(TRACER, ['tail', '--nats', server.url, '--json', 'type:call kind:title']);
    await Promise.all([text.errorLine('reading'), json.errorLine('reading')]);
    await runTracer(
      'replay',
      RECORDING,
      '--json',
      '--nats',
      server.url,
      '--nats-encoding',
      'json',
      '--nats-spool',
      dir.path('spool'),
    );
    const line = await json.json<TraceEvent & { origin: Origin }>('type');
    await text.until(() => text.lines.find((shown) => shown.includes('ended')));
    expect(line).toMatchObject({ type: 'call', kind: 'title', origin: { user: 'root' } });
    expect(json.lines).toHaveLength(1);
    expect(text.lines.find((shown) => shown.includes('chat.completions'))).toMatch(/^root@\S+ +\d\d:\d\d:\d\d/);
    expect(text.lines.filter((shown) => shown.includes('CLASS') || shown.includes('class'))).not.toHaveLength(0);
  });

  live('a reader of a stream that is not there says so and ends (E_NATS_STREAM)', async () => {
    using dir = scratch();
    await using server = await NatsServer.start();
    for (const command of [['tail'], ['collect', '--record', dir.path('fleet')]]) {
      const run = await runTracer(...command, '--nats', server.url, '--jetstream');
      expect([run.exitCode, run.stderr]).toEqual([73, expect.stringContaining('stream not found')]);
    }
  });

  live('tail says that its output took no more (E_EXPORT_FULL)', async () => {
    using dir = scratch();
    await using server = await NatsServer.start();
    await using tail = new KitProcess(TRACER, ['tail', '--nats', server.url, '-o', '/dev/full']);
    await tail.errorLine('reading');
    await runTracer('replay', RECORDING, '--json', '--nats', server.url, '--nats-spool', dir.path('spool'));
    expect([(await tail.exited).code, tail.stderr]).toEqual([32, expect.stringContaining('writing /dev/full failed')]);
  });

  live('secrets are published only when that was asked for twice', async () => {
    const refused = await runTracer('replay', RECORDING, '--nats', 'nats://127.0.0.1:1', '--reveal');
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--reveal-to-nats')]);
  });

  live('a live capture is published, and loses nothing when there is no server', async () => {
    using dir = scratch();
    const tracer = await runTracer(
      'run',
      '--json',
      '--user',
      'root',
      '--nats',
      'nats://127.0.0.1:1',
      '--nats-spool',
      dir.path('spool'),
      '--',
      '/bin/true',
    );
    expect(tracer.summary?.complete).toBe(true);
    expect(tracer.stderr).toMatch(/B wait in .*spool/);
    expect(existsSync(dir.path('spool'))).toBe(true);
    chmodSync(dir.path('spool'), 0o700);
  });
});
