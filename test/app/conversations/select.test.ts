import { expect, test } from 'vitest';
import { findConversation, parseSelection } from '../../../src/app/conversations/select.ts';

test('conversations, turns and calls are told apart by how they are written', () => {
  expect(parseSelection(undefined)).toEqual({ what: 'all' });
  expect(parseSelection('2')).toEqual({ what: 'conversation', conversation: 2 });
  expect(parseSelection('2.13')).toEqual({ what: 'turn', conversation: 2, turn: 13 });
  expect(parseSelection('c3.5')).toEqual({ what: 'call', id: 'c3.5' });
  expect(parseSelection('c3.5.2')).toEqual({ what: 'call', id: 'c3.5.2' });
});

test.each(['x', 'c3', '1.2.3', '-1', ''])('%j is none of them', (word) => {
  expect(() => parseSelection(word)).toThrow(`${word} is no conversation (1), turn (1.2) or call (c3.5)`);
});

test('what is not in the recording is said, with how to find what is', () => {
  const grouping = { conversations: [{ number: 1, kind: 'chat', turns: [] }], loose: [] };
  expect(findConversation(grouping, 1)).toMatchObject({ number: 1 });
  expect(() => findConversation(grouping, 2)).toThrow('there is no conversation 2 in this recording');
  expect(() => findConversation(grouping, 1, 1)).toThrow('there is no turn 1.1 in this recording');
});
