import { describe, expect, it } from 'vitest';
import { findMethodFree } from '../../../../src/capture/discover/openssl/find-method-free.ts';
import { LAYOUTS } from '../../../../src/capture/discover/openssl/layouts.ts';
import { CODE_ADDRESS, tinyImage } from '../tiny-elf.ts';

const [LAYOUT] = LAYOUTS;

/** Method tables of 14 functions each; function n of table t is at `at(t, n)`. */
function find(tables: number, at: (table: number, slot: number) => number, version = 0x10000) {
  const words = Array.from({ length: tables }, (_, t) => [
    version,
    0,
    ...Array.from({ length: 14 }, (_, n) => at(t, n)),
    0,
  ]);
  const data = new Uint8Array(BigUint64Array.from(words.flat().map(BigInt)).buffer);
  return findMethodFree(tinyImage({ code: new Uint8Array(0x400), data }), LAYOUT!);
}

const shared = (_: number, slot: number): number => CODE_ADDRESS + slot * 16;

describe('ssl_free in the method tables', () => {
  it('is what all tables for any TLS version share', () => {
    expect(find(3, shared)).toBe(CODE_ADDRESS + 2 * 16);
    // Client and server differ in ssl_connect and ssl_accept.
    expect(find(3, (t, n) => (n === 3 ? CODE_ADDRESS + 0x200 + t * 16 : shared(t, n)))).toBe(CODE_ADDRESS + 2 * 16);
  });

  it('is not hidden by a stray table', () => {
    expect(find(4, (t, n) => (t === 1 ? CODE_ADDRESS + 1 + n : shared(t, n)))).toBe(CODE_ADDRESS + 2 * 16);
  });

  it.each([
    ['two groups of tables fit', find(4, (t, n) => shared(t, n) + (t % 2) * 8)],
    ['the tables do not agree', find(3, (t, n) => shared(t, n) + t * 8)],
    ['there is only one', find(1, shared)],
    ['a slot holds no code', find(3, (t, n) => (n === 9 ? 0 : shared(t, n)))],
    ['they are of another version (DTLS)', find(3, shared, 0x1ffff)],
  ])('is unknown when %s', (_, found) => {
    expect(found).toBeUndefined();
  });
});
