// What the handshake negotiated: exactly as the server saw it, whichever library the client has.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ConnectionEvent } from '../../src/model/index.ts';
import { npmFile } from '../kit/binaries/programs.ts';
import { live, scratch } from '../kit/live.ts';
import { makeCertificate } from '../kit/service/certificate.mjs';
import { runTracer, type TracerRun } from '../kit/tracer.ts';

/** A large download, once, of a program that the cache does not hold yet. */
const WITH_DOWNLOAD = { timeout: 300_000 };

interface Seen {
  readonly tlsVersion: string;
  readonly tlsCipher: string;
  readonly alpn?: string;
}

const dir = mkdtempSync(join(tmpdir(), 'tracer-facts-'));
const ca = join(dir, 'ca.pem');
/** Of each connection that brought a request, in order. */
const seen: Seen[] = [];
const servers: Server[] = [];
let port = 0;
/** Of a server that knows one suite of TLS 1.2 alone. */
let olderPort = 0;

function note(socket: TLSSocket): void {
  const { alpnProtocol } = socket;
  seen.push({
    tlsVersion: (socket.getProtocol() ?? '').replace(/^TLSv(\d)$/, '$1.0').replace('TLSv', ''),
    tlsCipher: socket.getCipher().standardName,
    ...(typeof alpnProtocol === 'string' && { alpn: alpnProtocol }),
  });
}

/** Answers each request on a connection of its own. */
function answer(socket: TLSSocket): void {
  // A client that goes away is none of this test's concern.
  socket.on('error', () => socket.destroy());
  socket.once('data', () => {
    note(socket);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
  });
}

