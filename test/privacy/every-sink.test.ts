// Nothing leaves unredacted: a session full of canaries through every output there is. A new output is one row.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, auditSarif, auditText, type Log, type OutputSettings, replay, safeText } from '../../src/app/index.ts';
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
  const { report } = await audit({ file, allowHosts: [], personal: true, failOn: 'high', log, stop });
  return [auditText(report), JSON.stringify(report), auditSarif(report), text()];
}

const ALERT = { least: 'low', allowHosts: [] } as const;

const OUTPUTS: readonly (readonly [name: string, make: () => Promise<string>])[] = [
  ['terminal', () => replayed({})],
  ['terminal, narrow', () => replayed({ columns: 80, color: true })],
  ['terminal, verbose', () => replayed({ verbose: true, explain: true })],
  ['terminal, verbose, with findings', () => replayed({ verbose: true, alert: ALERT })],
  ['NDJSON', () => replayed({ format: 'ndjson' })],
  ['NDJSON with findings', () => replayed({ format: 'ndjson', alert: ALERT })],
  ['audit', async () => (await audited()).join('\n')],
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
    // These two travel in base64 only, and are canaries in that form, too.
    expect(hidden).toEqual(['basic credentials', 'base64 in a prompt']);
    expect(session.canaries.length).toBeGreaterThan(50);
  });
});
