import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createGzipStage, GZIP_HEAD_LIMIT_BYTES } from '../../src/bytes/gzip.ts';

const ignore = (): boolean => true;

describe('gzip', () => {
  it('reads every optional part of a head, cut at every byte', () => {
    const plain = gzipSync('text');
    const head = Buffer.from(plain.subarray(0, 10));
    head[3] = 2 | 4 | 8 | 16;
    const wire = Buffer.concat([
      head,
      Buffer.from([3, 0, 1, 2, 3]),
      Buffer.from('name\0comment\0'),
      Buffer.from([0, 0]),
      plain.subarray(10),
    ]);
    for (let at = 0; at <= wire.length; at++) {
      let text = '';
      const stage = createGzipStage((bytes) => {
        text += Buffer.from(bytes).toString();
        return true;
      });
      expect(stage.push(wire.subarray(0, at)) ?? stage.push(wire.subarray(at)) ?? stage.end()).toBeUndefined();
      expect(text).toBe('text');
    }
  });

  it('refuses what is no gzip and a head without end', () => {
    expect(createGzipStage(ignore).push(Buffer.from('{"plain":1}'))?.code).toBe('body.corrupt');
    const endless = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
      Buffer.alloc(GZIP_HEAD_LIMIT_BYTES, 'x'),
    ]);
    expect(createGzipStage(ignore).push(endless)?.code).toBe('body.corrupt');
  });
});
