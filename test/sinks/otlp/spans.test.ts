import { expect, test } from 'vitest';
import type { CallEvent } from '../../../src/model/index.ts';
import type { TurnFacts } from '../../../src/sinks/index.ts';
import { SpanTree } from '../../../src/sinks/otlp/spans.ts';

const body = { bytes: 0, decodedBytes: 0, headers: [] };
const call = (id: string, fields: Partial<CallEvent> = {}): CallEvent => ({
  type: 'call',
  time: '2026-03-01T14:05:09.000Z',
  tsNs: '1000000000',
  id,
  pid: 7,
  role: 'x',
  class: 'chat.completions',
  evidence: '',
  host: 'api.githubcopilot.com',
  method: 'POST',
  path: '/',
  status: 200,
  httpVersion: '2',
  request: body,
  response: body,
  llm: { dialect: 'd', model: 'm', text: '', toolCalls: [], usage: {}, finishReason: null, complete: true },
  timing: { ttfbMs: 1, ttftMs: null, durationMs: 2.5 },
  end: 'complete',
  captured: 'whole',
  ...fields,
});

const turn = (id: string, calls: readonly string[], tools: TurnFacts['tools'] = []): TurnFacts => ({
  id,
  conversation: Number(id.split('.')[0]),
  kind: 'agent.turn',
  asked: '',
  startNs: 1_000_000_000n,
  endNs: 2_000_000_000n,
  calls,
  tools,
  requestId: null,
});

const tool = { id: 't', name: 'runSubagent', argumentsText: '', startNs: 1n, isError: false, startedTurn: '2.1' };

test('a subagent’s turn is below the tool that started it, in one trace', () => {
  const tree = new SpanTree(false);
  const loose = ['c1.1', 'c1.2', 'c1.3'].flatMap((id) => tree.loose(call(id)) ?? []);
  const spans = [...tree.place(loose, [turn('1.1', ['c1.1'], [tool]), turn('2.1', ['c1.2'])])];
  const named = new Map(spans.map((span) => [span.spanId, span]));
  const parents = spans.map(({ name, parentSpanId }) => [name, named.get(parentSpanId ?? '')?.name]);
  expect(parents).toEqual([
    ['invoke_agent agent.turn', undefined],
    ['execute_tool runSubagent', 'invoke_agent agent.turn'],
    ['invoke_agent agent.turn', 'execute_tool runSubagent'],
    ['chat m', 'invoke_agent agent.turn'],
    ['chat m', 'invoke_agent agent.turn'],
    ['chat m', undefined],
  ]);
  expect(new Set(spans.slice(0, 5).map((span) => span.traceId)).size).toBe(1);
  expect(spans[5]?.traceId).not.toBe(spans[0]?.traceId);
});

test('turns that start each other end: no tree of a hostile recording is followed for ever', () => {
  const tree = new SpanTree(false);
  const tools = [{ ...tool, startedTurn: '1.1' }];
  expect([...tree.place([], [turn('1.1', [], tools)])]).toHaveLength(2);
});

test('what failed says so: the status, the provider’s code, how it ended', () => {
  const tree = new SpanTree(false);
  const statusOf = (fields: Partial<CallEvent>) => tree.loose(call('c1.1', fields))?.span.status?.message;
  expect(statusOf({})).toBeUndefined();
  expect(statusOf({ status: 429 })).toBe('429');
  expect(statusOf({ end: 'reset' })).toBe('reset');
});

test('a span has the time of its call, to the microsecond', () => {
  const { span } = new SpanTree(false).loose(call('c1.1'))!;
  expect(BigInt(span.startTimeUnixNano)).toBe(BigInt(Date.parse('2026-03-01T14:05:09.000Z')) * 1_000_000n);
  expect(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)).toBe(2_500_000n);
});

test('a call without a model is no span', () => {
  const { llm: _, ...rest } = call('c1.1');
  expect(new SpanTree(false).loose(rest)).toBeNull();
});
