import { describe, expect, test } from 'vitest';
import { KeptBody, redactBody, redactMessages } from '../../src/app/kept-body.ts';
import type { Redactor } from '../../src/privacy/index.ts';

const redactor = { text: (text: string) => text.replaceAll('SECRET', '<x>') } as Redactor;
const session = {
  stamp: () => ({ time: '2026-03-01T14:05:09.042Z', tsNs: '1' }),
  roleOf: () => ({ pid: 1, role: 'x' }),
};
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function bodyOf(parts: readonly (Uint8Array | 'hole')[], limitBytes = 1000) {
  const budget = { leftBytes: 10_000 };
  const kept = new KeptBody(limitBytes, budget);
  for (const part of parts) part === 'hole' ? kept.hole() : kept.add(part);
  const notes: string[] = [];
  const body = redactBody(kept, 'response', redactor, notes);
  kept.release();
  expect(budget.leftBytes).toBe(10_000);
  return { body, notes };
}

describe('a body', () => {
  test('of text is redacted, also where its pieces met', () => {
    expect(bodyOf([bytesOf('a SEC'), bytesOf('RET b')])).toEqual({
      body: { text: 'a <x> b', encoding: 'utf-8' },
      notes: [],
    });
  });

  test('of bytes is base64, or left out when a secret is in it', () => {
    expect(bodyOf([Uint8Array.of(0xff, 0)]).body).toEqual({ text: '/wA=', encoding: 'base64' });
    const { body, notes } = bodyOf([Uint8Array.of(0xff), bytesOf('SECRET')]);
    expect([body, notes]).toEqual([null, ['response body left out: bytes with a secret in them']]);
  });

  test('that is longer than the limit is cut, between characters, and says so', () => {
    const { body, notes } = bodyOf([bytesOf('ab€'), bytesOf('never')], 4);
    expect(body).toEqual({ text: 'ab', encoding: 'utf-8' });
    expect(notes).toEqual(['response body kept to 4 of 10 bytes: limit of an export']);
  });

  test('ends at a hole: nothing is joined across it', () => {
    const { body, notes } = bodyOf([bytesOf('SEC'), 'hole', bytesOf('RET')]);
    expect([body?.text, notes]).toEqual(['SEC', ['response body kept up to a hole at byte 3']]);
  });

  test('that was empty is none', () => {
    expect(bodyOf([])).toEqual({ body: null, notes: [] });
  });

  test('of a stream whose events share a secret is left out', () => {
    for (const text of ['data: "SEC"\n\ndata: "RET"\n\n', '{"a":"SEC"}\n{"a":"RET"}\n', '[{"a":"SEC"},{"a":"RET"}]']) {
      const { body, notes } = bodyOf([bytesOf(text)]);
      expect(body).toBeNull();
      expect(notes[0]).toContain('a secret runs across its events');
    }
  });
});

test('messages of a side that share a secret are left out, the other side stays', () => {
  const notes: string[] = [];
  const message = (side: 'request' | 'response', content: string | Uint8Array) => ({ side, tsNs: 1n, content });
  const messages = [message('response', '"SEC"'), message('request', 'hi SECRET'), message('response', '"RET"')];
  expect(redactMessages(messages, redactor, session, notes)).toEqual([
    { side: 'request', time: 1_772_373_909.042, opcode: 1, data: 'hi <x>' },
  ]);
  expect(notes).toEqual(['response messages left out: a secret runs across them']);
});
