// Every golden session through cut and export: what comes out does not depend on how the recording is stored, and holds for
// traffic of every class.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { analyse, cut, exportRecordings } from '../../src/app/index.ts';
import type { CallEvent } from '../../src/model/index.ts';
import { validateHar } from '../kit/har-schema.ts';
import { scratch } from '../kit/recording.ts';

const HERE = fileURLToPath(new URL('../sessions/', import.meta.url));
const NAMES = readdirSync(HERE).filter((name) => existsSync(join(HERE, name, 'session.trc')));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const settings = { reveal: false, key: new Uint8Array(32), log: silent, stop: new AbortController().signal };

async function callsOf(file: string) {
  const calls: CallEvent[] = [];
  await analyse(file, settings, { call: ({ event }: { event: CallEvent }) => void calls.push(event) });
  return calls;
}

async function exported(file: string) {
  const targets = new Map(['har', 'pcapng'].map((name) => [name, scratch(`a.${name}`)]));
  await exportRecordings({ ...settings, files: [file], targets, content: false });
  return [...targets.values()].map((path) => readFileSync(path));
}

test.each(NAMES)('%s: copied block by block it gives the same calls, twice exported the same files', async (name) => {
  const file = join(HERE, name, 'session.trc');
  const copy = scratch('copy.trc');
  const { calls } = await cut({
    ...settings,
    files: [file],
    output: copy,
    selection: { conversations: [], classes: [] },
  });
  expect(calls).toBeGreaterThan(0);
  expect(await callsOf(copy)).toEqual(await callsOf(file));
  const [har, pcapng] = await exported(file);
  const [harAgain, pcapngAgain] = await exported(copy);
  expect([har?.equals(harAgain!), pcapng?.equals(pcapngAgain!)]).toEqual([true, true]);
  expect(validateHar(JSON.parse(har!.toString()))).toBeNull();
});
