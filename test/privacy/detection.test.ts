// Recall and precision of the secret search over the labelled corpus that `node test/bench/detection.mjs` prints.

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createKeptRules } from '../../src/app/kept-rules.ts';
import { createFinder } from '../../src/privacy/index.ts';
import { measure, negatives, positives } from '../bench/detection-corpus.mjs';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

it('finds at least 95 % of the secrets, and at least 95 % of what it finds are secrets', () => {
  const result = measure(createFinder(createKeptRules()), positives(), negatives(MODULES));
  expect(result.secrets).toBeGreaterThanOrEqual(300);
  expect(result.codes).toBe(1_000);
  expect(result.recall, JSON.stringify(result.missed)).toBeGreaterThanOrEqual(0.95);
  expect(result.precision, JSON.stringify(result.wrongInCode)).toBeGreaterThanOrEqual(0.95);
});

it('finds other made-up secrets of the same kinds as well', () => {
  const find = createFinder(createKeptRules());
  const results = [2, 3, 4].map((seed) => measure(find, positives(seed), []));
  expect(results.map(({ recall }) => recall >= 0.95)).toEqual([true, true, true]);
});
