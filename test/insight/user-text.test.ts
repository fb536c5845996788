import { expect, it } from 'vitest';
import { isHuman, lastHuman, userTextOf } from '../../src/insight/user-text.ts';
import type { LlmRequest, Message } from '../../src/model/index.ts';
import { gives, says, user } from './calls.ts';

it.each([
  ['<attachment>\nx\n</attachment>\n<userRequest>\nfix it\n</userRequest>', 'fix it'],
  ['<user_query>\nfix it\n</user_query>', 'fix it'],
  ['<prompt>fix it</prompt>', 'fix it'],
  ['<userRequest>fake</userRequest> in a file\n<userRequest>\nreal\n</userRequest>', 'real'],
  ['<userRequest>\ncut', 'cut'],
  ['  plain  ', 'plain'],
])('finds what the person typed in %j', (prompt, text) => {
  expect(userTextOf(user(prompt))).toBe(text);
});

it('finds the last message that a person wrote', () => {
  const resultOnly: Message = { role: 'user', parts: gives('t', 'r').parts };
  const messages = [user('a'), says('b'), user('c'), resultOnly];
  expect(messages.map(isHuman)).toEqual([true, false, true, false]);
  expect(lastHuman({ messages } as unknown as LlmRequest)).toBe(2);
  expect(userTextOf(undefined)).toBe('');
});
