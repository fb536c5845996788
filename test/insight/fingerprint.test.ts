import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonPrefix, fingerprintsOf, fingerprintText, textOfMessage } from '../../src/insight/fingerprint.ts';
import type { LlmRequest, Message } from '../../src/model/index.ts';
import { gives, system, user } from './calls.ts';

const request = (...messages: Message[]): LlmRequest => ({
  dialect: '',
  model: null,
  stream: true,
  messages,
  tools: [],
  parameters: {},
});

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

it('leaves out the system text, cache marks and the size of opaque data', () => {
  const plain = request(system('a'), user('q'), {
    role: 'assistant',
    parts: [{ kind: 'thinking', text: 't', opaqueBytes: 3 }],
  });
  const marked = request(
    system('b'),
    { role: 'user', cached: true, parts: [{ kind: 'text', text: 'q', cached: true }] },
    { role: 'assistant', parts: [{ kind: 'thinking', text: 't', opaqueBytes: 9 }] },
  );
  expect(fingerprintsOf(plain)).toEqual(fingerprintsOf(marked));
  expect(fingerprintsOf(plain)).toHaveLength(2);
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
