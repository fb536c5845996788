import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  answerFingerprints,
  commonPrefix,
  fingerprintsOf,
  fingerprintText,
  textOfMessage,
} from '../../src/insight/fingerprint.ts';
import type { Message } from '../../src/model/index.ts';
import { gives, says, system, tool, user } from './calls.ts';

it('tells texts apart that differ in one character', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(fingerprintText(a) === fingerprintText(b)).toBe(a === b);
    }),
    { numRuns: 1000 },
  );
  const seen = new Set(Array.from({ length: 20_000 }, (_, at) => fingerprintText(`message ${at}`)));
  expect(seen.size).toBe(20_000);
});

it('leaves out the system text, cache marks and thinking', () => {
  const plain: Message[] = [
    system('a'),
    user('q'),
    {
      role: 'assistant',
      parts: [{ kind: 'thinking', text: 't', opaqueBytes: 3 }],
    },
  ];
  const marked: Message[] = [
    system('b'),
    { role: 'user', cached: true, parts: [{ kind: 'text', text: 'q', cached: true }] },
    { role: 'assistant', parts: [{ kind: 'thinking', text: 'other', opaqueBytes: 9 }] },
  ];
  expect(fingerprintsOf(plain)).toEqual(fingerprintsOf(marked));
  expect(fingerprintsOf(plain)).toHaveLength(1);
});

it('is the same on a wire that joins neighbours and spaces JSON in another way', () => {
  const call = { kind: 'tool-call', id: 't', name: 'f' } as const;
  const result = { kind: 'tool-result', callId: 't', parts: [{ kind: 'text', text: 'r' }] } as const;
  const chat: Message[] = [
    user('workspace'),
    user('question'),
    {
      role: 'assistant',
      parts: [
        { kind: 'text', text: 'ok ' },
        { ...call, argumentsText: '{"a":1}' },
      ],
    },
    { role: 'tool', parts: [result] },
  ];
  const messages: Message[] = [
    { role: 'user', parts: [...user('workspace').parts, ...user('question').parts] },
    {
      role: 'assistant',
      parts: [
        { kind: 'text', text: 'ok' },
        { ...call, argumentsText: '{ "a": 1 }' },
      ],
    },
    { role: 'user', parts: [result] },
  ];
  expect(fingerprintsOf(messages)).toEqual(fingerprintsOf(chat));
});

it('finds how much two lists share', () => {
  expect([commonPrefix([], ['a']), commonPrefix(['a', 'b'], ['a', 'c']), commonPrefix(['a'], ['a', 'b'])]).toEqual([
    0, 1, 1,
  ]);
});

it('takes a message for its text, without tool results', () => {
  expect(
    textOfMessage({ ...gives('t', 'secret'), parts: [...gives('t', 'secret').parts, { kind: 'text', text: 'q' }] }),
  ).toBe('\nq');
});

it('gives an answer the fingerprints with which the next request quotes it', () => {
  const call = tool('t1', 'read_file', { filePath: '/a' });
  const quoted = fingerprintsOf([says('let me look ', call)]);
  expect(answerFingerprints({ text: 'let me look', toolCalls: [call] })).toEqual(quoted);
  expect(answerFingerprints({ text: '', toolCalls: [] })).toEqual([]);
  expect(answerFingerprints(undefined)).toEqual([]);
});
