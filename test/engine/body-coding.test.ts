import { describe, expect, it } from 'vitest';
import { codingsOf, contentTypeOf } from '../../src/engine/body-coding.ts';

const GZIP = Uint8Array.of(0x1f, 0x8b, 0x08, 0);
const NONE = new Uint8Array(0);

describe('codingsOf', () => {
  it('takes content codings, then transfer codings other than chunked', () => {
    const headers = [
      ['content-encoding', 'br'],
      ['transfer-encoding', 'gzip, chunked'],
    ] as const;
    expect(codingsOf({ headers, isComplete: true }, NONE)).toEqual(['br', 'gzip']);
  });

  it('looks at the body only where fields may be missing', () => {
    expect(codingsOf({ headers: [], isComplete: true }, GZIP)).toEqual([]);
    expect(codingsOf({ headers: [], isComplete: false }, GZIP)).toEqual(['gzip']);
    expect(codingsOf(undefined, Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd))).toEqual(['zstd']);
  });
});

describe('contentTypeOf', () => {
  it('recognises an event stream only where fields may be missing', () => {
    expect(contentTypeOf({ headers: [['content-type', 'a/b']], isComplete: false }, 'data: x')).toBe('a/b');
    expect(contentTypeOf({ headers: [], isComplete: true }, 'data: x')).toBeUndefined();
    expect(contentTypeOf(undefined, 'event: x\n')).toBe('text/event-stream');
    expect(contentTypeOf(undefined, '{"data": 1}')).toBeUndefined();
  });
});
