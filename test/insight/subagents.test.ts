import { expect, it } from 'vitest';
import type { ToolUse } from '../../src/insight/conversation.ts';
import { PendingSubagents } from '../../src/insight/subagents.ts';
import { tool, user } from './calls.ts';

const conversation = { number: 1, kind: 'agent.turn', turns: [] };
const use = (name: string): ToolUse => ({ id: 't', name, permission: 'other', arguments: { text: '', chars: 0 } });
const request = (text: string) => ({
  dialect: '',
  model: null,
  stream: true,
  messages: [user('<workspace_info>x</workspace_info>'), user(text)],
  tools: [],
  parameters: {},
});

it('gives each waiting call once, to the conversation that begins with its prompt', () => {
  const pending = new PendingSubagents();
  pending.add(conversation, use('search_subagent'), tool('t', 'search_subagent', { query: ' where is f? ' }));
  expect(pending.take(request('something else'))).toBeUndefined();
  expect(pending.take(request('where is f?'))).toMatchObject({ conversation: { number: 1 } });
  expect(pending.take(request('where is f?'))).toBeUndefined();
});

it('does not wait for tools that start no agent, nor for cut arguments without a prompt', () => {
  const pending = new PendingSubagents();
  pending.add(conversation, use('fetch_webpage'), tool('t', 'fetch_webpage', { query: 'q' }));
  pending.add(conversation, use('runSubagent'), { id: 't', name: 'runSubagent', argumentsText: '{"desc' });
  expect(pending.take(request('q'))).toBeUndefined();
});
