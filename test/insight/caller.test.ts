import { expect, it } from 'vitest';
import { initiatorOf, isAutoMode, isOtherModel } from '../../src/insight/caller.ts';
import { made } from './calls.ts';

const call = (headers: readonly (readonly [string, string])[], parameters = {}) => {
  const plain = made({ messages: [], startMs: 0, endMs: 1 });
  const llm = { ...plain.llm!, request: { ...plain.llm!.request!, parameters } };
  return { ...plain, llm, request: { ...plain.request, headers } };
};

it('takes the initiator of a WebSocket’s request before that of its upgrade', () => {
  expect(initiatorOf(call([['x-initiator', 'user']]))).toBe('user');
  expect(initiatorOf(call([['x-initiator', 'user']], { initiator: 'agent' }))).toBe('agent');
  expect(initiatorOf(call([]))).toBe('unknown');
  expect(initiatorOf(call([['x-initiator', 'robot']]))).toBe('unknown');
});

it('knows Auto mode by its header', () => {
  expect(isAutoMode(call([['copilot-session-token', '<jwt>']]))).toBe(true);
  expect(isAutoMode(call([]))).toBe(false);
});

it.each([
  ['gpt-4.1', 'gpt-4.1-2025-04-14', false],
  ['claude-sonnet-4.6', 'claude-sonnet-4-6-20260101', false],
  ['openai/gpt-5.4', 'gpt-5.4', false],
  ['gpt-4.1', 'gpt-4o-mini', true],
  ['claude-opus-4.6', 'claude-sonnet-4.6', true],
])('%s answered by %s is another model: %s', (asked, answered, expected) => {
  expect(isOtherModel(asked, answered)).toBe(expected);
});
