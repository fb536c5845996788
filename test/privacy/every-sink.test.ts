// Nothing leaves unredacted: a session full of canaries through every output there is. A new output is one row.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  audit,
  auditSarif,
  auditText,
  cache,
  context,
  conversations,
  curl,
  exportRecordings,
  find,
  type Log,
  models,
  type OutputSettings,
  readNeedle,
  readPriceFile,
  replay,
  report,
  safeText,
  show,
} from '../../src/app/index.ts';
import { MetricsCollector } from '../../src/sinks/metrics/collect.ts';
import { encodeEvent } from '../../src/sinks/proto/event-codec.ts';
import { type CanarySession, canarySession, leaksIn } from '../kit/canary-session.ts';

let dir = '';
let session: CanarySession;
let file = '';
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tracer-canary-'));
  session = await canarySession();
  file = join(dir, 'session.trc');
  writeFileSync(file, session.recording);
});
afterAll(() => rmSync(dir, { recursive: true }));

/** A log that keeps every message at every level. */
function keepingLog(): { log: Log; text: () => string } {
  const lines: string[] = [];
  const keep = (text: string): void => {
    lines.push(text);
  };
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, text: () => lines.join('\n') };
}

/** What a replay writes, messages included. */
async function replayed(more: Partial<OutputSettings>): Promise<string> {
  const { log, text } = keepingLog();
  const outputFile = join(dir, 'out');
  const settings: OutputSettings = {
    command: 'replay',
    format: 'terminal',
    outputFile,
    verbose: false,
    color: false,
    columns: undefined,
    reveal: false,
    log,
    stop: new AbortController().signal,
    ...more,
  };
  await replay({ ...settings, files: [file], speed: undefined });
  return `${readFileSync(outputFile, 'utf8')}\n${text()}`;
}

async function audited(): Promise<string[]> {
  const { log, text } = keepingLog();
  const stop = new AbortController().signal;
  const { report } = await audit({ files: [file], allowHosts: [], personal: true, failOn: 'high', log, stop });
  return [auditText(report), JSON.stringify(report), auditSarif(report), text()];
}

const ALERT = { least: 'low', allowHosts: [] } as const;

/** Settings of what asks about a recording. */
const asked = (log: Log) => ({ reveal: false, log, stop: new AbortController().signal });
type Ask = (settings: ReturnType<typeof asked>) => Promise<{ text: Iterable<string>; json: Iterable<unknown> }>;

/** Text and JSON of an answer, and the messages. */
async function answered(ask: Ask): Promise<string> {
  const { log, text } = keepingLog();
  const answer = await ask(asked(log));
  const lines = [...answer.text];
  const again = await ask(asked(log));
  return [...lines, ...[...again.json].map((value) => JSON.stringify(value)), text()].join('\n');
}

const VIEW = { columns: null, color: false };
const showAll =
  (what?: string): Ask =>
  (settings) =>
    show(file, { ...settings, what, explain: true }, VIEW);

async function exported(name: string): Promise<string> {
  const { log, text } = keepingLog();
  const target = join(dir, `export.${name}`);
  await exportRecordings({ ...asked(log), files: [file], targets: new Map([[name, target]]), content: true });
  return `${readFileSync(target, 'latin1')}${text()}`;
}

/** What a collector is sent by `send`, in the encoding of that name. */
async function collected(scheme: string, send: (url: string, log: Log) => Promise<unknown>): Promise<string> {
  const bodies: Buffer[] = [];
  const collector = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(chunk as Buffer);
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const { log, text } = keepingLog();
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', scheme);
  try {
    await send(`http://127.0.0.1:${port}`, log);
  } finally {
    vi.unstubAllEnvs();
    collector.close();
  }
  return `${Buffer.concat(bodies).toString('latin1')}${text()}`;
}

const exportedTo = (url: string, log: Log): Promise<unknown> =>
  exportRecordings({ ...asked(log), files: [file], targets: new Map([['otlp', url]]), content: true });

const sentLiveTo = (url: string, log: Log): Promise<unknown> =>
  replayed({ log, alert: ALERT, otlp: { url, content: true } });

async function curls(): Promise<string> {
  const { log, text } = keepingLog();
  const lines: string[] = [text()];
  for (const call of ['c1.1', 'c1.2', 'c1.3', 'c1.4', 'c1.5', 'c1.6', 'c2.1', 'c2.2', 'c4.1', 'c6.1'])
    lines.push(...(await curl(file, call, asked(log))).lines);
  return lines.join('\n');
}

