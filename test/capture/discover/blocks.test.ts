import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, findAll, forEachBlock } from '../../../src/capture/discover/blocks.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';

describe('passes over a file', () => {
  it('covers every byte, with the overlap twice', () => {
    const size = BLOCK_BYTES * 2 + 100;
    const seen: [number, number][] = [];
    forEachBlock(bytesSource(new Uint8Array(size)), { offset: 0, sizeBytes: size }, 16, (b, at) =>
      seen.push([at, b.length]),
    );
    expect(seen).toEqual([
      [0, BLOCK_BYTES],
      [BLOCK_BYTES - 16, BLOCK_BYTES],
      [2 * (BLOCK_BYTES - 16), 132],
    ]);
  });

  it('ends where a cut file ends', () => {
    const seen: number[] = [];
    forEachBlock(bytesSource(new Uint8Array(10)), { offset: 4, sizeBytes: 10 * BLOCK_BYTES }, 0, (b) =>
      seen.push(b.length),
    );
    expect(seen).toEqual([6]);
  });

  it('finds each occurrence once, also across a boundary, and stops at the limit', () => {
    const bytes = new Uint8Array(BLOCK_BYTES + 50);
    for (const at of [5, BLOCK_BYTES - 3, BLOCK_BYTES + 40]) bytes.set(Buffer.from('needle'), at);
    const extent = { offset: 0, sizeBytes: bytes.length };
    const needles = [Buffer.from('needle'), Buffer.from('dl')];
    const found = findAll(bytesSource(bytes), extent, needles, 100).filter((o) => o.needle === 0);
    expect(found.map((o) => o.at).sort((a, b) => a - b)).toEqual([5, BLOCK_BYTES - 3, BLOCK_BYTES + 40]);
    expect(findAll(bytesSource(bytes), extent, needles, 2)).toHaveLength(2);
  });
});
