import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { find, type NeedleInput, readNeedle } from '../../../src/app/index.ts';
import { API, recentEdits, Traffic, user } from '../../kit/copilot-traffic.ts';
import type { Script } from '../../kit/records.ts';
import { http1Request, http1Response, writeRecording } from '../../kit/session-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracer-find-'));
const log = { debug() {}, info() {}, warn() {}, error() {} };

const recorded = (name: string, act: (script: Script) => void) => writeRecording(join(folder, name), act);

async function ask(recording: string, input: NeedleInput) {
  const answer = await find(recording, {
    needle: readNeedle(input),
    reveal: false,
    log,
    stop: new AbortController().signal,
    key: new Uint8Array(32),
  });
  const [json] = [...answer.json] as [Record<string, unknown> & { hits: Record<string, unknown>[] }];
  return { ...answer, json, text: [...answer.text].join('\n') };
}

const SECRET = 'DB_PASSWORD=hunter22hunter22';
const GITHUB = 'ghp_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0001';
const CONTENT = 'export const whole = 1;\nexport const second = 2;\n';
const ATTACHED = '# Notes\n\nwith several lines\n';
const EVENTS = [
  '{"choices":[{"index":0,"delta":{"content":"the ans"}}]}',
  '{"choices":[{"index":0,"delta":{"content":"wer is split"}}]}',
  '[DONE]',
];

const session = recorded('session.trc', (script) => {
  const traffic = new Traffic(script);
  traffic.chat({ messages: [user(`Use ${GITHUB} for "quoted"\nlines.`)], requestId: 'a' });
  const attached = `<attachments>\n<attachment filePath="/w/notes.md">\n${ATTACHED}</attachment>\n</attachments>`;
  traffic.chat({ messages: [user(`${attached}\n<userRequest>\nread\n</userRequest>`)], requestId: 'b' });
  traffic.completion({
    prompt: 'x',
    suffix: '',
    extra: { language: 'ts', context: ['Path: src/b.ts', recentEdits('.env', [`+${SECRET}`])] },
  });
  traffic.json(
    'api.github.com',
    'POST /external/code/ingest/document',
    { content: Buffer.from(CONTENT).toString('base64'), file_path: 'src/whole.ts', doc_id: 'd' },
    {},
  );
  const gzip = gzipSync('{"note":"compressed words here"}');
  script
    .connection({ ssl: 0xf0n })
    .sni('example.com')
    .out(http1Request('POST /log', 'example.com', ['Content-Encoding: gzip', 'Content-Type: application/json'], gzip))
    .in(http1Response('200 OK', []))
    .close();
  traffic.exchange(
    API,
    'POST /chat/completions',
    ['Content-Type: application/json'],
    JSON.stringify({ messages: [], stream: true }),
    http1Response('200 OK', ['Content-Type: text/event-stream'], EVENTS.map((data) => `data: ${data}\n\n`).join('')),
  );
  traffic.close();
});

test('yes, with the place, the host, the model and the way', async () => {
  const { exitCode, json, text } = await ask(session, { text: SECRET });
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({ verdict: 'yes', sent: 1, blindSpots: [] });
  expect(json.hits).toMatchObject([
    {
      direction: 'sent',
      class: 'completions.inline',
      host: 'proxy.individual.githubcopilot.com',
      model: 'gpt-41-copilot',
      part: 'extra.context[1]',
      how: 'as it is',
      mechanism: 'recent edit .env',
    },
  ]);
  expect(text).toContain('yes: the text left the machine in 1 call');
  expect(text + JSON.stringify(json)).not.toContain('hunter22');
});

test('redaction does not hide a match, and the secret is not printed', async () => {
  const { json, text } = await ask(session, { text: GITHUB });
  expect(json).toMatchObject({ verdict: 'yes', hits: [{ part: 'messages[0].content', mechanism: 'user text' }] });
  expect(text).not.toContain('ghp_');
});

test('a header is named alone: how the prompt came by the same text is another matter', async () => {
  const file = recorded('header.trc', (script) => {
    const traffic = new Traffic(script);
    traffic.chat({ messages: [user('look up 7f3d-both-places')], requestId: '7f3d-both-places' });
    traffic.close();
  });
  const { json, text } = await ask(file, { text: '7f3d-both-places' });
  expect(json.hits).toHaveLength(1);
  expect(json.hits[0]).toMatchObject({ direction: 'sent', part: 'header x-request-id' });
  expect(json.hits[0]).not.toHaveProperty('mechanism');
  expect(text).toMatch(/header x-request-id at 0: as it is$/m);
});

