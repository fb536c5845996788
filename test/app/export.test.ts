import { readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exportRecordings } from '../../src/app/index.ts';
import { validateHar } from '../kit/har-schema.ts';
import { exchange, recordingFile, scratch } from '../kit/recording.ts';
import type { Script } from '../kit/records.ts';
import { frame } from '../kit/websocket.ts';

const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function harOf(act: (script: Script) => void, reveal = false, filter?: string) {
  const path = scratch('a.har');
  const { exitCode, problem } = await exportRecordings({
    files: [recordingFile(act)],
    targets: new Map([['har', path]]),
    content: false,
    reveal,
    filter,
    key: new Uint8Array(32),
    log: silent,
    stop: new AbortController().signal,
  });
  expect([exitCode, problem, statSync(path).mode & 0o777]).toEqual([0, null, 0o600]);
  const text = readFileSync(path, 'utf8');
  return { text, har: JSON.parse(text), entries: JSON.parse(text).log.entries };
}

const sse = (pieces: readonly string[]): string =>
  [...pieces.map((content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] })), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');

describe('a recording as HAR', () => {
  test('has every request and answer, and is valid by the published schema', async () => {
    const { har, entries } = await harOf((script) => {
      const connection = script.connection().sni('api.githubcopilot.com');
      const [local, remote] = ['192.0.2.7:50000', '198.51.100.1:443'];
      script.add({ kind: 'peer', ...connection.key, tsNs: script.tick(), local, remote, evidence: 'inside' });
      connection.facts({ alpn: 'http/1.1' });
      exchange(connection, { path: '/chat/completions?a=1&b=x%20y', request: '{"q":1}', response: '{"r":"é"}' });
      exchange(connection, { path: '/models', headers: 'Cookie: a=b; c=d\r\n' });
      connection.close();
    });
    expect(validateHar(har)).toBeNull();
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      startedDateTime: '2026-03-01T14:05:09.042Z',
      request: {
        method: 'POST',
        url: 'https://api.githubcopilot.com/chat/completions?a=1&b=x%20y',
        httpVersion: 'HTTP/1.1',
        queryString: [
          { name: 'a', value: '1' },
          { name: 'b', value: 'x y' },
        ],
        postData: { mimeType: 'application/json', text: '{"q":1}' },
        bodySize: 7,
      },
      response: { status: 200, content: { size: 10, mimeType: 'application/json', text: '{"r":"é"}' }, bodySize: 10 },
      serverIPAddress: '198.51.100.1',
      connection: 'c1',
      _securityDetails: { protocol: 'TLS 1.3', cipher: 'TLS_AES_128_GCM_SHA256', alpn: 'http/1.1' },
      _end: 'complete',
    });
    const { send, wait, receive } = entries[0].timings;
    expect(entries[0].time).toBeCloseTo(send + wait + receive, 6);
  });

  test('says how much compression saved, and has the body unpacked', async () => {
    const { entries } = await harOf((script) => {
      const packed = gzipSync('a'.repeat(5000));
      const connection = script.connection().out('GET /a HTTP/1.1\r\nHost: h.example\r\n\r\n');
      connection.in(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`).in(packed);
      connection.close();
    });
    const { content, bodySize } = entries[0].response;
    expect(content).toMatchObject({ size: 5000, text: 'a'.repeat(5000) });
    expect(content.compression).toBe(5000 - bodySize);
  });

  test('has bytes that are no text in base64', async () => {
    const bytes = Uint8Array.of(0xff, 0xfe, 0, 1);
    const { entries } = await harOf((script) => {
      script
        .connection()
        .out('GET /i.png HTTP/1.1\r\nHost: h.example\r\n\r\n')
        .in('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\n')
        .in(bytes)
        .close();
    });
    expect(entries[0].response.content).toMatchObject({
      encoding: 'base64',
      text: Buffer.from(bytes).toString('base64'),
    });
  });

  test('has an event stream as text', async () => {
    const body = sse(['Hello', ' world']);
    const { entries } = await harOf((script) => {
      const connection = script.connection();
      exchange(connection, { request: '{"messages":[]}', response: body, type: 'text/event-stream' });
      connection.close();
    });
    expect(entries[0].response.content.text).toBe(body);
    expect(entries[0]._calls).toMatchObject([{ id: 'c1.1', class: 'chat.completions' }]);
  });

  test('has WebSocket messages as developer tools write them', async () => {
    const { har, entries } = await harOf((script) => {
      script
        .connection()
        .out(
          'GET /ws HTTP/1.1\r\nHost: h.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
        )
        .in(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
        )
        .out(frame(1, 'hello', { mask: true }))
        .in(frame(2, Uint8Array.of(1, 2, 3)))
        .close();
    });
    expect(validateHar(har)).toBeNull();
    expect(entries[0]).toMatchObject({ _resourceType: 'websocket', request: { url: 'wss://h.example/ws' } });
    expect(entries[0]._webSocketMessages).toMatchObject([
      { type: 'send', opcode: 1, data: 'hello' },
      { type: 'receive', opcode: 2, data: 'AQID' },
    ]);
  });
});

test('a filter leaves only what it wants; one that is none is E_FILTER_INVALID', async () => {
  const act = (script: Script): void => {
    const connection = script.connection();
    exchange(connection, { path: '/chat/completions', request: '{"model":"m","messages":[]}' });
    exchange(connection, { path: '/other' });
    connection.close();
  };
  const { entries } = await harOf(act, false, 'class:chat.*');
  expect(entries.map((entry: { request: { url: string } }) => new URL(entry.request.url).pathname)).toEqual([
    '/chat/completions',
  ]);
  await expect(harOf(act, false, 'status>')).rejects.toMatchObject({ code: 'E_FILTER_INVALID' });
});

test('a filter that matches nothing says so', async () => {
  const warnings: string[] = [];
  const log = { ...silent, warn: (text: string) => void warnings.push(text) };
  const act = (script: Script): void => {
    const connection = script.connection();
    exchange(connection, { path: '/models' });
    connection.close();
  };
  const run = (filter: string) => {
    const targets = new Map([['har', scratch('a.har')]]);
    const settings = {
      content: false,
      reveal: false,
      key: new Uint8Array(32),
      log,
      stop: new AbortController().signal,
    };
    return exportRecordings({ files: [recordingFile(act)], targets, filter, ...settings });
  };
  await run('status<300');
  expect(warnings).toEqual([]);
  await run('status>=500');
  expect(warnings).toEqual(['nothing in the recording matches the filter']);
});

describe('no secret leaves in a HAR', () => {
  const places: Readonly<Record<string, Parameters<typeof exchange>[1]>> = {
    'a header': { headers: `Authorization: Bearer ${SECRET}\r\n` },
    'a cookie': { headers: `Cookie: session=${SECRET}\r\n` },
    'the address': { path: `/x?access_token=${SECRET}` },
    'the request body': { request: JSON.stringify({ messages: [{ role: 'user', content: `my key is ${SECRET}` }] }) },
    'the answer': { response: JSON.stringify({ token: SECRET }) },
    'one event': { response: sse(['so ', SECRET, ' it is']), type: 'text/event-stream' },
    'several events': { response: sse([...SECRET].map((c) => c)), type: 'text/event-stream' },
  };
  test.each(Object.entries(places))('from %s', async (_, what) => {
    const act = (script: Script): void => {
      const connection = script.connection();
      exchange(connection, what);
      connection.close();
    };
    const { text, entries } = await harOf(act);
    expect(entries).toHaveLength(1);
    expect(text).not.toContain(SECRET);
    const joined = [...text.matchAll(/\\"content\\":\\"(.*?)\\"/g)].map((match) => match[1]).join('');
    expect(joined).not.toContain(SECRET);
  });

  test('unless the user asks for it', async () => {
    const { text } = await harOf((script) => {
      const connection = script.connection();
      exchange(connection, { headers: `Authorization: Bearer ${SECRET}\r\n` });
      connection.close();
    }, true);
    expect(text).toContain(SECRET);
  });
});
