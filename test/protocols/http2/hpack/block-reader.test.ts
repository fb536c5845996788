import { expect, test } from 'vitest';
import { BlockReader } from '../../../../src/protocols/http2/hpack/block-reader.ts';
import { hex } from '../kit.ts';

test.each([
  ['C.1.1', '0a', 5, 10],
  ['C.1.2', '1f9a0a', 5, 1337],
  ['C.1.3', '2a', 8, 42],
])('RFC 7541 %s: the integer', (_, wire, bits, value) => {
  const reader = new BlockReader(hex(wire));
  expect([reader.takeInteger(bits), reader.at, reader.fault]).toEqual([value, wire.length / 2, undefined]);
});

test.each([
  ['1f', 'block ends in an integer'],
  ['1f8080', 'block ends in an integer'],
  ['1f8080808080', 'integer too long'],
  ['1fffffffff7f', 'integer too large'],
])('the integer %s is refused', (wire, fault) => {
  const reader = new BlockReader(hex(wire));
  expect([reader.takeInteger(5), reader.fault, reader.hasMore]).toEqual([-1, fault, false]);
});

test('strings are plain or Huffman, and can be stepped over', () => {
  expect(new BlockReader(hex('03616263')).takeString()).toBe('abc');
  expect(new BlockReader(hex('86a8eb10649cbf')).takeString()).toBe('no-cache');
  expect(new BlockReader(hex('03616263')).skipString()).toBe(true);
  expect(new BlockReader(hex('0361')).skipString()).toBe(false);
});
