import { describe, expect, it } from 'vitest';
import { Reader } from '../../../src/capture/discover/reader.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';

const BLOCK = 64 * 1024;

describe('small reads', () => {
  const bytes = new Uint8Array(3 * BLOCK);
  bytes.set([1, 2, 3, 4, 5, 6, 7, 0], BLOCK - 4);
  const reader = new Reader(bytesSource(bytes));

  it('reads numbers across the boundary of two blocks', () => {
    expect(reader.u32(BLOCK - 2)).toBe(0x06050403);
    expect(reader.u64(BLOCK - 4)).toBe(0x0007060504030201);
    expect(reader.u16(BLOCK - 1)).toBe(0x0504);
    expect(reader.u8(BLOCK)).toBe(5);
  });

  it.each([-1, 0.5, Number.NaN, 3 * BLOCK - 3, 2 ** 60])('has nothing at %d', (at) => {
    expect(reader.u32(at)).toBeUndefined();
  });

  it('refuses numbers above 2^53', () => {
    const large = new Reader(bytesSource(new Uint8Array(8).fill(0xff)));
    expect(large.u64(0)).toBeUndefined();
    expect(large.i32(0)).toBe(-1);
  });

  it('reads text up to its NUL, and none without', () => {
    const text = new Reader(bytesSource(Buffer.from('SSL_read\0tail')));
    expect(text.text(4)).toBe('read');
    expect(text.text(9)).toBeUndefined();
  });
});
