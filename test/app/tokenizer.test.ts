import { expect, test } from 'vitest';
import { createTokenizer } from '../../src/app/tokenizer.ts';
import { HANG_MS } from '../kit/hang.ts';

/** Published examples of OpenAI's cookbook, "How to count tokens with tiktoken". */
test('counts as the public tokenizers do', () => {
  const count = createTokenizer();
  const both = (text: string) => [count(text, 'cl100k_base'), count(text, 'o200k_base')];
  expect(both('antidisestablishmentarianism')).toEqual([6, 6]);
  expect(both('2 + 2 = 4')).toEqual([7, 7]);
  expect(both('お誕生日おめでとう')).toEqual([9, 8]);
  expect(both('')).toEqual([0, 0]);
});

test('text that looks like a control token is ordinary text', () => {
  expect(createTokenizer()('<|endoftext|>', 'o200k_base')).toBeGreaterThan(1);
});

test('a hostile run without any boundary costs no time', () => {
  const begin = performance.now();
  expect(createTokenizer()('x'.repeat(1_000_000), 'o200k_base')).toBeGreaterThan(100_000);
  expect(performance.now() - begin).toBeLessThan(HANG_MS);
});
