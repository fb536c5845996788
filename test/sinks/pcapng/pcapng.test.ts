// The capture file as tshark reads it: same requests, same bodies, and what the capture lost is missing there, too.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exportRecordings } from '../../../src/app/index.ts';
import { exchange, recordingFile, scratch } from '../../kit/recording.ts';
import type { Script } from '../../kit/records.ts';

const hasTshark = spawnSync('tshark', ['--version']).status === 0;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function pcapngOf(act: (script: Script) => void): Promise<string> {
  const path = scratch('a.pcapng');
  await exportRecordings({
    files: [recordingFile(act)],
    targets: new Map([['pcapng', path]]),
    content: false,
    reveal: false,
    key: new Uint8Array(32),
    log: silent,
    stop: new AbortController().signal,
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return path;
}

/** Values of the fields, a row per packet that the filter lets through. */
function fieldsOf(path: string, filter: string, ...fields: readonly string[]): string[][] {
  const wanted = fields.flatMap((field) => ['-e', field]);
  const args = ['-r', path, '-Y', filter, '-T', 'fields', '-E', 'separator=/t', ...wanted, '-N', 'n'];
  const text = execFileSync('tshark', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
}

const HTTP1 = (script: Script): void => {
  script.add({
    kind: 'process',
    tsNs: script.tick(),
    pid: 7,
    startNs: 5n,
    parentPid: 1,
    comm: 'code',
    exe: '/usr/bin/code',
    args: [],
    role: 'extension-host',
    tls: [],
  });
  const connection = script.connection().sni('api.githubcopilot.com');
  const [local, remote] = ['192.0.2.7:50000', '198.51.100.1:443'];
  script.add({ kind: 'peer', ...connection.key, tsNs: script.tick(), local, remote, evidence: 'inside' });
  exchange(connection, { path: '/chat/completions', request: '{"ask":1}', response: '{"answer":2}' });
  connection
    .facts({ version: 0x0303, cipher: 0x0300_c02f, alpn: 'http/1.1' })
    .facts({ version: 0x0304, cipher: 0x0300_c02f });
  connection.out('GET /packed HTTP/1.1\r\nHost: h.example\r\n\r\n');
  const packed = gzipSync('packed '.repeat(100));
  connection.in(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`).in(packed);
  connection.close();
};

/** Real HTTP/2 connections (curl, nghttp, Node), as test/vectors/h2-record.mjs took them. */
const VECTORS: { name: string; segments: ['out' | 'in', string][] }[] = JSON.parse(
  readFileSync(new URL('../../vectors/h2.json', import.meta.url), 'utf8'),
);

function http2(script: Script): void {
  VECTORS.forEach(({ segments }, n) => {
    const connection = script.connection({ ssl: BigInt(n + 1) }).sni(`host-${n}.example`);
    for (const [dir, base64] of segments) {
      const bytes = Buffer.from(base64, 'base64');
      for (let at = 0; at < bytes.length; at += 16_384) connection.data(dir, bytes.subarray(at, at + 16_384));
    }
    connection.close();
  });
}

/** Our own reading of the same recording, through the HAR export. */
async function entriesOf(act: (script: Script) => void) {
  const path = scratch('a.har');
  await exportRecordings({
    files: [recordingFile(act)],
    targets: new Map([['har', path]]),
    content: false,
    reveal: true,
    key: new Uint8Array(32),
    log: silent,
    stop: new AbortController().signal,
  });
  return JSON.parse(readFileSync(path, 'utf8')).log.entries as {
    request: { method: string; url: string; bodySize: number };
    response: { status: number; bodySize: number };
  }[];
}

describe.skipIf(!hasTshark)('tshark (Debian: tshark) reads in the file', () => {
  test('the requests and answers of HTTP/1, bodies unpacked, at their time', async () => {
    const path = await pcapngOf(HTTP1);
    expect(fieldsOf(path, 'http.request', 'http.request.method', 'http.request.uri', 'http.host')).toEqual([
      ['POST', '/chat/completions', 'api.githubcopilot.com'],
      ['GET', '/packed', 'h.example'],
    ]);
    const answers = fieldsOf(path, 'http.response', 'http.response.code', 'http.file_data');
    expect(answers.map(([code]) => code)).toEqual(['200', '200']);
    expect(answers[0]?.[1]).toContain('{"answer":2}');
    expect(answers[1]?.[1]).toContain('packed '.repeat(100).trim());
    const [[time] = []] = fieldsOf(path, 'http.request', 'frame.time_epoch');
    expect(Number(time)).toBeCloseTo(Date.parse('2026-03-01T14:05:09.042Z') / 1000, 3);
  });

  test('who speaks with whom, beside the first packet', async () => {
    expect(fieldsOf(await pcapngOf(HTTP1), 'frame.comment', 'frame.comment')).toEqual([
      ['extension-host code pid 7 /usr/bin/code; server name api.githubcopilot.com; plaintext of TLS object 0xa0'],
      ['socket 192.0.2.7:50000 to 198.51.100.1:443'],
      ['TLS 1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, ALPN http/1.1'],
    ]);
  });

  test('nothing to complain about: checksums and sequence numbers are right', async () => {
    const path = await pcapngOf((script) => {
      HTTP1(script);
      http2(script);
    });
    const args = ['-r', path, '-o', 'tcp.check_checksum:TRUE', '-o', 'ip.check_checksum:TRUE'];
    const filter = 'tcp.checksum_bad.expert || ip.checksum_bad.expert || tcp.analysis.flags';
    expect(
      execFileSync('tshark', [...args, '-Y', filter], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    ).toBe('');
  });

  test('HTTP/2 without being told: as many requests and answers as we find, and the same', async () => {
    const path = await pcapngOf(http2);
    const ours = await entriesOf(http2);
    const rows = fieldsOf(path, 'http2.headers.method', 'http2.headers.method', 'http2.headers.path');
    const theirs = rows.flatMap(([methods = '', paths = '']) => {
      const list = paths.split(',');
      return methods.split(',').map((method, i) => `${method} ${list[i]}`);
    });
    const asked = ours.map(
      ({ request }) => `${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`,
    );
    // tshark shows promised requests (RFC 9113 §8.4) under other fields.
    const isAsked = (text: string): boolean => !text.endsWith('.css');
    expect(asked.length).toBeGreaterThan(20);
    expect(theirs.filter(isAsked).sort()).toEqual(asked.filter(isAsked).sort());
    // Frames of type 0 (DATA, RFC 9113 §6.1) with their lengths, padding and its length byte included.
    const frames = fieldsOf(path, 'http2.type == 0', 'http2.type', 'http2.length');
    const bytes = frames.reduce((sum, [types = '', lengths = '']) => {
      const isData = types.split(',').map((type) => type === '0');
      return sum + lengths.split(',').reduce((part, length, i) => part + (isData[i] === true ? Number(length) : 0), 0);
    }, 0);
    const pads = fieldsOf(path, 'http2.data.padding', 'http2.data.padding').flatMap(([hex = '']) => hex.split(','));
    const padBytes = pads.reduce((sum, hex) => sum + hex.replaceAll(':', '').length / 2 + 1, 0);
    expect(bytes - padBytes).toBe(
      ours.reduce((sum, { request, response }) => sum + request.bodySize + response.bodySize, 0),
    );
  });

  test('bytes that the capture lost as bytes that are missing', async () => {
    const path = await pcapngOf((script) => {
      script.connection().out('GET / HTTP/1.1\r\n').lose('out', 100).out('x').close();
    });
    expect(fieldsOf(path, 'tcp.analysis.lost_segment', 'tcp.seq')).toEqual([['117']]);
  });
});

test('a packet is the same however often it is written', async () => {
  const hash = async () =>
    createHash('sha256')
      .update(readFileSync(await pcapngOf(HTTP1)))
      .digest('hex');
  expect(await hash()).toBe(await hash());
});

test('a recording that claims one handshake after the other fills no memory: the last ones are told', async () => {
  const path = await pcapngOf((script) => {
    const connection = script.connection();
    for (let i = 0; i < 1000; i++) connection.facts({ version: 0x0304, cipher: 0x0300_1301, alpn: `name-${i}` });
    connection.out('GET / HTTP/1.1\r\nHost: h.example\r\n\r\n');
  });
  const told = readFileSync(path, 'latin1').match(/ALPN name-\d+/g);
  expect(told).toEqual(['ALPN name-998', 'ALPN name-999']);
});
