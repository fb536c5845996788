import { expect, it } from 'vitest';
import type { LlmRequest, Part } from '../../../src/model/index.ts';
import { callDetails } from '../../../src/sinks/terminal/call-details.ts';
import { call, plainCall } from '../events.ts';

const llm = call().llm!;
const details = (request: Partial<LlmRequest>): string[] =>
  callDetails(call({ llm: { ...llm, request: { ...llm.request!, ...request } } }), (text) => text).slice(1);

it('gives the id of every call, and of one without a model nothing else', () => {
  expect(callDetails(plainCall({ id: 'c7.2' }), (text) => text)).toEqual(['  call      c7.2']);
  expect(callDetails(call({ id: 'c3.5' }), (text) => text)[0]).toBe('  call      c3.5');
});

it('names every kind of part in a prompt', () => {
  const parts: Part[] = [
    { kind: 'text', text: 'Look:' },
    { kind: 'image', mediaType: 'image/png', bytes: 2048 },
    { kind: 'document', mediaType: 'text/plain', name: 'a.txt' },
    { kind: 'thinking', text: 'hm' },
    { kind: 'tool-call', id: '1', name: 'grep', argumentsText: '' },
    { kind: 'reference', type: 'file', data: {} },
    { kind: 'other', type: 'audio', json: {} },
  ];
  expect(details({ messages: [{ role: 'user', parts }] }).slice(0, 7)).toEqual([
    '  prompt    Look:',
    '            [image image/png, 2,048 bytes]',
    '            [document a.txt]',
    '            [thinking, 2 characters]',
    '            [tool call grep]',
    '            [reference file]',
    '            [audio]',
  ]);
});

it('shows the completion prompt where there are no messages', () => {
  expect(details({ messages: [], prompt: 'function a(' })[0]).toBe('  prompt    function a(');
});

it('shows results of the current round only, errors marked, long ones shortened', () => {
  const result = (text: string, isError: boolean): Part => ({
    kind: 'tool-result',
    callId: 'x',
    parts: [{ kind: 'text', text }],
    isError,
  });
  const messages = [
    { role: 'tool', parts: [result('old', false)] },
    { role: 'user', parts: [{ kind: 'text', text: 'Go' }] },
    { role: 'user', parts: [result('no such file', true), result('y'.repeat(500), false)] },
  ] as const;
  const lines = details({ messages });
  expect(lines.slice(0, 3)).toEqual([
    '  prompt    Go',
    '  results   [tool result, error: no such file]',
    `            [tool result: ${'y'.repeat(159)}…]`,
  ]);
});
