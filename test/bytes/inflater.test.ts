import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Inflater } from '../../src/bytes/inflater.ts';

const inflate = (parts: readonly Uint8Array[]): { out: Buffer; inflater: Inflater; rest: number } => {
  const out: Buffer[] = [];
  const inflater = new Inflater((bytes) => {
    out.push(Buffer.from(bytes));
    return true;
  });
  let rest = 0;
  for (const part of parts) rest = part.length - inflater.push(part);
  return { out: Buffer.concat(out), inflater, rest };
};

const words = (count: number): Buffer => {
  const parts: string[] = [];
  for (let index = 0; index < count; index++) parts.push(`${(index * 7919) % 104729} lorem ipsum ${index % 97}\n`);
  return Buffer.from(parts.join(''));
};

describe('Inflater', () => {
  it.each([
    ['stored blocks', 0, words(9000)],
    ['fast dynamic blocks', 1, words(20000)],
    ['best dynamic blocks', 9, words(60000)],
    ['a fixed block', 9, Buffer.from('hello')],
    ['nothing', 9, Buffer.alloc(0)],
    ['long runs', 9, Buffer.alloc(400_000, 'ab')],
  ])('decodes %s made by zlib', (_, level, text) => {
    const { out, inflater, rest } = inflate([deflateRawSync(text, { level })]);
    expect(out.equals(text)).toBe(true);
    expect(inflater.isDone).toBe(true);
    expect(rest).toBe(0);
  });

  it('says where the stream ended and leaves the bytes behind it alone', () => {
    const coded = deflateRawSync(words(50));
    const { inflater, rest } = inflate([Buffer.concat([coded, Buffer.from('trailing bytes')])]);
    expect(inflater.isDone).toBe(true);
    expect(rest).toBe(14);
  });

  it('gives the same bytes however the input is cut', () => {
    const text = words(300);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (level, sizes) => {
          const coded = deflateRawSync(text, { level });
          const parts: Uint8Array[] = [];
          for (let at = 0, index = 0; at < coded.length; index++) {
            const size = sizes[index % sizes.length]!;
            parts.push(coded.subarray(at, at + size));
            at += size;
          }
          const { out, inflater } = inflate(parts);
          expect(out.equals(text)).toBe(true);
          expect(inflater.isDone).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never throws and never runs on over damaged data', () => {
    const coded = deflateRawSync(words(200));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(coded.length - 1), fc.nat(255)), { maxLength: 6 }), (edits) => {
        const damaged = Uint8Array.from(coded);
        for (const [at, value] of edits) damaged[at] = value;
        inflate([damaged]);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a reference to before the start', () => {
    // Fixed block: length code 257 (3 bytes), distance code 0 (1 byte), with nothing decoded before.
    const { inflater } = inflate([Uint8Array.of(0x03, 0x02, 0x00)]);
    expect(inflater.isCorrupt).toBe(true);
  });

  it('stops in the middle of a push when the sink says so', () => {
    let given = 0;
    const inflater = new Inflater((bytes) => {
      given += bytes.length;
      return false;
    });
    inflater.push(deflateRawSync(Buffer.alloc(10_000_000)));
    expect(given).toBeLessThanOrEqual(65_794);
  });
});
