import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createBrotliStage } from '../../src/bytes/brotli.ts';
import { loadBrotli } from '../kit/brotli.ts';

describe('brotli', () => {
  it('says that its decoder was not provided, then decodes once it is', () => {
    const wire = brotliCompressSync('some text');
    expect(createBrotliStage(() => true).push(wire)?.code).toBe('body.unsupported-coding');
    loadBrotli();
    let text = '';
    const stage = createBrotliStage((bytes) => {
      text += Buffer.from(bytes).toString();
      return true;
    });
    expect(stage.push(wire) ?? stage.end()).toBeUndefined();
    stage.close();
    expect(text).toBe('some text');
  });
});
