import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32 } from '../../src/record/crc32.ts';

it('gives the check value of CRC-32/ISO-HDLC', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
});

it('agrees with zlib at every length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(crc32(bytes)).toBe(zlibCrc32(bytes));
      const half = bytes.length >> 1;
      expect(crc32(bytes.subarray(half), crc32(bytes.subarray(0, half)))).toBe(zlibCrc32(bytes));
    }),
  );
});
