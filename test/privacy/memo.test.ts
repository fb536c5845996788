import { expect, it } from 'vitest';
import { createMemo } from '../../src/privacy/memo.ts';

function counting(): { memo: (text: string) => string; searched: () => number } {
  let searched = 0;
  const memo = createMemo((text) => {
    searched++;
    return text.replace('secret', '');
  });
  return { memo, searched: () => searched };
}

it('searches a long text once, however often it comes', () => {
  const { memo, searched } = counting();
  for (let i = 0; i < 3; i++) expect(memo(`${'x'.repeat(300)}secret`)).toBe('x'.repeat(300));
  expect(searched()).toBe(1);
});

it('takes no two texts for the same', () => {
  const { memo } = counting();
  const texts = ['a', 'b'].map((end) => 'x'.repeat(20_000) + end);
  expect(texts.map(memo)).toEqual(texts);
});

it('forgets what did not come again, and stays right', () => {
  const { memo, searched } = counting();
  const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(3_000_000));
  for (const text of [...texts, ...texts]) expect(memo(text) === text).toBe(true);
  expect(searched()).toBe(16);
});

it('keeps what comes again and again, whatever else passes', () => {
  const { memo, searched } = counting();
  const often = 'often'.repeat(600_000);
  for (let i = 0; i < 8; i++) {
    memo(String(i).repeat(3_000_000));
    expect(memo(often) === often).toBe(true);
  }
  expect(searched()).toBe(9);
});

it('searches a text that is too large to keep every time', () => {
  const { memo, searched } = counting();
  const large = 'x'.repeat(9_000_000);
  expect([memo(large) === large, memo(large) === large, searched()]).toEqual([true, true, 2]);
});
