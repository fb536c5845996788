import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressText, parseAddress } from '../../src/record/address.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

test.each([
  ['7f000001', 443, '127.0.0.1:443'],
  ['20010db8000000000000000000000001', 443, '[2001:db8::1]:443'],
  ['20010db8000000010000000000000001', 1, '[2001:db8:0:1::1]:1'],
  ['00000000000000000000000000000001', 80, '[::1]:80'],
  ['00000000000000000000000000000000', 0, '[::]:0'],
  ['20010db8000100010001000100010000', 8, '[2001:db8:1:1:1:1:1:0]:8'],
  ['fe800000000000000000000000000000', 9, '[fe80::]:9'],
  ['00000000000000000000ffff7f000001', 443, '127.0.0.1:443'],
])('%s port %i is %s (RFC 5952)', (hex, port, text) => {
  expect(addressText(bytes(hex), port)).toBe(text);
});

test('what is written reads as the same address', () => {
  const address = fc.tuple(
    fc.oneof(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      // Groups of zero are what makes it hard.
      fc
        .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 })
        .map((groups) => Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))),
    ),
    fc.integer({ min: 0, max: 0xffff }),
  );
  fc.assert(
    fc.property(address, ([value, port]) => {
      const text = addressText(value, port);
      const read = parseAddress(text);
      expect(read === null ? null : addressText(read.bytes, read.port)).toBe(text);
    }),
  );
});

test('other text is no address', () => {
  expect(parseAddress('')).toBeNull();
  expect(parseAddress('example.com:443')).toBeNull();
  expect(parseAddress('1.2.3.4')).toBeNull();
});
