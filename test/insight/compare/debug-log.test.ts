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
    '{"ts":1000,"dur":5,"type":"llm_request","name":"chat:gpt-4.1","status":"ok","attrs":{"model":"gpt-4.1","inputTokens":10,"outputTokens":2,"ttft":300}}',
    '{"ts":1001,"type":"tool_call","name":"read_file","status":"ok","attrs":{"args":"{}","result":"x"}}',
    '{"ts":1002,"type":"user_message","name":"user","attrs":{"content":"do it"}}',
    '{"ts":1003,"type":"discovery","name":"x","attrs":{}}',
    'not json',
    '',
  );
  expect(log).toEqual({
    calls: [{ atMs: 1000, name: 'chat:gpt-4.1', model: 'gpt-4.1', input: 10, output: 2 }],
    tools: [{ name: 'read_file' }],
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

test('what the user asked is an attribute of the agent’s span, or its event', () => {
  const span = { name: 'invoke_agent GitHub Copilot Chat', startTime: [1, 0] };
  const operation = { 'gen_ai.operation.name': 'invoke_agent' };
  const asked = JSON.stringify({ ...span, attributes: { ...operation, 'copilot_chat.user_request': 'do it' } });
  const event = { name: 'user_message', time: [1, 0], attributes: { content: 'and that' } };
  expect(read(asked, JSON.stringify({ ...span, attributes: operation, events: [event] })).prompts).toEqual([
    'do it',
    'and that',
  ]);
});

test('of a span that one model was asked for and another answered, the one that was asked for counts', () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4.1',
    'gen_ai.response.model': 'gpt-4o',
    'gen_ai.conversation.id': 'turn-1',
    'copilot_chat.server_request_id': 'AB:CD',
  };
  expect(read(JSON.stringify({ name: 'chat gpt-4.1', startTime: [1, 0], attributes })).calls).toEqual([
    { atMs: 1000, name: 'chat gpt-4.1', model: 'gpt-4.1', requestId: 'turn-1', serverId: 'AB:CD' },
  ]);
});

test('any line is taken', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      read(line);
    }),
  );
});
