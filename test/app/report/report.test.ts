import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ReportFormat, readPriceFile, report } from '../../../src/app/index.ts';
import { API, assistant, PROXY, result, system, Traffic, tool, user } from '../../kit/copilot-traffic.ts';
import { writeRecording } from '../../kit/session-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracer-report-'));
const log = { debug() {}, info() {}, warn() {}, error() {} };
const SECRET = 'ghp_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0001';
const EVIL = '</title><script>alert(1)</script><img src=x onerror=alert(2)> | `x` \u202e';
const READ = { id: 't1', name: 'read_file', arguments: JSON.stringify({ filePath: `/w/"><script>x</script>.ts` }) };

const file = writeRecording(join(folder, 'session.trc'), (script) => {
  const traffic = new Traffic(script);
  const ask = user(`<userRequest>\n${EVIL} with ${SECRET}\n</userRequest>`);
  const first = [system('You are. It is 12:00:01.'), ask];
  traffic.facts(API, { alpn: 'http/1.1' }).facts(PROXY, { version: 0x0302, cipher: 0x0300_002f });
  traffic.chat({
    messages: first,
    tools: [tool('read_file')],
    requestId: 'r',
    toolCalls: [READ],
    answer: EVIL,
    usage: { input: 1000, cached: 0, output: 20 },
  });
  traffic.wait(3_000);
  traffic.chat({
    messages: [system('You are. It is 12:00:05.'), ask, assistant(EVIL, [READ]), result('t1', EVIL)],
    tools: [tool('read_file')],
    requestId: 'r',
    initiator: 'agent',
    usage: { input: 1100, cached: 900, output: 30 },
  });
  traffic.completion({ prompt: 'A=', suffix: '', extra: { language: 'dotenv', context: ['Path: .env', ''] } });
  traffic.close();
});

async function written(format: ReportFormat): Promise<string> {
  const settings = {
    format,
    prices: readPriceFile(undefined),
    reveal: false,
    log,
    stop: new AbortController().signal,
    key: new Uint8Array(32),
  };
  return [...(await report(file, settings)).text].join('\n');
}

test('HTML: one file that loads nothing, runs nothing, and whose policy forbids both', async () => {
  const page = await written('html');
  expect(page).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
  );
  expect(page).not.toMatch(/<script|<img|<link|<iframe|url\(|@import|https?:\/\//i);
  expect(page).not.toMatch(/<[^>]*\son\w+=/i);
});

test('HTML: captured text is text, secrets are gone, direction marks are shown', async () => {
  const page = await written('html');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('&lt;U+202E&gt;');
  expect(page).not.toContain('\u202e');
  expect(page).not.toContain(SECRET);
  expect(page).toContain('&lt;github-token #');
});

test('HTML: its elements are balanced', async () => {
  const page = await written('html');
  const count = (pattern: RegExp) => [...page.matchAll(pattern)].length;
  for (const name of ['table', 'tr', 'td', 'div', 'details', 'svg', 'span', 'p', 'main', 'html']) {
    expect([name, count(new RegExp(`<${name}[\\s>]`, 'g'))]).toEqual([name, count(new RegExp(`</${name}>`, 'g'))]);
  }
});

test('HTML: says what happened: hosts, models, files, the conversation with its tool, the finding', async () => {
  const page = await written('html');
  for (const text of [
    'proxy.individual.githubcopilot.com',
    'gpt-41-copilot',
    '.env',
    'file before cursor 1×',
    'read_file 3.05s',
    'a date or time in the text changed',
    'id="findings"',
    'TLS 1.3 TLS_AES_128_GCM_SHA256 http/1.1',
    'handshake: TLS 1.1 TLS_RSA_WITH_AES_128_CBC_SHA to proxy.individual.githubcopilot.com',
    'Nothing that was sent by the traced processes is missing',
  ]) {
    expect(page).toContain(text);
  }
});

test('Markdown: captured text cannot become markup or break a table', async () => {
  const text = await written('md');
  expect(text).not.toContain('<script>');
  expect(text).not.toContain(SECRET);
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
  expect(new Set(cells.map((n) => n >= 6 && n <= 8))).toEqual(new Set([true]));
  await expect(`${text}\n`).toMatchFileSnapshot('golden/report.md');
});

test('JSON: the same facts, without secrets', async () => {
  const text = await written('json');
  expect(text).not.toContain(SECRET);
  expect(JSON.parse(text)).toMatchObject({
    recording: 'session.trc',
    complete: true,
    totals: { calls: 3, llmCalls: 3, inputTokens: 2100, cachedTokens: 900, outputTokens: 50 },
    conversations: [{ number: 1, kind: 'agent.turn', turns: [{ rounds: [{ tools: [{ name: 'read_file' }] }, {}] }] }],
    cacheBreaks: [{ cause: 'a date or time in the text changed' }],
  });
});