test('a text over several lines, in JSON escapes on the wire', async () => {
  expect((await ask(session, { text: 'for "quoted"\nlines.' })).json).toMatchObject({
    verdict: 'yes',
    hits: [{ how: 'as it is' }],
  });
});

test('inside a compressed body', async () => {
  expect((await ask(session, { text: 'compressed words' })).json).toMatchObject({
    verdict: 'yes',
    hits: [{ part: 'note', host: 'example.com' }],
  });
});

test('a file in base64, and by its hash', async () => {
  const path = join(folder, 'whole.ts');
  writeFileSync(path, CONTENT);
  expect((await ask(session, { file: path })).json).toMatchObject({
    verdict: 'yes',
    hits: [{ part: 'content', how: 'in base64' }],
  });
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  expect((await ask(session, { sha256 })).json).toMatchObject({
    verdict: 'yes',
    hits: [{ part: 'upload src/whole.ts', how: 'a text with this hash' }],
  });
});

test('an attached file by its hash, although it is but a piece of the prompt', async () => {
  const sha256 = createHash('sha256').update(ATTACHED).digest('hex');
  const { json } = await ask(session, { sha256 });
  expect(json).toMatchObject({
    verdict: 'yes',
    hits: [{ part: 'attachment /w/notes.md', how: 'a text with this hash' }],
  });
});

test('one line of a file', async () => {
  const path = join(folder, 'dotenv');
  writeFileSync(path, `A=1\n${SECRET}\nOTHER=not-sent-at-all\n`);
  const { json, text } = await ask(session, { file: path });
  expect(json).toMatchObject({
    verdict: 'yes',
    hits: [{ how: '1 of its 2 lines', lines: [{ from: 2, to: 2 }], partial: true }],
  });
  expect(text).toContain('yes: parts of the file left the machine');
});

test('an answer that came in pieces is found, and is not a text that left', async () => {
  const { exitCode, json, text } = await ask(session, { text: 'the answer is split' });
  expect(json).toMatchObject({ verdict: 'no', received: 1, hits: [{ direction: 'received', part: 'answer' }] });
  expect(exitCode).toBe(5);
  expect(text).toContain('found in 1 answer that came in');
});

test('no, when nothing could hide it', async () => {
  const { exitCode, text } = await ask(session, { text: 'never written anywhere' });
  expect(exitCode).toBe(5);
  expect(text).toBe('no: the text was not sent; the recording is complete and was searched to its end');
});

test('unknown: bytes were lost, a connection is opaque, a body is coded in something else', async () => {
  const lossy = recorded('lossy.trc', (script) => {
    script
      .connection({ ssl: 1n })
      .out(http1Request('POST /a', 'a.example', [], 'x'.repeat(100)).subarray(0, 100))
      .lose('out', 60)
      .close();
    script.connection({ ssl: 2n }).out('\u0000\u0001binary protocol \u0002'.repeat(20)).close();
    script
      .connection({ ssl: 3n })
      .out(http1Request('POST /c', 'c.example', ['Content-Encoding: x-own'], 'abc'))
      .in(http1Response('200 OK', []))
      .close();
  });
  const { exitCode, json } = await ask(lossy, { text: 'never written anywhere' });
  expect(exitCode).toBe(4);
  const spots = json['blindSpots'] as { what: string; where: string }[];
  expect(spots.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['lost-bytes', 'opaque-connection', 'undecoded-body']),
  );
});

test('unknown: a process whose TLS library was not hooked', async () => {
  const tls = [{ library: 'gnutls', file: '/usr/lib/libgnutls.so', hooked: false, reason: 'not hooked' }];
  const file = writeRecording(join(folder, 'unhooked.trc'), () => {}, { tls });
  expect((await ask(file, { text: 'anything at all' })).json).toMatchObject({
    verdict: 'unknown',
    blindSpots: [{ what: 'unhooked-process' }],
  });
});

test('what to look for is given once, and is something', () => {
  expect(() => readNeedle({})).toThrow('say what to look for');
  expect(() => readNeedle({ text: 'a', sha256: 'b' })).toThrow('say what to look for');
  expect(() => readNeedle({ sha256: 'abc' })).toThrow('64 hexadecimal digits');
  expect(() => readNeedle({ text: ' \n' })).toThrow('is empty');
  expect(() => readNeedle({ file: join(folder, 'missing') })).toThrow('there is no such file');
});
