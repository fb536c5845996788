import { describe, expect, it } from 'vitest';
import { buildTable } from '../../src/bytes/huffman.ts';

describe('buildTable', () => {
  it('builds the example of RFC 1951 §3.2.2: A to H with lengths 3,3,3,3,3,2,4,4', () => {
    const table = buildTable(Uint8Array.of(3, 3, 3, 3, 3, 2, 4, 4));
    expect(table?.maxBits).toBe(4);
    // F is 00; A is 010, in stream order 0,1,0; H is 1111.
    expect(table?.entries[0b0000]).toBe((5 << 4) | 2);
    expect(table?.entries[0b0010]).toBe((0 << 4) | 3);
    expect(table?.entries[0b1111]).toBe((7 << 4) | 4);
  });

  it('refuses more codes than there are and allows fewer', () => {
    expect(buildTable(Uint8Array.of(1, 1, 1))).toBeUndefined();
    expect(buildTable(Uint8Array.of(1))?.entries[1]).toBe(0);
  });
});
