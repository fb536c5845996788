// Recordings that somebody made to harm their reader: each is shown, printed as JSON and audited without a crash, in bounded
// time, and nothing in it reaches a terminal as a control character.

import { setMaxListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, auditSarif, auditText, type Log, type OutputSettings, replay } from '../../src/app/index.ts';
import { scrub } from '../../src/app/scrub/scrub.ts';
import { TracerError } from '../../src/errors.ts';
import { createRecordingWriter } from '../../src/record/index.ts';
import { HANG_MS } from '../kit/hang.ts';
import { Script } from '../kit/records.ts';
import { chatEvents, http1Request, http1Response, recordingOf } from '../kit/session-file.ts';

const HOST = 'api.githubcopilot.com';
const JSON_TYPE = 'Content-Type: application/json';
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eevil\u0000\u007f';
const IN_HEADERS = ESCAPES.replaceAll('\u202e', '').replaceAll('\u0000', '');

const session = (act: (script: Script) => void, process = {}): Uint8Array => {
  const script = new Script();
  act(script);
  return recordingOf(script.records, process);
};

const exchange = (request: Uint8Array, response: Uint8Array): Uint8Array =>
  session((script) => {
    script.connection({ ssl: 1n }).sni(HOST).out(request).in(response).close();
  });

const chat = (body: string, answer: Uint8Array): Uint8Array =>
  exchange(http1Request('POST /chat/completions', HOST, [JSON_TYPE], body), answer);

const OK = http1Response('200 OK', ['Content-Type: text/event-stream'], chatEvents(['ok']));
const VALID = chat('{"model":"m","messages":[{"role":"user","content":"hi"}]}', OK);

/** A block that says it is small and unpacks to a gigabyte. */
function bombBlock(): Uint8Array {
  const writer = createRecordingWriter();
  const header = writer.header({ monoNs: 0n, wallNs: 0n, bootId: '', host: '', toolVersion: '' });
  const packed = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const block = { content: new Uint8Array(100), repeated: false } as unknown as Parameters<typeof writer.frame>[0];
  return Buffer.concat([header, writer.frame(block, packed)]);
}

const deep = (levels: number): string => `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`;

const CORPUS: Readonly<Record<string, () => Uint8Array>> = {
  empty: () => new Uint8Array(),
  'magic alone': () => VALID.slice(0, 8),
  'cut inside a block': () => VALID.slice(0, VALID.length - 100),
  'zeros behind the end': () => Buffer.concat([VALID, new Uint8Array(1000)]),
  'a frame of 4 GiB': () =>
    Buffer.concat([VALID.slice(0, 8), Buffer.from('ffffffff00000000', 'hex'), new Uint8Array(100)]),
  'flipped bits': () => VALID.map((byte, i) => (i % 97 === 96 ? byte ^ 0x55 : byte)),
  'a block that unpacks to 64 MiB': bombBlock,
  'noise behind the magic': () =>
    Buffer.concat([VALID.slice(0, 8), Buffer.from(VALID.map((byte, i) => (byte * 31 + i * 7) & 0xff))]),
  'escapes in heads': () =>
    exchange(
      Buffer.from(
        `GET /${IN_HEADERS} HTTP/1.1\r\nHost: ${HOST}${IN_HEADERS}\r\nX-${'a'.repeat(100)}: ${IN_HEADERS}\r\n\r\n`,
        'latin1',
      ),
      Buffer.from(`HTTP/1.1 200 ${IN_HEADERS}\r\nLocation: https://${IN_HEADERS}/\r\n\r\n`, 'latin1'),
    ),
  'escapes in texts': () =>
    chat(
      JSON.stringify({
        model: ESCAPES,
        messages: [{ role: 'user', content: `<attachment filePath="${ESCAPES}">password = "q8Zt3Lk0Pw7Xn2Vb"` }],
      }),
      http1Response('200 OK', ['Content-Type: text/event-stream'], chatEvents([ESCAPES], ESCAPES)),
    ),
  'escapes in process and server names': () =>
    session(
      (script) =>
        script
          .connection()
          .sni(`a${ESCAPES}.test`)
          .out(http1Request('GET /', 'x', []))
          .in(OK)
          .close(),
      {
        comm: ESCAPES,
        exe: `/bin/${ESCAPES}`,
        args: [ESCAPES, '../../etc/passwd'],
        role: ESCAPES,
      },
    ),
  'deep JSON': () =>
    chat(
      `{"model":"m","messages":[{"role":"user","content":${deep(50_000)}}]}`,
      http1Response('200 OK', [JSON_TYPE], deep(50_000)),
    ),
  'a gzip bomb': () =>
    chat(
      '{}',
      http1Response('200 OK', [JSON_TYPE, 'Content-Encoding: gzip'], gzipSync(Buffer.alloc(60 * 1024 * 1024))),
    ),
  'a thousand codings': () =>
    chat('{}', http1Response('200 OK', [`Content-Encoding: ${'gzip, '.repeat(1000)}gzip`], 'x')),
  'lengths that cannot be': () =>
    exchange(Buffer.from(`POST / HTTP/1.1\r\nContent-Length: ${'9'.repeat(40)}\r\nContent-Length: -1\r\n\r\n`), OK),
  'one line of a megabyte': () =>
    chat(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a='.repeat(500_000) }] }), OK),
  'names of prototypes': () =>
    chat('{"__proto__":{"x":1},"constructor":1,"model":"m","messages":[{"role":"__proto__","content":"x"}]}', OK),
};

/** C0 but for line breaks, DEL, C1, and what reorders text. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tracer-hostile-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const stop = new AbortController().signal;
setMaxListeners(0, stop);
const messages: string[] = [];
const keep = (text: string): void => void messages.push(text);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

async function shown(file: string, format: 'terminal' | 'ndjson'): Promise<string> {
  const outputFile = join(dir, 'out');
  const settings: OutputSettings = {
    command: 'replay',
    format,
    outputFile,
    verbose: true,
    color: false,
    columns: undefined,
    reveal: true,
    log,
    stop,
  };
  await replay({ ...settings, files: [file], speed: undefined });
  return readFileSync(outputFile, 'utf8');
}

/** Errors that are meant for the user are fine. */
async function survives<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TracerError) return null;
    throw error;
  }
}

describe('a hostile recording:', () => {
  it.each(Object.entries(CORPUS))(
    '%s',
    async (name, make) => {
      const file = join(dir, 'hostile.trc');
      writeFileSync(file, make());
      const startedMs = performance.now();
      const table = await survives(() => shown(file, 'terminal'));
      expect(table ?? '', name).not.toMatch(CONTROL);
      const lines = (await survives(() => shown(file, 'ndjson'))) ?? '';
      expect(lines.split('\n').filter((line) => line !== '' && JSON.parse(line).type === undefined)).toEqual([]);
      const audited = await survives(() =>
        audit({ files: [file], allowHosts: [], personal: true, failOn: null, log, stop, key: new Uint8Array(32) }),
      );
      if (audited !== null) {
        expect(auditText(audited.report)).not.toMatch(CONTROL);
        expect(JSON.parse(auditSarif(audited.report)).version).toBe('2.1.0');
      }
      await survives(() => scrub({ files: [file], outputFile: join(dir, 'scrubbed.trc'), user: 'me', log, stop }));
      expect(performance.now() - startedMs).toBeLessThan(HANG_MS);
    },
    60_000,
  );
});
