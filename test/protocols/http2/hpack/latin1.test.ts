import { expect, test } from 'vitest';
import { latin1 } from '../../../../src/protocols/http2/hpack/latin1.ts';

test('every octet is one character, in long texts too', () => {
  const bytes = Uint8Array.from({ length: 10_000 }, (_, n) => n & 0xff);
  expect(latin1(bytes, 0, bytes.length)).toBe(Buffer.from(bytes).toString('latin1'));
  expect(latin1(bytes, 97, 100)).toBe('abc');
  expect(latin1(bytes, 5, 5)).toBe('');
});
