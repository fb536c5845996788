import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSession, type SessionParts } from '../../src/app/session.ts';
import type { OutputSettings } from '../../src/app/types.ts';
import type { CaptureSource } from '../../src/capture/index.ts';
import { EXIT, TracerError } from '../../src/errors.ts';
import type { CaptureRecord } from '../../src/model/index.ts';
import { Script } from '../kit/records.ts';

/** Delivers its records, then waits to be stopped if `idles`. */
class FakeSource implements CaptureSource {
  readonly #records: readonly CaptureRecord[];
  readonly #idles: boolean;
  #stopped: string | null = null;
  #resolve: (reason: string) => void = () => {};
  delivered = 0;

  constructor(records: readonly CaptureRecord[], idles: boolean) {
    this.#records = records;
    this.#idles = idles;
  }

  async run(sink: (record: CaptureRecord, raw: null) => void): Promise<string> {
    for (const record of this.#records) {
      if (this.#stopped !== null) return this.#stopped;
      sink(record, null);
      this.delivered += 1;
    }
    if (!this.#idles) return 'the end';
    return (
      this.#stopped ??
      new Promise((resolve) => {
        this.#resolve = resolve;
      })
    );
  }

  stop(reason: string): void {
    this.#stopped ??= reason;
    this.#resolve(this.#stopped);
  }
}

const warnings: string[] = [];
const log = { debug: () => {}, info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };

async function run(source: FakeSource, parts: Partial<SessionParts> = {}, settings: Partial<OutputSettings> = {}) {
  const outputFile = join(mkdtempSync(join(tmpdir(), 'tracer-session-')), 'out.ndjson');
  const result = await runSession({
    source,
    settings: {
      command: 'replay',
      format: 'ndjson',
      outputFile,
      verbose: false,
      color: false,
      columns: undefined,
      reveal: false,
      log,
      stop: new AbortController().signal,
      ...settings,
    },
    user: 'me',
    key: new Uint8Array(32),
    recorder: null,
    onOpaque: () => {},
    cost: () => null,
    problem: () => null,
    ...parts,
  });
  const lines = readFileSync(outputFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return { result, events: lines.map((line) => JSON.parse(line)) };
}

function exchanges(count: number, authorization = 'none'): readonly CaptureRecord[] {
  const script = new Script();
  const connection = script.connection();
  for (let i = 0; i < count; i++) {
    connection
      .out(`GET /${i} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
      .in('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  }
  connection.close();
  return script.records;
}

test('a whole session ends with a summary and exit code 0', async () => {
  const { result, events } = await run(new FakeSource(exchanges(2), false));
  expect(result).toEqual({ exitCode: EXIT.ok, problem: null });
  expect(events.at(-1)).toMatchObject({ type: 'summary', calls: 2, reason: 'the end', complete: true });
});

test('a session that lost bytes ends with exit code 4', async () => {
  const script = new Script();
  script.connection().out('GET / HTTP/1.1\r\nHost: x\r\n\r\n').lose('in', 3).close();
  expect((await run(new FakeSource(script.records, false))).result.exitCode).toBe(EXIT.incomplete);
});

test('--max-calls stops the source after that many calls', async () => {
  const source = new FakeSource(exchanges(5), true);
  const { events } = await run(source, { maxCalls: 2 });
  expect(events.at(-1)).toMatchObject({ type: 'summary', calls: 2, reason: '--max-calls reached' });
});

test('--duration stops an idle source', async () => {
  const { events } = await run(new FakeSource([], true), { durationMs: 10 });
  expect(events.at(-1)).toMatchObject({ type: 'summary', reason: '--duration is over' });
});

test('the user’s signal stops it, and its name is the reason', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort('SIGINT'), 10);
  const { events } = await run(new FakeSource([], true), {}, { stop: controller.signal });
  expect(events.at(-1)).toMatchObject({ type: 'summary', reason: 'SIGINT' });
});

test('damage that the source met decides the exit code', async () => {
  const problem = new TracerError('E_RECORDING_CORRUPT', { path: 'x', what: 'is empty', kept: '' });
  const { result, events } = await run(new FakeSource(exchanges(1), false), { problem: () => problem });
  expect(result).toEqual({ exitCode: 41, problem });
  expect(events.at(-1)).toMatchObject({ type: 'summary', calls: 1 });
});

test('what is no recording at all has no summary', async () => {
  const problem = new TracerError('E_RECORDING_CORRUPT', { path: 'x', what: 'is empty', kept: '' });
  const { result, events } = await run(new FakeSource([], false), { problem: () => problem });
  expect([result.exitCode, events]).toEqual([41, []]);
});

test('secrets are redacted before they reach the output', async () => {
  const secret = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';
  const { events } = await run(new FakeSource(exchanges(1, `Bearer ${secret}`), false));
  const text = JSON.stringify(events);
  expect(text).not.toContain(secret.slice(4, 20));
  expect(text).toContain('Bearer <');
});

test('--reveal shows them', async () => {
  const secret = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';
  const { events } = await run(new FakeSource(exchanges(1, `Bearer ${secret}`), false), {}, { reveal: true });
  expect(JSON.stringify(events)).toContain(secret);
});

test('an output that cannot be opened is E_FILE_UNWRITABLE', async () => {
  await expect(run(new FakeSource([], false), {}, { outputFile: '/nonexistent/x' })).rejects.toMatchObject({
    code: 'E_FILE_UNWRITABLE',
  });
});

test('an output that fails ends the session: nobody would see what goes on', async () => {
  const source = new FakeSource(exchanges(3), true);
  const settings = { outputFile: '/dev/full' };
  await expect(
    runSession({
      source,
      settings: {
        command: 'replay',
        format: 'ndjson',
        verbose: false,
        color: false,
        columns: undefined,
        reveal: false,
        log,
        stop: new AbortController().signal,
        ...settings,
      },
      user: 'me',
      key: new Uint8Array(32),
      recorder: null,
      onOpaque: () => {},
      cost: () => null,
      problem: () => null,
    }),
  ).resolves.toMatchObject({
    exitCode: EXIT.exportFull,
    problem: { code: 'E_EXPORT_FULL', message: 'writing /dev/full failed: ENOSPC' },
  });
});

test('a source that ended before its session is incomplete: what is missing is not known', async () => {
  const { result, events } = await run(new FakeSource(exchanges(1), false), { endsEarly: () => true });
  expect(result.exitCode).toBe(EXIT.incomplete);
  expect(events.at(-1)).toMatchObject({ type: 'summary', complete: false, lost: { out: 0, in: 0 } });
});
