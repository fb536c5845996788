import { expect, it } from 'vitest';
import { createFrameBuffer } from '../../src/record/frame-buffer.ts';

it('hands out bytes that span several chunks, and nothing before they are all there', () => {
  const buffer = createFrameBuffer();
  for (const byte of [1, 2, 3]) {
    buffer.push(Uint8Array.of(byte));
    buffer.settle();
  }
  expect(buffer.peek(4)).toBeNull();
  expect([...(buffer.peek(3) ?? [])]).toEqual([1, 2, 3]);
  buffer.skip(2);
  buffer.push(Uint8Array.of(4, 5));
  expect([...(buffer.peek(3) ?? [])]).toEqual([3, 4, 5]);
});

it('gives a view into the pushed chunk when all lies in it, and lets go of it when settled', () => {
  const buffer = createFrameBuffer();
  const chunk = Uint8Array.of(1, 2, 3, 4);
  buffer.push(chunk);
  expect(buffer.peek(2)?.buffer).toBe(chunk.buffer);
  buffer.skip(2);
  buffer.settle();
  chunk.fill(0);
  expect([...(buffer.peek(2) ?? [])]).toEqual([3, 4]);
  expect(buffer.length()).toBe(2);
});
