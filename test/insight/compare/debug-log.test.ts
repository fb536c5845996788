import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DebugLogReader } from '../../../src/insight/index.ts';

function read(...lines: string[]) {
  const reader = new DebugLogReader();
  for (const line of lines) reader.line(line);
  return reader.log;
}

test('the Agent Debug Log: calls, tools and prompts, line by line', () => {
  const log = read(
    '{"ts":1000,"dur":5,"type":"llm_request","name":"panel/editAgent","status":"ok","attrs":{"model":"gpt-4.1","inputTokens":10,"outputTokens":2}}',
    '{"ts":1001,"type":"tool_call","name":"read_file","attrs":{"toolCallId":"t1"}}',
    '{"ts":1002,"type":"user_message","name":"user","attrs":{"content":"do it"}}',
    '{"ts":1003,"type":"discovery","name":"x","attrs":{}}',
    'not json',
    '',
  );
  expect(log).toEqual({
    calls: [{ atMs: 1000, name: 'panel/editAgent', model: 'gpt-4.1', input: 10, output: 2 }],
    tools: [{ name: 'read_file', id: 't1' }],
    prompts: ['do it'],
    others: 1,
    unreadable: 1,
  });
});

test('OTLP-JSON: attributes as a list, whole numbers as text, times in nanoseconds', () => {
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4.1' } },
    { key: 'gen_ai.response.id', value: { stringValue: 'resp_1' } },
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '1200' } },
    { key: 'gen_ai.usage.cache_read.input_tokens', value: { intValue: 1024 } },
  ];
  const span = { name: 'chat gpt-4.1', startTimeUnixNano: '1772373909000000000', attributes };
  const log = read(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  expect(log.calls).toEqual([
    { atMs: 1772373909000, name: 'chat gpt-4.1', model: 'gpt-4.1', responseId: 'resp_1', input: 1200, cached: 1024 },
  ]);
});

test('spans as flat objects, as a file exporter writes them', () => {
  const log = read(
    JSON.stringify({
      name: 'execute_tool run_in_terminal',
      startTime: [1772373909, 500_000_000],
      attributes: { 'gen_ai.operation.name': 'execute_tool' },
    }),
  );
  expect(log.tools).toEqual([{ name: 'run_in_terminal' }]);
});

test('any line is taken', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      read(line);
    }),
  );
});
