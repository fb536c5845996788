import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compare } from '../../../src/app/index.ts';
import { system, Traffic, user } from '../../kit/copilot-traffic.ts';
import { writeRecording } from '../../kit/session-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracer-compare-'));
const log = { debug() {}, info() {}, warn() {}, error() {} };
const READ = { id: 't1', name: 'read_file', arguments: '{}' };

const file = writeRecording(join(folder, 'session.trc'), (script) => {
  const traffic = new Traffic(script);
  traffic.chat({
    messages: [system('s'), user('<userRequest>\ndo  it\n</userRequest>')],
    requestId: 'turn-1',
    toolCalls: [READ],
    usage: { input: 100, cached: 0, output: 5 },
  });
  traffic.chat({
    messages: [system('s'), user('<userRequest>\nmore\n</userRequest>')],
    requestId: 'turn-2',
    usage: { input: 200, cached: 64, output: 7 },
  });
  traffic.completion({ prompt: 'x', suffix: '', extra: {} });
  traffic.close();
});

const call = (requestId: string, input: number, output: number, model = 'gpt-4.1') => ({
  name: `chat ${model}`,
  startTime: [0, 0],
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.agent.name': 'agent',
    'gen_ai.conversation.id': requestId,
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
  },
});
const TOOL = { type: 'tool_call', name: 'read_file', attrs: {} };
const prompt = (content: string) => ({ type: 'user_message', name: 'user', attrs: { content } });

async function ask(name: string, entries: readonly object[]) {
  const debugLog = join(folder, name);
  writeFileSync(debugLog, entries.map((entry) => JSON.stringify(entry)).join('\n'));
  const answer = await compare(file, {
    debugLog,
    reveal: false,
    log,
    stop: new AbortController().signal,
    key: new Uint8Array(32),
  });
  return { ...answer, text: [...answer.text].join('\n'), json: [...answer.json] as Record<string, unknown>[] };
}

test('both say the same: ghost text is never logged and is no difference', async () => {
  const { exitCode, text } = await ask('same.jsonl', [
    call('turn-1', 100, 5),
    TOOL,
    call('turn-2', 200, 7),
    prompt('do it'),
  ]);
  expect(text.split('\n')[0]).toBe(
    '2 calls in both, 2 of them equal; 0 calls only in the log; 1 call only in the recording',
  );
  expect(text).toContain('ghost text is never in the log');
  expect(exitCode).toBe(0);
});

test('tokens, calls, tools and prompts that differ are named', async () => {
  const { exitCode, text, json } = await ask('other.jsonl', [
    call('turn-1', 100, 6),
    call('turn-9', 1, 1, 'o3'),
    prompt('never asked'),
  ]);
  expect(exitCode).toBe(5);
  expect(json.find(({ type }) => type === 'pair')).toMatchObject({
    by: 'request id',
    differences: [{ what: 'output tokens', wire: 5, logged: 6 }],
  });
  expect(text).toContain('only in the log');
  expect(text).toContain('agent (o3, 1 token in, 1 out)');
  expect(text).toContain('read_file: 1 on the wire, 0 in the log');
  expect(text).toContain('1 prompt in the log, 1 of them not in any request');
  expect(json.filter(({ type }) => type === 'only-wire')).toMatchObject([
    { wire: { model: 'gpt-4.1' } },
    { expected: 'ghost text is never in the log' },
  ]);
});

test('a document over several lines is read, and what is no log is refused', async () => {
  const debugLog = join(folder, 'pretty.json');
  writeFileSync(debugLog, JSON.stringify([call('turn-1', 100, 5), TOOL, call('turn-2', 200, 7)], null, 2));
  const settings = { reveal: false, log, stop: new AbortController().signal, key: new Uint8Array(32) };
  expect((await compare(file, { ...settings, debugLog })).exitCode).toBe(0);
  writeFileSync(debugLog, 'hello');
  await expect(compare(file, { ...settings, debugLog })).rejects.toThrow('no LLM call, tool call or prompt is in it');
  await expect(compare(file, { ...settings, debugLog: join(folder, 'none') })).rejects.toThrow('there is no such file');
});

test('a folder is read whole: the extension writes helpers and subagents beside main.jsonl', async () => {
  const debugLog = join(folder, 'session-1');
  mkdirSync(debugLog);
  writeFileSync(join(debugLog, 'main.jsonl'), `${JSON.stringify(call('turn-1', 100, 5))}\n${JSON.stringify(TOOL)}\n`);
  writeFileSync(join(debugLog, 'title-7.jsonl'), `${JSON.stringify(call('turn-2', 200, 7))}\n`);
  writeFileSync(join(debugLog, 'models.json'), '[]');
  const settings = { reveal: false, log, stop: new AbortController().signal, key: new Uint8Array(32) };
  expect((await compare(file, { ...settings, debugLog })).exitCode).toBe(0);
  expect((await compare(file, { ...settings, debugLog: join(debugLog, 'main.jsonl') })).exitCode).toBe(5);
});