async function listen(options: TlsOptions): Promise<number> {
  const server = createServer(options, answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const { key, cert } = makeCertificate('facts', ['localhost']);
  writeFileSync(ca, cert);
  // What the tracer starts does not stay root.
  chmodSync(dir, 0o755);
  // Level 0: what a client may still be made to ask for must be there to be answered.
  const ciphers = 'DEFAULT@SECLEVEL=0';
  port = await listen({ key, cert, ciphers, minVersion: 'TLSv1', ALPNProtocols: ['http/1.1'] });
  olderPort = await listen({ key, cert, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' });
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(dir, { recursive: true, force: true });
});

const factsOf = (run: TracerRun): readonly ConnectionEvent[] =>
  run.events.filter((event): event is ConnectionEvent => event.type === 'connection' && event.tlsVersion !== undefined);

async function tellsWhatServerSaw(...command: readonly string[]): Promise<Seen> {
  seen.length = 0;
  const run = await runTracer('run', '--json', '--', ...command);
  expect(seen).toHaveLength(1);
  const told = factsOf(run).map(({ tlsVersion, tlsCipher, alpn, tlsEvidence }) => ({
    tlsVersion,
    tlsCipher,
    ...(alpn !== undefined && { alpn }),
    tlsEvidence,
  }));
  expect(told).toEqual([{ ...seen[0], tlsEvidence: 'getters' }]);
  return seen[0] as Seen;
}

const curl = (...more: readonly string[]): readonly string[] => [
  ...['curl', '-s', '--cacert', ca, ...more, '-o', '/dev/null', `https://localhost:${port}/`],
];
const node = (options: object): readonly string[] => [
  process.execPath,
  '-e',
  `const ca = require('fs').readFileSync(${JSON.stringify(ca)});
   require('https').get({ host: 'localhost', port: ${port}, ca, ...${JSON.stringify(options)} }, (r) => r.resume());`,
];
const python = (setUp: string): readonly string[] => [
  'python3',
  '-c',
  `import ssl, socket
context = ssl.create_default_context(cafile=${JSON.stringify(ca)})
${setUp}
with context.wrap_socket(socket.create_connection(("localhost", ${port})), server_hostname="localhost") as s:
    s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    while s.recv(1000): pass`,
];

live('curl with TLS 1.3', async () => {
  expect(await tellsWhatServerSaw(...curl())).toMatchObject({ tlsVersion: '1.3', alpn: 'http/1.1' });
  const suite = 'TLS_CHACHA20_POLY1305_SHA256';
  expect(await tellsWhatServerSaw(...curl('--tls13-ciphers', suite))).toMatchObject({ tlsCipher: suite });
});

live('curl with TLS 1.2 and a suite of its choice, without ALPN', async () => {
  const only = ['--tls-max', '1.2', '--ciphers', 'ECDHE-ECDSA-AES128-GCM-SHA256', '--no-alpn'];
  expect(await tellsWhatServerSaw(...curl(...only))).toEqual({
    tlsVersion: '1.2',
    tlsCipher: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  });
});

live('curl with TLS 1.1 and a suite of those days', async () => {
  const only = ['--tlsv1.1', '--tls-max', '1.1', '--ciphers', 'ECDHE-ECDSA-AES256-SHA@SECLEVEL=0'];
  expect(await tellsWhatServerSaw(...curl(...only))).toMatchObject({
    tlsVersion: '1.1',
    tlsCipher: 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
  });
});

live('Node with TLS 1.3, and with 1.2', async () => {
  expect(await tellsWhatServerSaw(...node({}))).toMatchObject({ tlsVersion: '1.3' });
  const older = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305', ALPNProtocols: ['http/1.1'] };
  expect(await tellsWhatServerSaw(...node(older))).toEqual({
    tlsVersion: '1.2',
    tlsCipher: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    alpn: 'http/1.1',
  });
});

live('Python with TLS 1.3, and with 1.2', async () => {
  expect(await tellsWhatServerSaw(...python(''))).toMatchObject({ tlsVersion: '1.3' });
  const older =
    'context.maximum_version = ssl.TLSVersion.TLSv1_2; context.set_ciphers("ECDHE-ECDSA-AES256-GCM-SHA384")';
  expect(await tellsWhatServerSaw(...python(older))).toEqual({
    tlsVersion: '1.2',
    tlsCipher: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  });
});

const bun = (file: string, to: number): readonly string[] => [
  file,
  '-e',
  `const ca = require('fs').readFileSync(${JSON.stringify(ca)}, 'utf8');
   await (await fetch('https://localhost:${to}/', { tls: { ca } })).text();`,
];

/** BoringSSL without names tells no application protocol. A browser may open connections side by side, and leave before an answer. */
async function tellsSuiteThatServerSaw(...command: readonly string[]): Promise<Seen> {
  seen.length = 0;
  const run = await runTracer('run', '--json', '--', ...command);
  expect(seen.length).toBeGreaterThan(0);
  const told = factsOf(run).map(({ tlsVersion, tlsCipher, alpn, tlsEvidence }) => ({
    tlsVersion,
    tlsCipher,
    alpn,
    tlsEvidence,
  }));
  const truth = seen.map((one) => ({ ...one, alpn: undefined, tlsEvidence: 'cipher-state' }));
  expect(told[0]).toEqual(truth[0]);
  for (const one of told) expect(truth).toContainEqual(one);
  return seen[0] as Seen;
}

live('Bun with TLS 1.3, and with 1.2: by what its record layer decrypts with', WITH_DOWNLOAD, async (context) => {
  const file = npmFile(context, '@oven/bun-linux-x64', '1.4.5', 'bin/bun');
  expect(await tellsSuiteThatServerSaw(...bun(file, port))).toMatchObject({ tlsVersion: '1.3' });
  expect(await tellsSuiteThatServerSaw(...bun(file, olderPort))).toEqual({
    tlsVersion: '1.2',
    tlsCipher: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  });
});

live('chromium with TLS 1.3, in its network service', async () => {
  using scratchDir = scratch();
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--ignore-certificate-errors', '--disable-quic'];
  const profile = `--user-data-dir=${scratchDir.path('profile')}`;
  const seenFirst = await tellsSuiteThatServerSaw(
    'chromium',
    ...flags,
    profile,
    '--dump-dom',
    `https://localhost:${port}/`,
  );
  expect(seenFirst.tlsVersion).toBe('1.3');
});

live('--no-peer tells none of it', async () => {
  seen.length = 0;
  const run = await runTracer('run', '--json', '--no-peer', '--', ...curl());
  expect([seen.length, run.calls.length, factsOf(run)]).toEqual([1, 1, []]);
});
