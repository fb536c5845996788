import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../../src/app/analysis.ts';
import { exchange, recordingFile, scratch } from '../kit/recording.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const settings = (more: Partial<AnalysisSettings> = {}): AnalysisSettings => ({
  reveal: false,
  key: new Uint8Array(32),
  log,
  stop: new AbortController().signal,
  ...more,
});

const SECRET = 'ghp_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0001';
const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: `my token is ${SECRET}` }] };
const file = recordingFile((script) => {
  const connection = script.connection();
  exchange(connection, {
    request: JSON.stringify(body),
    response: JSON.stringify({
      model: 'gpt-4.1',
      choices: [{ message: { role: 'assistant', content: 'Revoke it.' }, finish_reason: 'stop' }],
    }),
  });
  connection.close();
});

async function callsOf(path: string, more: Partial<AnalysisSettings> = {}) {
  const calls: AnalysedCall[] = [];
  const types: string[] = [];
  const result = await analyse(path, settings(more), {
    call: (call: AnalysedCall) => {
      calls.push(call);
    },
    event: (event: { readonly type: string }) => {
      types.push(event.type);
    },
  });
  return { calls, types, result };
}

const json = (value: unknown): string => JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v));

test('a call comes redacted twice, for sinks and for insight, and once as captured', async () => {
  const { calls, types, result } = await callsOf(file);
  expect(calls).toHaveLength(1);
  const [{ event, call, raw }] = calls as [AnalysedCall];
  expect(event).toMatchObject({
    id: 'c1.1',
    class: 'chat.completions',
    llm: { text: 'Revoke it.' },
    confidence: 'high',
  });
  expect(call).toMatchObject({ id: { connection: 1, exchange: 1 }, llm: { text: 'Revoke it.' } });
  expect(json(event) + json(call)).not.toContain(SECRET);
  expect(json(raw)).toContain(SECRET);
  expect(raw).not.toHaveProperty('bodies');
  expect(types.at(-1)).toBe('summary');
  expect(types).not.toContain('call.started');
  expect(types).not.toContain('call.delta');
  expect(result).toMatchObject({ exitCode: 0, problem: null, summary: { calls: 1 } });
});

test('bodies come in full to one who asks, and stay out of what is shown', async () => {
  const { calls } = await callsOf(file, { keepBodies: true });
  expect(calls[0]?.raw.bodies?.request).toEqual({ text: JSON.stringify(body), whole: true });
  expect(calls[0]?.call).not.toHaveProperty('bodies');
  expect(calls[0]?.event).not.toHaveProperty('bodies');
});

test('rules of the user name calls before the table does', async () => {
  const rule = {
    id: 'mine:1',
    class: 'acme.chat',
    about: '',
    hosts: ['any'],
    path: /chat/,
    source: 'own rule',
    confidence: 'low',
  } as const;
  const { calls } = await callsOf(file, { rules: [rule] });
  expect(calls[0]?.event).toMatchObject({ class: 'acme.chat', confidence: 'low' });
});

test('progress is told against the size of the file', async () => {
  const positions: { readBytes: number; totalBytes: number | null }[] = [];
  await callsOf(file, { onProgress: (position) => positions.push({ ...position }) });
  const size = readFileSync(file).length;
  expect(positions.at(-1)).toEqual({ readBytes: size, totalBytes: size });
});

test('damage ends the analysis and is its problem; what came before was visited', async () => {
  const bytes = readFileSync(file);
  const path = scratch('damaged.trc');
  writeFileSync(path, Buffer.concat([bytes.subarray(0, bytes.length - 40), Buffer.alloc(400, 0x55)]));
  const { result } = await callsOf(path);
  expect(result.exitCode).not.toBe(0);
  await expect(callsOf(join(path, 'none'))).rejects.toThrow(/cannot read/);
});

test('a user who stops gets what was read so far', async () => {
  const controller = new AbortController();
  controller.abort('SIGINT');
  const { result } = await callsOf(file, { stop: controller.signal });
  expect(result.summary?.reason).toBe('SIGINT');
});

test('of a file in which nothing can be read there is no answer', async () => {
  const path = scratch('foreign.trc');
  writeFileSync(path, '');
  await expect(callsOf(path)).rejects.toMatchObject({ exitCode: 41, message: `${path} is empty` });
  writeFileSync(path, 'an ordinary text, longer than the header of a recording would be');
  await expect(callsOf(path)).rejects.toMatchObject({ exitCode: 41 });
});

test('a file that ends early says so once, and is never whole', async () => {
  const warnings: string[] = [];
  const heard = { log: { ...log, warn: (text: string) => void warnings.push(text) } };
  const path = scratch('short.trc');
  const bytes = readFileSync(file);
  writeFileSync(path, bytes.subarray(0, bytes.length - 1));
  const cut = (await callsOf(path, heard)).result;
  expect([cut.exitCode, cut.problem, cut.summary?.complete]).toEqual([4, null, false]);
  expect(warnings).toEqual([expect.stringMatching(/short\.trc: ends .*; read up to there$/)]);
});
