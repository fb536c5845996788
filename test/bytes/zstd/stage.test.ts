import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createZstdStage } from '../../../src/bytes/zstd/stage.ts';
import { HANG_MS } from '../../kit/hang.ts';

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../vectors/zstd/${name}`, import.meta.url)));

function decode(bytes: Uint8Array): { out: Buffer; code: string | undefined } {
  const out: Buffer[] = [];
  const stage = createZstdStage((piece) => {
    out.push(Buffer.from(piece));
    return true;
  });
  const error = stage.push(bytes) ?? stage.end();
  stage.close();
  return { out: Buffer.concat(out), code: error?.code };
}

describe('zstd', () => {
  const plain = decode(fixture('sse-60000.zst')).out;

  it.each(['sse-60000-ultra.zst', 'sse-60000-fast.zst'])(
    'gives the same text from %s as from the default level',
    (name) => {
      const { out, code } = decode(fixture(name));
      expect(code).toBeUndefined();
      expect(out.equals(plain)).toBe(true);
      expect(plain.subarray(0, 38).toString()).toBe('data: {"id":0,"text":"token 0 of the a');
    },
  );

  it('decodes runs', () => {
    const { out, code } = decode(fixture('zeros-3000000.zst'));
    expect(code).toBeUndefined();
    expect(out.equals(Buffer.alloc(3_000_000))).toBe(true);
  });

  it('passes over skippable frames', () => {
    const skippable = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9);
    const wire = Buffer.concat([skippable, fixture('hello.zst'), skippable]);
    expect(decode(wire)).toEqual({ out: Buffer.from('hello zstd'), code: undefined });
  });

  it('refuses a frame that needs a dictionary', () => {
    expect(decode(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 5)).code).toBe('body.corrupt');
  });

  it('is done with damaged data soon', () => {
    const coded = fixture('sse-60000.zst');
    const edits = fc.array(fc.tuple(fc.nat(coded.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(edits, (changes) => {
        const damaged = Uint8Array.from(coded);
        for (const [at, value] of changes) damaged[at] = value;
        const started = performance.now();
        decode(damaged);
        expect(performance.now() - started).toBeLessThan(HANG_MS);
      }),
      { numRuns: Number(process.env['TRACER_FUZZ_CASES'] ?? 200) },
    );
  });
});
