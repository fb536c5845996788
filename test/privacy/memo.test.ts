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

it('forgets when it holds too much, and stays right', () => {
  const { memo, searched } = counting();
  const texts = Array.from({ length: 5 }, (_, i) => String(i).repeat(9_000_000));
  for (const text of [...texts, ...texts]) expect(memo(text) === text).toBe(true);
  expect(searched()).toBeGreaterThan(5);
});
