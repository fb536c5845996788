import { expect, it } from 'vitest';
import { ChoiceToolCalls } from '../../src/dialects/choice-tool-calls.ts';
import { ReplyBuilder } from '../../src/dialects/reply-builder.ts';

it('bounds the choices and calls that it tells apart', () => {
  const reply = new ReplyBuilder();
  const calls = new ChoiceToolCalls(reply);
  for (let choice = 1; choice < 100; choice += 1) {
    for (let at = 0; at < 200; at += 1) calls.add(choice, { tool_calls: [{ id: `${at}`, function: { name: 'f' } }] });
  }
  calls.noteFurtherChoices();
  const notes = reply.build(true).other;
  expect(notes).toHaveLength(17);
  expect(notes[0]?.json).toMatchObject({ choice: 1, toolCalls: { length: 128 } });
});

it('takes custom tools, whose input is free text', () => {
  const reply = new ReplyBuilder();
  new ChoiceToolCalls(reply).add(0, {
    tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }],
  });
  expect(reply.build(true).toolCalls).toEqual([{ id: 'a', name: 'patch', argumentsText: '*** Begin' }]);
});

it('ignores what is no call at all', () => {
  const reply = new ReplyBuilder();
  new ChoiceToolCalls(reply).add(0, { tool_calls: 'x', function_call: null });
  expect(reply.build(true).toolCalls).toEqual([]);
});
