// The kernel side under real TLS libraries, before any parser: Node's built-in OpenSSL and the system's libssl. What the
// probes saw, put together by (connection, direction, offset), is what the applications sent and received.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { COOKIE_DONE_SHIFT } from '../../src/record/layout.gen.ts';
import {
  availableClangs,
  buildObjects,
  buildProgram,
  folder,
  type Seen,
  type Trace,
  trace,
  whyNotLive,
} from './kit.ts';

const LIBSSL = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/libssl.so.3`;
const reason =
  whyNotLive() ??
  (existsSync('/usr/bin/openssl') || process.env.CI === 'true' ? undefined : 'openssl is not installed');
if (reason) console.warn(`real TLS test skipped: ${reason}`);

let object = '';
let loader = '';
const key = join(folder, 'key.pem');
const certificate = join(folder, 'certificate.pem');

const hooksOf = (path: string): string[] => [
  ...['read:SSL_read', 'write:SSL_write', 'read_ex:SSL_read_ex', 'write_ex:SSL_write_ex'].flatMap((pair, i) => {
    const [role, symbol] = pair.split(':');
    return [`tls_${role}_exit:${path}:${symbol}:${i + 1}`, `tls_${role}_enter:${path}:${symbol}:${i + 1}`];
  }),
  `tls_free_enter:${path}:SSL_free:10`,
  `tls_ctrl_enter:${path}:SSL_ctrl:11`,
];

/** Streams by connection and direction; a hole or an overlap is an error. */
function streamsOf(records: Seen[]): Map<string, Buffer> {
  const chunks = new Map<string, Buffer[]>();
  const ends = new Map<string, number>();
  for (const record of records.filter((x) => x.kind === 'data')) {
    const stream = `${record.ssl} ${record.generation} ${record.dir}`;
    expect(record.offset).toBe(ends.get(stream) ?? 0);
    ends.set(stream, record.offset + record.bytes.length);
    chunks.set(stream, [...(chunks.get(stream) ?? []), record.bytes]);
  }
  return new Map([...chunks].map(([stream, parts]) => [stream, Buffer.concat(parts)]));
}

/** The layer below, which link-time optimised builds call directly. Its count moved behind a new argument in OpenSSL 3.3. */
function innerHooksOf(path: string): string[] {
  const [major = 0, minor = 0] = (process.versions['openssl'] ?? '').split('.').map(Number);
  const done = major > 3 || minor >= 3 ? 4n << BigInt(COOKIE_DONE_SHIFT) : 0n;
  return [
    ...['exit', 'enter'].map((end) => `tls_read_ex_${end}:${path}:ssl_read_internal:20`),
    ...['exit', 'enter'].map((end) => `tls_write_ex_${end}:${path}:ssl_write_internal:${21n | done}`),
  ];
}

const lossesOf = (r: Trace): string[] => Object.keys(r.counters).filter((c) => c.startsWith('lost_') && r.counters[c]);
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** An echo server and its clients in one process: `node - COUNT BYTES`; sends random bytes, prints their digests. */
const ECHO = `
const tls = require('node:tls'), fs = require('node:fs'), crypto = require('node:crypto');
const [count, bytes] = process.argv.slice(2).map(Number);
const pem = { key: fs.readFileSync(${JSON.stringify(key)}), cert: fs.readFileSync(${JSON.stringify(certificate)}) };
const server = tls.createServer(pem, (socket) => socket.pipe(socket));
function turn(port) {
  const sent = crypto.randomBytes(bytes);
  return new Promise((resolve, reject) => {
    let left = bytes;
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, servername: 'echo.example' });
    socket.on('error', reject);
    socket.on('data', (part) => { if ((left -= part.length) === 0) socket.end(); });
    socket.on('close', () => { console.log(crypto.createHash('sha256').update(sent).digest('hex')); resolve(); });
    socket.write(sent);
  });
}
process.stdin.once('data', () => server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (let done = 0; done < count; done += 20) await Promise.all(Array.from({ length: Math.min(20, count - done) }, () => turn(port)));
  server.close();
  process.stdin.destroy();
}));
console.log('waiting');
`;

async function echo(count: number, bytes: number, options = {}): Promise<Trace & { digests: string[] }> {
  const script = join(folder, 'echo.cjs');
  writeFileSync(script, ECHO);
  const child = spawn(process.execPath, [script, String(count), String(bytes)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const digests: string[] = [];
  const attach = [...hooksOf(process.execPath), ...innerHooksOf(process.execPath)];
  const seen = await new Promise<Trace>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line !== 'waiting') {
        digests.push(line);
        return;
      }
      trace({ object, loader, pid: child.pid ?? 0, attach, ...options }, async () => {
        child.stdin.write('go\n');
        await ended;
      }).then(resolve, reject);
    });
  });
  return { ...seen, digests };
}

describe.skipIf(reason)('the kernel side under real TLS', () => {
  beforeAll(() => {
    object = `${buildObjects(availableClangs()[0] ?? 'clang')}/tracer.bpf.o`;
    loader = buildProgram('loader.c', '-lbpf', '-lelf', '-lz');
    const subject = ['-subj', '/CN=echo.example', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject], {
      stdio: 'ignore',
    });
  }, 60_000);

  it('sees a 5 MB echo over Node, both ends and both ways, byte for byte', async () => {
    // Room for all of it: the loader may have its turn only afterwards.
    const r = await echo(1, 5_000_000, { ringBytes: 64 << 20 });
    expect([...streamsOf(r.records).values()].map(digest)).toEqual(Array(4).fill(r.digests[0]));
    expect(lossesOf(r)).toEqual([]);
    expect(r.counters['late_calls']).toBe(0);
    expect(r.records.filter((x) => x.kind === 'sni').map((x) => x.bytes.toString())).toEqual(['echo.example']);
  });

  it('never mixes 1,000 connections of one process, and sees each end', async () => {
    const r = await echo(1000, 300);
    const counts = new Map<string, number>();
    for (const bytes of streamsOf(r.records).values()) counts.set(digest(bytes), (counts.get(digest(bytes)) ?? 0) + 1);
    expect([...counts].sort()).toEqual(r.digests.map((d) => [d, 4] as [string, number]).sort());
    expect(lossesOf(r)).toEqual([]);
    const closes = r.records.filter((x) => x.kind === 'close');
    expect(closes.length).toBe(2000);
    expect(closes.every((x) => x.flags === 0 && x.offset === 300 && x.aux === 300)).toBe(true);
    expect(r.connections).toEqual([]);
    expect(r.threads).toBe(0);
  }, 60_000);

  it('accounts for every byte of a real transfer through a ring of 64 KiB', async () => {
    const r = await echo(1, 5_000_000, { ringBytes: 65536 });
    const seen = r.records.filter((x) => x.kind === 'data').reduce((sum, x) => sum + x.bytes.length, 0);
    expect(r.counters['lost_ring_full_bytes']).toBeGreaterThan(0);
    expect(seen + (r.counters['lost_ring_full_bytes'] ?? 0)).toBe(4 * 5_000_000);
    expect((r.counters['bytes_in'] ?? 0) + (r.counters['bytes_out'] ?? 0)).toBe(4 * 5_000_000);
  });

  it('sees what the system libssl receives', async () => {
    const sent = Buffer.alloc(3_000_000, 'the quick brown fox ');
    writeFileSync(join(folder, 'page'), sent);
    const identity = ['-key', key, '-cert', certificate];
    const server = spawn('openssl', ['s_server', '-WWW', '-accept', '127.0.0.1:0', '-naccept', '1', ...identity], {
      cwd: folder,
    });
    const port = await new Promise<string>((resolve) => {
      createInterface(server.stdout).on('line', (line) => {
        const found = /ACCEPT .*:(\d+)$/.exec(line);
        if (found) resolve(found[1] ?? '');
      });
    });
    const start = `read line; exec openssl s_client -quiet -connect 127.0.0.1:${port} -servername sys.example`;
    const client = spawn('/bin/sh', ['-c', start], { stdio: ['pipe', 'pipe', 'ignore'] });
    const got: Buffer[] = [];
    client.stdout.on('data', (part) => got.push(part));
    const ended = new Promise((resolve) => client.on('close', resolve));
    const attach = [...hooksOf(LIBSSL), 'proc_exec', 'proc_exit'];
    const r = await trace({ object, loader, pid: client.pid ?? 0, attach, ringBytes: 64 << 20 }, async () => {
      client.stdin.write('go\nGET /page HTTP/1.0\r\n\r\n');
      await ended;
    });
    server.kill();
    const streams = [...streamsOf(r.records)];
    const received = streams.filter(([name]) => name.endsWith('in')).map(([, bytes]) => bytes);
    expect(digest(Buffer.concat(received))).toBe(digest(Buffer.concat(got)));
    expect(Buffer.concat(received).subarray(-sent.length).equals(sent)).toBe(true);
    expect(streams.filter(([name]) => name.endsWith('out')).map(([, bytes]) => bytes.toString())).toEqual([
      'GET /page HTTP/1.0\r\n\r\n',
    ]);
    expect(r.records.filter((x) => x.kind === 'sni').map((x) => x.bytes.toString())).toEqual(['sys.example']);
    expect(r.records.filter((x) => x.kind === 'exec').map((x) => x.bytes.toString())).toEqual(['/usr/bin/openssl']);
    expect(lossesOf(r)).toEqual([]);
  });
});