/** Events as the bus carries them. */
async function protobuf(): Promise<string> {
  const lines = (await replayed({ format: 'ndjson' })).split('\n').filter((line) => line.startsWith('{"type"'));
  return lines.map((line) => Buffer.from(encodeEvent(JSON.parse(line))).toString('latin1')).join('\n');
}

/** What a scraper reads. */
async function scraped(): Promise<string> {
  const collector = new MetricsCollector();
  for (const line of (await replayed({ format: 'ndjson', reveal: true, alert: ALERT })).split('\n'))
    if (line.startsWith('{"type"')) collector.accept(JSON.parse(line));
  return collector.registry.metrics();
}

const OUTPUTS: readonly (readonly [name: string, make: () => Promise<string>])[] = [
  ['terminal', () => replayed({})],
  ['terminal, narrow', () => replayed({ columns: 80, color: true })],
  ['terminal, verbose', () => replayed({ verbose: true, explain: true })],
  ['terminal, verbose, with findings', () => replayed({ verbose: true, alert: ALERT })],
  ['NDJSON', () => replayed({ format: 'ndjson' })],
  ['NDJSON with findings', () => replayed({ format: 'ndjson', alert: ALERT })],
  ['protobuf', protobuf],
  ['audit', async () => (await audited()).join('\n')],
  ['conversations', () => answered((settings) => conversations(file, settings, VIEW))],
  ['show', () => answered(showAll())],
  [
    'show of a call',
    async () => (await Promise.all(['c2.1', 'c2.2', 'c2.7', 'c5.1.1'].map((id) => answered(showAll(id))))).join('\n'),
  ],
  ['cache', () => answered((settings) => cache(file, { ...settings, prices: readPriceFile(undefined) }))],
  ['models', () => answered((settings) => models(file, settings, VIEW))],
  ['find', () => answered((settings) => find(file, { ...settings, needle: readNeedle({ text: 'code' }) }))],
  ['context', () => answered((settings) => context(file, { ...settings, by: 'kind' }))],
  [
    'report as HTML',
    () => answered((settings) => report(file, { ...settings, format: 'html', prices: readPriceFile(undefined) })),
  ],
  [
    'report as Markdown',
    () => answered((settings) => report(file, { ...settings, format: 'md', prices: readPriceFile(undefined) })),
  ],
  ['export as HAR', () => exported('har')],
  ['export as SQLite', () => exported('sqlite')],
  ['OTLP, binary', () => collected('http/protobuf', exportedTo)],
  ['OTLP, JSON', () => collected('http/json', exportedTo)],
  ['OTLP of a live session, binary', () => collected('http/protobuf', sentLiveTo)],
  ['OTLP of a live session, JSON', () => collected('http/json', sentLiveTo)],
  ['metrics, even of events that were not redacted', scraped],
  ['curl', curls],
];

describe('no canary comes out of', () => {
  it.each(OUTPUTS)('%s', async (_, make) => {
    const output = await make();
    expect(output.length).toBeGreaterThan(500);
    expect(leaksIn(output, session.canaries)).toEqual([]);
  });

  it('messages, errors and the stack of a crash that quote the traffic', () => {
    const quotes = session.records.flatMap((record) =>
      record.kind === 'data' ? [Buffer.from(record.bytes).toString()] : [],
    );
    const readable = quotes.join('').match(/(?:ghp_|gho_|tid=|sk-proj-|Bearer )[\w;=:.-]+/g) ?? [];
    expect(readable.length).toBeGreaterThan(10);
    const crash = new Error(`Unexpected token in ${readable.join(' | ')}`);
    expect(leaksIn(safeText(crash.stack ?? ''), session.canaries)).toEqual([]);
  });
});

describe('the session itself', () => {
  it('has every canary in it, so that the rows above prove something', async () => {
    const shown = await replayed({ format: 'ndjson', reveal: true });
    const seen = session.canaries.filter(
      ([, secret]) =>
        shown.includes(secret) ||
        session.records.some((record) => record.kind === 'data' && Buffer.from(record.bytes).includes(secret)),
    );
    const hidden = session.canaries.filter((canary) => !seen.includes(canary)).map(([position]) => position);
    // Two travel in base64 only, and are canaries in that form, too; two would be shown in lower case only.
    expect(hidden).toEqual([
      'basic credentials',
      'base64 in a prompt',
      'user information in Host, in lower case',
      'user information of CONNECT, in lower case',
    ]);
    expect(session.canaries.length).toBeGreaterThan(50);
  });
});
