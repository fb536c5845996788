import { expect, test } from 'vitest';
import { costOf, costOfMiss, LIST_PRICES, type PriceTable, priceOf, readPrices } from '../../../src/insight/index.ts';

const TABLE: PriceTable = {
  asOf: '2026-01',
  source: 'test',
  prices: [
    { models: ['m*'], input: 1, output: 2 },
    { models: ['m-large*'], input: 10, cached: 1, cacheWrite: 12, output: 20 },
    { models: ['m-large-old'], input: 5, output: 5 },
  ],
};

test('an exact name wins over a pattern, a longer pattern over a shorter one', () => {
  expect(
    ['m-small', 'm-large-2026', 'm-large-old', 'vendor/M-LARGE', 'x'].map((name) => priceOf(TABLE, name)?.input),
  ).toEqual([1, 10, 5, 10, undefined]);
  expect(priceOf(TABLE, null)).toBeUndefined();
});

test('dashes stand for dots in names of models', () => {
  expect(priceOf(LIST_PRICES, 'claude-sonnet-4-5-20250929')?.input).toBe(3);
  expect(priceOf(LIST_PRICES, 'claude-sonnet-4.5')?.input).toBe(3);
  expect(priceOf(LIST_PRICES, 'gpt-4.1')?.input).toBe(2);
});

test('a date in a name does not hide the price, in tables of our own as of others', () => {
  expect(priceOf(LIST_PRICES, 'gpt-4o-2024-08-06')?.input).toBe(2.5);
  expect(priceOf(LIST_PRICES, 'gpt-5-2025-08-07')?.input).toBe(1.25);
});

test('models of one family have their own prices', () => {
  const of = (name: string) => {
    const { input, cached, cacheWrite, output } = priceOf(LIST_PRICES, name) ?? {};
    return [input, cached, cacheWrite, output];
  };
  expect(of('gpt-5.4')).toEqual([2.5, 0.25, undefined, 15]);
  expect(of('gpt-5.4-mini')).toEqual([0.75, 0.075, undefined, 4.5]);
  expect(of('gpt-6.1-sol')).toEqual([2, 0.1, 2.5, 10]);
  expect(of('claude-opus-4-8')).toEqual([5, 0.5, 6.25, 25]);
  expect(of('claude-opus-5-5')).toEqual([4, 0.2, 5, 20]);
  expect(of('claude-sonnet-4.6')).toEqual([3, 0.3, 3.75, 15]);
  expect(of('gemini-3.1-pro-preview')).toEqual([2, 0.2, undefined, 12]);
});

test('every row says when and where it was read', () => {
  for (const { asOf, source, models } of LIST_PRICES.prices) {
    expect([models, asOf, source]).toEqual([models, expect.stringMatching(/^20\d\d-\d\d$/), expect.any(String)]);
  }
});

test('a long prompt is billed whole at the rates for long prompts', () => {
  const price = priceOf(LIST_PRICES, 'gpt-5.4');
  if (price === undefined) throw new Error('no price');
  expect(costOf(price, { input: 272_000, output: 1_000 })).toBeCloseTo(0.68 + 0.015, 10);
  expect(costOf(price, { input: 273_000, cached: 173_000, output: 1_000 })).toBeCloseTo(0.5 + 0.0865 + 0.0225, 10);
});

test('a model that is newer than the table has no price, and none is guessed from an older one', () => {
  expect(priceOf(LIST_PRICES, 'gpt-9')).toBeUndefined();
  expect(priceOf(LIST_PRICES, 'claude-opus-5.6')).toBeUndefined();
  expect(priceOf(LIST_PRICES, 'gpt-5.3-codex-spark')).toBeUndefined();
  expect(priceOf(LIST_PRICES, 'gpt-4o-realtime')).toBeUndefined();
});

test('cached and written tokens have prices of their own, the rest of the input is new', () => {
  const price = priceOf(TABLE, 'm-large');
  if (price === undefined) throw new Error('no price');
  expect(costOf(price, { input: 1_000_000, cached: 500_000, cacheWrite: 100_000, output: 10_000 })).toBeCloseTo(
    4 + 0.5 + 1.2 + 0.2,
    10,
  );
  expect(costOf(price, {})).toBe(0);
  expect(costOfMiss(price, 1_000_000)).toBe(9);
});

test('a price file is read, and what is wrong with it is said', () => {
  const good = { asOf: '2026-10', prices: [{ models: ['a'], input: 1, output: 2, cached: 0.1 }] };
  expect(readPrices(good)).toEqual({
    table: { asOf: '2026-10', source: 'own table', prices: [{ models: ['a'], input: 1, output: 2, cached: 0.1 }] },
  });
  expect(readPrices([]).problem).toBe('expected an object with asOf, source and prices');
  expect(readPrices({ prices: [] }).problem).toBe('asOf is missing: when did these prices hold?');
  expect(readPrices({ asOf: 'x', prices: [] }).problem).toBe('prices is empty or missing');
  expect(readPrices({ asOf: 'x', prices: [{ models: ['a'], input: '1', output: 2 }] }).problem).toBe(
    'prices[0]: input and output must be numbers: dollars per million tokens',
  );
  const long = { above: 200_000, input: 2, output: 3 };
  expect(readPrices({ asOf: 'x', prices: [{ models: ['a'], input: 1, output: 2, long }] }).table?.prices).toEqual([
    { models: ['a'], input: 1, output: 2, long },
  ]);
  for (const wrong of [{ ...long, above: 1_500 }, { ...long, above: -1_000 }, { above: 1_000 }, 'long']) {
    expect(readPrices({ asOf: 'x', prices: [{ models: ['a'], input: 1, output: 2, long: wrong }] }).problem).toBe(
      'prices[0]: long must hold input, output and above, a number of tokens in whole thousands',
    );
  }
  expect(readPrices({ asOf: 'x', prices: [{ input: 1, output: 2 }] }).problem).toBe(
    'prices[0]: models must be a list of names',
  );
});
