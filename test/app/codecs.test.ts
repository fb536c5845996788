import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { provideCodecs } from '../../src/app/codecs.ts';
import { ContentDecoder } from '../../src/bytes/index.ts';

test('brotli bodies are decodable once the codecs were provided', () => {
  provideCodecs();
  const parts: Uint8Array[] = [];
  const decoder = new ContentDecoder(['br'], (bytes) => {
    parts.push(bytes.slice());
  });
  decoder.push(new Uint8Array(brotliCompressSync('hello hello hello')));
  decoder.end();
  expect(Buffer.concat(parts).toString()).toBe('hello hello hello');
});
