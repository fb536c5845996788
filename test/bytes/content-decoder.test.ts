import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  BOMB_FREE_BYTES,
  CONNECTION_FREE_BYTES,
  ContentDecoder,
  codingNames,
} from '../../src/bytes/content-decoder.ts';
import { loadBrotli } from '../kit/brotli.ts';

const RUNS = Number(process.env['TRACER_FUZZ_CASES'] ?? 60);
const zstd = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../vectors/zstd/${name}`, import.meta.url)));

/** The text of the zstd fixture: lines as an LLM stream has them. */
const text = Buffer.from(
  Array.from(
    { length: 3000 },
    (_, i) => `data: {"id":${i},"text":"token ${(i * 7919) % 104729} of the answer","n":${i % 97}}\n\n`,
  ).join(''),
).subarray(0, 60_000);

interface Outcome {
  readonly out: Buffer;
  readonly code: string | undefined;
}

function decode(codings: readonly string[], parts: readonly Uint8Array[]): Outcome {
  const out: Buffer[] = [];
  const decoder = new ContentDecoder(codings, (bytes) => out.push(Buffer.from(bytes)));
  for (const part of parts) decoder.push(part);
  decoder.end();
  return { out: Buffer.concat(out), code: decoder.error?.code };
}

function cutInto(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length]!;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

beforeAll(loadBrotli);

const codings: [name: string, codings: string[], coded: () => Buffer][] = [
  ['identity', [], () => text],
  ['gzip', ['gzip'], () => gzipSync(text)],
  ['gzip with a name in its head', ['gzip'], () => withName(gzipSync(text))],
  [
    'gzip of several members',
    ['gzip'],
    () => Buffer.concat([gzipSync(text.subarray(0, 9)), gzipSync(text.subarray(9))]),
  ],
  ['gzip with padding behind it', ['gzip'], () => Buffer.concat([gzipSync(text), Buffer.alloc(7)])],
  ['deflate in zlib format', ['deflate'], () => deflateSync(text)],
  ['deflate without zlib head', ['deflate'], () => deflateRawSync(text)],
  ['br', ['br'], () => brotliCompressSync(text)],
  ['zstd', ['zstd'], () => zstd('sse-60000.zst')],
  ['gzip, then br', ['gzip', 'br'], () => brotliCompressSync(gzipSync(text))],
  ['br, then gzip', ['br', 'gzip'], () => gzipSync(brotliCompressSync(text))],
];

function withName(gz: Buffer): Buffer {
  const head = Buffer.from(gz.subarray(0, 10));
  head[3] = 8;
  return Buffer.concat([head, Buffer.from('body.json\0'), gz.subarray(10)]);
}

describe('ContentDecoder', () => {
  it.each(codings)('decodes %s byte for byte, however it is cut', (_, names, coded) => {
    const bytes = coded();
    expect(decode(names, [bytes])).toEqual({ out: text, code: undefined });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const { out, code } = decode(names, cutInto(bytes, sizes));
        expect(code).toBeUndefined();
        expect(out.equals(text)).toBe(true);
      }),
      { numRuns: Math.min(RUNS, 25) },
    );
  });

  it.each(codings.slice(1))('decodes %s cut into single bytes', (_, names, coded) => {
    expect(decode(names, cutInto(coded(), [1])).out.equals(text)).toBe(true);
  });

  it.each(codings.filter(([, names]) => names.length > 0))(
    'gives what it can of a cut %s body and says that it was cut',
    (name, names, coded) => {
      const bytes = coded();
      const cut = name.includes('padding') ? 1000 : Math.floor(bytes.length * 0.6);
      const { out, code } = decode(names, [bytes.subarray(0, cut)]);
      expect(code).toBe('body.truncated');
      expect(out.equals(text.subarray(0, out.length))).toBe(true);
      if (names.length === 1 && name !== 'zstd') expect(out.length).toBeGreaterThan(1000);
    },
  );

  it.each(codings.filter(([, names]) => names.length > 0))(
    'turns damage of %s into a value, never a throw',
    (_, names, coded) => {
      const bytes = coded();
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
          (edits) => {
            const damaged = Uint8Array.from(bytes);
            for (const [at, value] of edits) damaged[at] = value;
            decode(names, [damaged]);
          },
        ),
        { numRuns: RUNS },
      );
    },
  );

  it('shows flushed gzip text at once', async () => {
    const gzip = createGzip();
    const seen: string[] = [];
    const decoder = new ContentDecoder(['gzip'], (bytes) => seen.push(Buffer.from(bytes).toString()));
    for (const event of ['data: one\n\n', 'data: two\n\n']) {
      const pieces: Buffer[] = [];
      const collect = (piece: Buffer): unknown => pieces.push(piece);
      gzip.on('data', collect);
      gzip.write(event);
      await new Promise<void>((done) => gzip.flush(constants.Z_SYNC_FLUSH, done));
      gzip.off('data', collect);
      decoder.push(Buffer.concat(pieces));
      expect(seen.join('')).toContain(event);
    }
  });

  it.each([
    ['gzip', () => gzipSync(Buffer.alloc(40_000_000))],
    ['deflate', () => deflateSync(Buffer.alloc(40_000_000))],
    ['br', () => brotliCompressSync(Buffer.alloc(40_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
    ['zstd', () => zstd('bomb-40000000.zst')],
  ])('stops a %s bomb near the free size', (coding, coded) => {
    let given = 0;
    const decoder = new ContentDecoder([coding], (bytes) => {
      given += bytes.length;
    });
    decoder.push(coded());
    decoder.end();
    expect(decoder.error?.code).toBe('body.bomb');
    expect(given).toBeLessThanOrEqual(BOMB_FREE_BYTES);
  });

  it('stops a stacked bomb', () => {
    const coded = gzipSync(gzipSync(Buffer.alloc(100_000_000), { level: 9 }), { level: 9 });
    expect(decode(['gzip', 'gzip'], [coded]).code).toBe('body.bomb');
  });

  it('stops a stacked bomb whose size lies between the codings and gives nothing in the end', () => {
    // Empty stored blocks (RFC 1951 §3.2.4): five octets each, none of them data.
    const empty = Buffer.alloc(40_000_000, Uint8Array.of(0, 0, 0, 0xff, 0xff));
    const twice = deflateRawSync(deflateRawSync(empty, { level: 9 }), { level: 9 });
    const { out, code } = decode(['deflate', 'deflate', 'deflate'], [twice]);
    expect([out.length, code]).toEqual([0, 'body.bomb']);
  });

  it('counts the bodies of one connection together', () => {
    const totals = { codedBytes: 0, decodedBytes: 0 };
    const small = gzipSync(Buffer.alloc(BOMB_FREE_BYTES), { level: 9 });
    const codes = Array.from({ length: 12 }, () => {
      const decoder = new ContentDecoder(['gzip'], () => undefined, totals);
      decoder.push(small);
      decoder.end();
      return decoder.error?.code;
    });
    const honest = CONNECTION_FREE_BYTES / BOMB_FREE_BYTES;
    expect(codes).toEqual([...Array(honest).fill(undefined), ...Array(12 - honest).fill('body.bomb')]);
    expect(totals.decodedBytes).toBeLessThan(CONNECTION_FREE_BYTES + (1 << 20));
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('stops decoding %s when told to, even from inside', (coding) => {
    const coded = {
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: () => zstd('bomb-40000000.zst'),
    };
    let pieces = 0;
    const decoder: ContentDecoder = new ContentDecoder([coding], () => {
      pieces++;
      decoder.stop();
    });
    decoder.push(coded[coding as keyof typeof coded](Buffer.alloc(1_000_000)));
    decoder.push(Uint8Array.of(1, 2, 3));
    expect([pieces, decoder.error]).toEqual([1, undefined]);
  });

  it('lets a large honest body through', () => {
    const large = Buffer.concat(Array.from({ length: 400 }, () => text));
    const { out, code } = decode(['gzip'], [gzipSync(large, { level: 1 })]);
    expect(code).toBeUndefined();
    expect(out.length).toBe(24_000_000);
  });

  it.each([
    ['a small frame', 'hello.zst', 'hello zstd'],
    ['two frames', 'two-frames.zst', 'first frame, second frame'],
  ])('decodes zstd: %s', (_, name, expected) => {
    expect(decode(['zstd'], [zstd(name)])).toEqual({ out: Buffer.from(expected), code: undefined });
    expect(decode(['zstd'], cutInto(zstd(name), [1])).out.toString()).toBe(expected);
  });

  it('refuses a zstd window over 8 MiB', () => {
    const head = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0, 0, 0, 0);
    expect(decode(['zstd'], [head])).toMatchObject({ code: 'body.corrupt' });
  });

  it('reports a wrong gzip checksum after giving the data', () => {
    const coded = gzipSync('checked');
    coded[coded.length - 5]! ^= 1;
    expect(decode(['gzip'], [coded])).toEqual({ out: Buffer.from('checked'), code: 'body.corrupt' });
  });

  it('names a coding that it does not know', () => {
    expect(decode(['compress'], [text])).toMatchObject({ code: 'body.unsupported-coding' });
    expect(decode(['gzip', 'gzip', 'gzip', 'gzip', 'gzip'], [text])).toMatchObject({ code: 'body.unsupported-coding' });
  });

  it('says nothing about an empty body', () => {
    expect(decode(['gzip'], [])).toEqual({ out: Buffer.alloc(0), code: undefined });
  });
});

describe('codingNames', () => {
  it('reads names in order, lower-cased, without identity', () => {
    expect(codingNames(' GZIP , identity,br ')).toEqual(['gzip', 'br']);
    expect(codingNames('')).toEqual([]);
  });
});
