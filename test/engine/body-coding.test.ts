import { brotliCompressSync, deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { codingsOf, contentTypeOf } from '../../src/engine/body-coding.ts';
import { loadBrotli } from '../kit/brotli.ts';

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

describe('codings without a mark, where fields may be missing', () => {
  const of = (bytes: Uint8Array) => codingsOf({ headers: [], isComplete: false }, Uint8Array.from(bytes));
  const EVENTS = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","role":"assistant"}}\n\n';
  beforeAll(loadBrotli);

  it('are found by what they decode to', () => {
    expect(of(brotliCompressSync(EVENTS))).toEqual(['br']);
    expect(of(deflateSync(`  {"id": 1, "text": "${'x'.repeat(100)}"}`))).toEqual(['deflate']);
  });

  it('are not assumed: bytes that decode to something else, or not at all, stay as they are', () => {
    expect(of(brotliCompressSync(Buffer.alloc(400, 7)))).toEqual([]);
    expect(of(Uint8Array.from({ length: 2000 }, (_, at) => (at * 7919) % 251))).toEqual([]);
    expect(of(Buffer.from('{"plain": "text ü"}'))).toEqual([]);
  });

  it('wait for more bytes while too few have come', () => {
    expect(of(brotliCompressSync(EVENTS).subarray(0, 4))).toBeUndefined();
    expect(of(Uint8Array.of(0x1f))).toBeUndefined();
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
