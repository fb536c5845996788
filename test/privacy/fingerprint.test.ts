import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createMask } from '../../src/privacy/fingerprint.ts';

it('is the first 32 bits of HMAC-SHA-256 under the key', () => {
  const key = new Uint8Array(32).map((_, i) => i);
  const expected = createHmac('sha256', key).update('gho_sécret').digest('hex').slice(0, 8);
  expect(createMask(key)('gho_sécret', 'github-token')).toBe(`<github-token #${expected}>`);
});

it('stays the same for the same secret, however many others came between', () => {
  const mask = createMask(new Uint8Array(32));
  const first = mask('one', 'secret');
  for (let i = 0; i < 3_000; i++) mask(`other ${i}`, 'secret');
  expect(mask('one', 'secret')).toBe(first);
});
