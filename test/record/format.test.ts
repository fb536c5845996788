import { expect, it } from 'vitest';
import { BLOCK_TARGET_BYTES, FRAME_HEAD_BYTES, MAGIC, MAX_FRAME_BYTES } from '../../src/record/format.ts';
import { MAX_CHUNK_BYTES, RECORD_LAYOUT } from '../../src/record/index.ts';

it('lets a full block with one more record of any kind through a reader', () => {
  const framing = 64;
  const mostArguments = 6 * 1024 * 1024;
  const largest = Math.max(MAX_CHUNK_BYTES + RECORD_LAYOUT.sizeBytes, mostArguments);
  expect(BLOCK_TARGET_BYTES + largest + framing).toBeLessThanOrEqual(MAX_FRAME_BYTES);
});

it('has the numbers that docs/recording.md gives', () => {
  expect([MAGIC.length, FRAME_HEAD_BYTES, BLOCK_TARGET_BYTES, MAX_FRAME_BYTES]).toEqual([8, 8, 262_144, 8_388_608]);
});
