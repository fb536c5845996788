import { describe, expect, it } from 'vitest';
import { Crc32 } from '../../src/bytes/crc32.ts';
import { bytesOf } from '../kit/records.ts';

describe('Crc32', () => {
  it('gives the check value of the standard, cut anywhere', () => {
    const digits = bytesOf('123456789');
    for (let at = 0; at <= digits.length; at++) {
      const crc = new Crc32();
      crc.update(digits.subarray(0, at));
      crc.update(digits.subarray(at));
      expect(crc.value).toBe(0xcbf43926);
    }
  });

  it('starts anew', () => {
    const crc = new Crc32();
    crc.update(bytesOf('x'));
    crc.reset();
    expect(crc.value).toBe(0);
  });
});
