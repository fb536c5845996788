import { describe, expect, it } from 'vitest';
import { BackwardBits, ForwardBits, ZstdDamage } from '../../../src/bytes/zstd/bits.ts';

describe('bit readers', () => {
  it('reads forward from the lowest bit', () => {
    const bits = new ForwardBits(Uint8Array.of(0b1010_0110, 0b1), 0);
    expect([bits.read(3), bits.read(5), bits.read(1)]).toEqual([0b110, 0b10100, 1]);
    expect(bits.byteAt).toBe(2);
  });

  it('reads backward from below the end mark and counts what is left', () => {
    const bits = new BackwardBits(Uint8Array.of(0xcd, 0b0001_0110));
    expect(bits.left).toBe(12);
    expect([bits.read(4), bits.read(8), bits.left]).toEqual([0b0110, 0xcd, 0]);
    expect(bits.read(2)).toBe(0);
    expect(bits.left).toBe(-2);
  });

  it('gives zeros below the last bit when asked for more than there is', () => {
    const bits = new BackwardBits(Uint8Array.of(0b0000_0111));
    expect(bits.peek(4)).toBe(0b1100);
  });

  it('refuses a stream without end mark', () => {
    expect(() => new BackwardBits(Uint8Array.of(1, 0))).toThrow(ZstdDamage);
  });
});
