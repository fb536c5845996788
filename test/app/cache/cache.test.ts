import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cache, readPriceFile } from '../../../src/app/index.ts';
import { API, assistant, result, system, Traffic, tool, user } from '../../kit/copilot-traffic.ts';
import { writeRecording } from '../../kit/session-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracer-cache-'));
const log = { debug() {}, info() {}, warn() {}, error() {} };
const SYSTEM = 'You are an expert AI programming assistant. '.repeat(200);
const clock = (time: string) =>
  system(`${SYSTEM}\nThe time is ${time}; the key is ghp_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0001.`);
const CALL = { id: 'call_1', name: 'read_file', arguments: '{"filePath":"/w/a.ts"}' };
const ASK = user('<userRequest>\nMake answer() return 42.\n</userRequest>');

const file = writeRecording(join(folder, 'session.trc'), (script) => {
  const traffic = new Traffic(script);
  const tools = [tool('read_file')];
  traffic.json(API, 'GET /models', null, { data: [{ id: 'gpt-4.1', billing: { is_premium: true, multiplier: 0.5 } }] });
  traffic.chat({
    messages: [clock('12:03:11'), ASK],
    tools,
    requestId: 't',
    toolCalls: [CALL],
    usage: { input: 1900, cached: 0, output: 30 },
  });
  const history = [ASK, assistant('Reading.', [CALL]), result('call_1', 'export const answer = () => 41;')];
  traffic.chat({
    messages: [clock('12:03:11'), ...history],
    tools,
    requestId: 't',
    initiator: 'agent',
    usage: { input: 2000, cached: 1792, output: 40 },
  });
  traffic.chat({
    messages: [clock('12:04:02'), ...history, assistant('Done.')],
    tools,
    requestId: 't',
    initiator: 'agent',
    usage: { input: 2050, cached: 128, output: 20 },
  });
  traffic.close();
});

const ask = (prices?: string) =>
  cache(file, {
    prices: readPriceFile(prices),
    reveal: false,
    log,
    stop: new AbortController().signal,
    key: new Uint8Array(32),
  });

test('hits, the break with its difference, cost and premium requests, as people see them', async () => {
  const text = `${[...(await ask()).text].join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('golden/cache.txt');
  expect(text).toContain('a date or time in the text changed');
  expect(text).not.toContain('ghp_FAKE');
});

test('for machines: steps, breaks, costs and premium requests', async () => {
  const rows = [...(await ask()).json] as Record<string, unknown>[];
  expect(rows.map(({ type }) => type)).toEqual(['step', 'step', 'step', 'break', 'cost', 'premium']);
  expect(rows[3]).toMatchObject({ call: 'c1.4', cause: 'timestamp' });
  expect(rows[4]).toMatchObject({
    model: 'gpt-4.1',
    calls: 3,
    estimate: true,
    prices: { asOf: '2026-11' },
    dollars: ((5950 - 1920) * 2 + 1920 * 0.5 + 90 * 8) / 1e6,
  });
  expect(rows[5]).toMatchObject({ model: 'gpt-4.1', userCalls: 1, multiplier: 0.5, requests: 0.5 });
  expect(JSON.stringify(rows)).not.toContain('ghp_FAKE');
});

test('a price table of one’s own replaces the built-in one', async () => {
  const prices = join(folder, 'prices.json');
  writeFileSync(
    prices,
    JSON.stringify({ asOf: '2026-11', source: 'our contract', prices: [{ models: ['gpt-*'], input: 1, output: 1 }] }),
  );
  expect([...(await ask(prices)).text].join('\n')).toContain('cost at our contract, 2026-11 (an estimate');
});

test('a bad price table is refused with what is wrong', () => {
  const prices = join(folder, 'bad.json');
  writeFileSync(prices, '{"asOf":"x"}');
  expect(() => readPriceFile(prices)).toThrow(`cannot use the price table ${prices}: prices is empty or missing`);
  expect(() => readPriceFile(join(folder, 'none.json'))).toThrow('there is no such file');
});

test('names of models and tools are shown without secrets and without control characters', async () => {
  const named = writeRecording(join(folder, 'names.trc'), (script) => {
    const traffic = new Traffic(script);
    const one = 'ghp_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0002';
    const ask = (tools: readonly object[]) =>
      traffic.chat({
        messages: [user(SYSTEM)],
        tools,
        model: one,
        requestId: 't',
        usage: { input: 1900, cached: 0, output: 3 },
      });
    ask([tool('a')]);
    ask([tool(`${one}\u001b[2J`), tool('a')]);
    traffic.close();
  });
  const settings = { prices: readPriceFile(undefined), reveal: false, log, stop: new AbortController().signal };
  const { text, json } = await cache(named, { ...settings, key: new Uint8Array(32) });
  const shown = [...text].join('\n');
  expect(shown).toMatch(/<github-token #[0-9a-f]{8}>.*\[2J/);
  expect(`${shown}${JSON.stringify([...json])}`).not.toMatch(/FAKEFAKE|\u001b/);
});
