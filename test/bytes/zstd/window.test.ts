import { describe, expect, it } from 'vitest';
import { ZstdDamage } from '../../../src/bytes/zstd/bits.ts';
import { Window } from '../../../src/bytes/zstd/window.ts';

function frameWindow(sizeBytes: number): Window {
  const window = new Window();
  window.begin(sizeBytes);
  return window;
}

const text = (window: Window): string => Buffer.from(window.block()).toString();

describe('Window', () => {
  it('copies matches, overlapping ones too, and keeps the repeat offsets of RFC 8878 §3.1.1.5', () => {
    const window = frameWindow(1024);
    window.beginBlock();
    window.append(Buffer.from('abcde'));
    window.match(3 + 2, 4, true);
    expect(text(window)).toBe('abcdedede');
    window.match(1, 2, true);
    expect(text(window)).toBe('abcdededede');
    window.match(2, 1, true);
    expect(text(window)).toBe('abcdedededee');
    window.match(1, 3, false);
    expect(text(window)).toBe('abcdedededeeeee');
  });

  it('refuses a match before the start and a block over 128 KiB', () => {
    const window = frameWindow(1024);
    window.beginBlock();
    window.append(Buffer.from('ab'));
    expect(() => window.match(3 + 5, 1, true)).toThrow(ZstdDamage);
    expect(() => window.fill(0, 128 * 1024)).toThrow(ZstdDamage);
  });

  it('keeps its window across many blocks', () => {
    const window = frameWindow(100_000);
    for (let block = 0; block < 40; block++) {
      window.beginBlock();
      window.fill(block, 100_000);
      window.match(3 + 100_000, 1, true);
      expect(window.block().at(-1)).toBe(block);
    }
  });

  it('forgets everything when another frame begins', () => {
    const window = frameWindow(1024);
    window.beginBlock();
    window.append(Buffer.from('abcdef'));
    window.match(3 + 5, 2, true);
    window.begin(2048);
    window.beginBlock();
    expect(() => window.match(3 + 1, 1, true)).toThrow(ZstdDamage);
    window.append(Buffer.from('xyz'));
    window.match(1, 3, true);
    expect(text(window)).toBe('xyzzzz');
  });
});
