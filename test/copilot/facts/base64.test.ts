import { expect, it } from 'vitest';
import { base64Text } from '../../../src/copilot/facts/base64.ts';

it('decodes both alphabets, with and without padding', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'Grüße ✓ 🙂', '???>>>']) {
    expect(base64Text(Buffer.from(text).toString('base64'))).toBe(text);
    expect(base64Text(Buffer.from(text).toString('base64url'))).toBe(text);
  }
});

it('refuses what is not base64 and what is no text', () => {
  expect(base64Text('not base64!')).toBeUndefined();
  expect(base64Text('a=b=')).toBeUndefined();
  expect(base64Text(Buffer.from([0xff, 0xfe]).toString('base64'))).toBeUndefined();
});
