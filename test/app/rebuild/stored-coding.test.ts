import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedCoder } from '../../../src/app/rebuild/stored-coding.ts';
import { ContentDecoder } from '../../../src/bytes/index.ts';

/** What the tracer itself makes of coded bytes. */
function decoded(coding: string, coded: Uint8Array): Buffer {
  const out: Uint8Array[] = [];
  const decoder = new ContentDecoder([coding], (bytes) => out.push(bytes.slice()));
  decoder.push(coded);
  decoder.end();
  expect(decoder.error).toBeUndefined();
  return Buffer.concat(out);
}

const REFERENCE: Readonly<Record<string, (coded: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: (coded) => decoded('zstd', coded),
};

const coded = (coding: string, parts: readonly Uint8Array[]): Buffer => {
  const coder = storedCoder(coding);
  if (coder === null) throw new Error(coding);
  return Buffer.concat([...parts.map((part) => coder.push(part)), coder.end()]);
};

it.each(Object.keys(REFERENCE))('%s: any pieces decode to themselves', (coding) => {
  const property = fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (parts) => {
    expect(Buffer.from(REFERENCE[coding]!(coded(coding, parts))).equals(Buffer.concat(parts))).toBe(true);
  });
  fc.assert(property, { numRuns: 50 });
});

it.each(Object.keys(REFERENCE))('%s: bodies longer than one block', (coding) => {
  const body = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) & 0xff);
  expect(Buffer.from(REFERENCE[coding]!(coded(coding, [body]))).equals(Buffer.from(body))).toBe(true);
});

it('knows no other coding, and not several at once', () => {
  expect([storedCoder('compress'), storedCoder('gzip, br'), storedCoder('')]).toEqual([null, null, null]);
});
