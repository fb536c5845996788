import { describe, expect, it } from 'vitest';
import { latin1, lenientUtf8, strictUtf8 } from '../../src/bytes/text.ts';

describe('text', () => {
  it('reads Latin-1 byte for byte, also where Windows-1252 differs, and of any length', () => {
    expect(latin1(Uint8Array.of(0x41, 0x80, 0xff))).toBe('A\u0080\u00ff');
    expect(latin1(new Uint8Array(10_000).fill(0x61))).toBe('a'.repeat(10_000));
  });

  it('refuses damaged UTF-8 where it must be right and replaces it where the format says so', () => {
    expect(strictUtf8(Uint8Array.of(0xc3))).toBeUndefined();
    expect(strictUtf8(Uint8Array.of(0xc3, 0xa4))).toBe('ä');
    expect(lenientUtf8(Uint8Array.of(0x61, 0xc3))).toBe('a\ufffd');
  });
});
