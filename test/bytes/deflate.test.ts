import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createDeflateStage } from '../../src/bytes/deflate.ts';

describe('deflate', () => {
  it.each([
    ['zlib format', deflateSync('some text')],
    ['bare DEFLATE', deflateRawSync('some text')],
  ])('tells %s by its first two bytes, cut at every byte', (_, wire) => {
    for (let at = 0; at <= wire.length; at++) {
      let text = '';
      const stage = createDeflateStage((bytes) => {
        text += Buffer.from(bytes).toString();
        return true;
      });
      expect(stage.push(wire.subarray(0, at)) ?? stage.push(wire.subarray(at)) ?? stage.end()).toBeUndefined();
      expect(text).toBe('some text');
    }
  });
});
