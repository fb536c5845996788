import { expect, it } from 'vitest';
import { chatViewOf } from '../../src/copilot/chat-view.ts';
import { viewOf } from '../../src/copilot/view.ts';
import { requestOf } from '../dialects/feed.ts';

const view = viewOf({ head: null, sni: undefined });
const chat = (dialect: string, body: unknown) => chatViewOf(view, 'chat.completions', requestOf(dialect, body));

it('finds the human messages among tool results', () => {
  const found = chat('anthropic-messages', {
    system: 'rules',
    messages: [
      { role: 'user', content: 'first' },
      { role: 'user', content: 'second' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] },
    ],
  });
  expect(found).toMatchObject({ system: 'rules\n', firstUser: 'first', lastUser: 'second', lastRole: 'tool' });
});

it('leaves out a message that the editor adds to be gone on with', () => {
  const messages = [
    { role: 'user', content: 'write' },
    { role: 'assistant', content: 'half' },
    { role: 'user', content: 'Please continue.' },
  ];
  expect(chat('anthropic-messages', { messages })).toMatchObject({ lastUser: 'write', lastRole: 'assistant' });
  expect(chat('openai-chat', { messages })).toMatchObject({ lastUser: 'Please continue.', lastRole: 'user' });
  const typed = [...messages.slice(0, 2), { role: 'user', content: 'Please continue with the second half' }];
  expect(chat('anthropic-messages', { messages: typed }).lastRole).toBe('user');
  expect(chat('anthropic-messages', { messages: messages.slice(2) }).lastRole).toBe('user');
});

it('keeps head and tail of a long text', () => {
  const content = `<head>${'x'.repeat(200_000)}<tail>`;
  const { lastUser } = chat('openai-chat', { messages: [{ role: 'user', content }] });
  expect(lastUser.length).toBeLessThan(70_000);
  expect(lastUser.startsWith('<head>')).toBe(true);
  expect(lastUser.endsWith('<tail>')).toBe(true);
});

it.each([
  [{ type: 'function', function: { name: 'f' } }, 'f', ''],
  [{ type: 'tool', name: 'g' }, 'g', ''],
  ['none', '', 'none'],
  [undefined, '', ''],
])('reads tool_choice %j', (tool_choice, forcedTool, toolChoice) => {
  expect(chat('openai-chat', { messages: [], tool_choice })).toMatchObject({
    forcedTool,
    toolChoice,
    lastRole: 'none',
  });
});

it('takes the initiator of a WebSocket request from its body', () => {
  expect(chat('openai-responses', { type: 'response.create', initiator: 'user', input: [] }).initiator).toBe('user');
});
