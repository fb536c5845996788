// The archive in the program that it is written for: the developer tools of a real browser import it.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportRecordings } from '../../../src/app/index.ts';
import { startBrowser } from '../../kit/browser.ts';
import { NetworkPanel } from '../../kit/devtools.ts';
import type { KitProcess } from '../../kit/process.ts';
import { recordingFile, scratch } from '../../kit/recording.ts';
import type { Script } from '../../kit/records.ts';
import { removeUsed } from '../../kit/remove-used.ts';
import { chatEvents } from '../../kit/session-file.ts';
import { frame } from '../../kit/websocket.ts';

const hasChromium = spawnSync('chromium', ['--version']).status === 0;
if (!hasChromium) console.warn('skipped: no chromium to import the archive');

const EVENTS = gzipSync(chatEvents(['Hello', ' wörld']));
const MODELS = JSON.stringify({ data: [{ id: 'gpt-4.1', note: 'x'.repeat(4000) }] });

/** A JSON answer, an event stream in gzip, an image, a WebSocket, and a request that was never answered; 25 ms each. */
function session(script: Script): void {
  const api = script.connection({ ssl: 1n }).sni('api.githubcopilot.com');
  const answer = (head: string, body: string | Uint8Array): void => {
    script.nowNs += 25_000_000n;
    api.in(`HTTP/1.1 200 OK\r\n${head}\r\nContent-Length: ${Buffer.from(body).length}\r\n\r\n`).in(body);
  };
  api.out('GET /models HTTP/1.1\r\nHost: api.githubcopilot.com\r\n\r\n');
  answer('Content-Type: application/json', MODELS);
  api.out('POST /chat/completions HTTP/1.1\r\nHost: api.githubcopilot.com\r\nContent-Type: application/json\r\n');
  api.out('Content-Length: 19\r\n\r\n{"model":"gpt-4.1"}');
  answer('Content-Type: text/event-stream; charset=utf-8\r\nContent-Encoding: gzip', EVENTS);
  api.out('GET /icon.png HTTP/1.1\r\nHost: api.githubcopilot.com\r\n\r\n');
  answer('Content-Type: image/png', randomBytes(10_000));
  api.close();
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const socket = script.connection({ ssl: 2n }).sni('api.githubcopilot.com');
  socket.out(`GET /responses HTTP/1.1\r\nHost: api.githubcopilot.com\r\n${upgrade}`);
  socket.out('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n');
  socket.in(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n`);
  socket.out(frame(1, '{"type":"response.create"}', { mask: true }));
  script.nowNs += 25_000_000n;
  socket
    .in(frame(1, '{"type":"response.completed"}'))
    .in(frame(2, Uint8Array.of(1, 2, 3)))
    .close();
  const lost = script.connection({ ssl: 3n }).out('GET /lost HTTP/1.1\r\nHost: h.example\r\n\r\n');
  script.nowNs += 25_000_000n;
  lost.close();
}

describe.skipIf(!hasChromium)('the Network panel of a browser', { timeout: 120_000 }, () => {
  const profile = mkdtempSync(join(tmpdir(), 'tracer-devtools-'));
  let browser: KitProcess;
  let panel: NetworkPanel;
  let rows: string[][] = [];

  beforeAll(async () => {
    const path = scratch('session.har');
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const settings = { content: false, reveal: false, key: new Uint8Array(32), log };
    const targets = new Map([['har', path]]);
    await exportRecordings({
      files: [recordingFile(session)],
      targets,
      ...settings,
      stop: new AbortController().signal,
    });
    browser = await startBrowser('chromium', profile);
    panel = await NetworkPanel.open(browser);
    rows = await panel.importHar(path, 5);
  }, 120_000);
  afterAll(async () => {
    panel?.[Symbol.dispose]();
    await browser?.stop();
    removeUsed(profile);
  });

  it('lists every exchange with its status, type, size and time', () => {
    const shown = rows.map(([name, status, type, , size, time]) => [name, status, type, size, time]);
    expect(shown).toEqual([
      ['models', '200', 'fetch', '4.0 kB', '25 ms'],
      ['completions', '200', 'fetch', '0.2 kB', '25 ms'],
      ['icon.png', '200', 'fetch', '10.0 kB', '25 ms'],
      ['responses', '101', 'websocket', '0.0 kB', '25 ms'],
      ['lost', 'Finished', 'fetch', '0.0 kB', '25 ms'],
    ]);
  });

  it('shows the events of a stream, unpacked', async () => {
    await panel.openTab('completions', 'EventStream');
    const events = await panel.messages(4);
    expect(events.map(([, type, data]) => [type, data])).toEqual([
      ['message', expect.stringContaining('{"content":"Hello"}')],
      ['message', expect.stringContaining('{"content":" wörld"}')],
      ['message', expect.stringContaining('"finish_reason":"stop"')],
      ['message', '[DONE]'],
    ]);
  });

  it('shows the messages of a WebSocket', async () => {
    await panel.openTab('responses', 'Messages');
    const messages = await panel.messages(3);
    expect(messages.map(([data, length]) => [data, length])).toEqual([
      ['{"type":"response.create"}', '26'],
      ['{"type":"response.completed"}', '29'],
      ['Binary message', '3 B'],
    ]);
  });

  it('shows an answer', async () => {
    await panel.openTab('models', 'Response');
    await panel.showsText('gpt-4.1');
  });
});
