// Every golden session (recorded by the tracer between two stand-ins, see each about.md) through every command that reads a
// recording, compared with the outputs beside it. `make golden` writes them anew; the difference is reviewed like code.

process.env.TZ = 'UTC';

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  cache,
  context,
  conversations,
  models,
  readPriceFile,
  replay,
  report,
  show,
} from '../src/app/index.ts';
import { CLASSES, FALLBACK_CLASSES, KIND_BY_CLASS, KINDS } from '../src/copilot/index.ts';

const HERE = fileURLToPath(new URL('./sessions/', import.meta.url));
const NAMES = readdirSync(HERE).filter((name) => existsSync(join(HERE, name, 'session.trc')));
const MAX_RECORDING_BYTES = 200_000;

const scratch = mkdtempSync(join(tmpdir(), 'golden-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const plain = { reveal: false, log: quiet, stop: new AbortController().signal };
const view = { columns: null, color: false };

/** Fingerprints of secrets depend on the key of the installation. */
const neutral = (text: string): string => text.replace(/ #[0-9a-f]{8}>/g, ' #00000000>');

const textOf = ({ text }: Answer): string => [...text].map((line) => `${line}\n`).join('');
const jsonOf = ({ json }: Answer): string => [...json].map((value) => `${JSON.stringify(value)}\n`).join('');

async function replayed(file: string): Promise<string> {
  const outputFile = join(scratch, 'out.ndjson');
  const settings = {
    command: 'replay',
    format: 'ndjson' as const,
    outputFile,
    verbose: false,
    color: false,
    columns: undefined,
  };
  const result = await replay({
    ...settings,
    ...plain,
    stop: new AbortController().signal,
    files: [file],
    speed: undefined,
  });
  expect(result.exitCode).toBe(0);
  return readFileSync(outputFile, 'utf8');
}

const showAll = { ...plain, what: undefined, explain: true };

const prices = readPriceFile(undefined);

/** Output file, and what makes it. */
const OUTPUTS: Readonly<Record<string, (file: string) => Promise<string>>> = {
  'replay.ndjson': replayed,
  'conversations.txt': async (file) => textOf(await conversations(file, plain, view)),
  'conversations.ndjson': async (file) => jsonOf(await conversations(file, plain, view)),
  'show.txt': async (file) => textOf(await show(file, { ...showAll, explain: false }, view)),
  'show.ndjson': async (file) => jsonOf(await show(file, showAll, view)),
  'models.txt': async (file) => textOf(await models(file, plain, view)),
  'models.ndjson': async (file) => jsonOf(await models(file, plain, view)),
  'context.txt': async (file) => textOf(await context(file, { ...plain, by: 'file' })),
  'context.ndjson': async (file) => jsonOf(await context(file, { ...plain, by: 'call' })),
  'cache.txt': async (file) => textOf(await cache(file, { ...plain, prices })),
  'cache.ndjson': async (file) => jsonOf(await cache(file, { ...plain, prices })),
  'report.md': async (file) => textOf(await report(file, { ...plain, prices, format: 'md' })),
};

describe.each(NAMES)('the session %s', (name) => {
  const at = (file: string): string => join(HERE, name, file);

  it.each(Object.keys(OUTPUTS))('gives %s', async (output) => {
    const text = neutral((await OUTPUTS[output]?.(at('session.trc'))) ?? '');
    if (process.env['TRACER_GOLDEN'] === '1') writeFileSync(at(output), text);
    expect(text).toBe(readFileSync(at(output), 'utf8'));
  });

  it('says that its ends are stand-ins, is small, and shows no secret that it was given', () => {
    expect(readFileSync(at('about.md'), 'utf8')).toContain('stand-ins');
    expect(statSync(at('session.trc')).size).toBeLessThan(MAX_RECORDING_BYTES);
    for (const output of Object.keys(OUTPUTS))
      expect(readFileSync(at(output), 'utf8')).not.toMatch(/gho_FAKE|tid=FAKE|FAKEHEADER|sk_test_FAKE/);
  });
});

const callsOf = (name: string): readonly { class: string; kind?: string }[] =>
  readFileSync(join(HERE, name, 'replay.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"type":"call"'))
    .map((line) => JSON.parse(line));

it('has a call of every class and of every kind', () => {
  const calls = NAMES.flatMap(callsOf);
  const classes = [...CLASSES.map((rule) => rule.class), ...Object.keys(FALLBACK_CLASSES)];
  expect([...new Set(calls.map((call) => call.class))].sort()).toEqual([...new Set(classes)].sort());
  const kinds = [...KINDS.map((rule) => rule.kind), ...Object.values(KIND_BY_CLASS).map(({ kind }) => kind)];
  expect([...new Set(calls.flatMap((call) => call.kind ?? []))].sort()).toEqual([...new Set(kinds)].sort());
});
