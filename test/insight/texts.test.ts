import { expect, it } from 'vitest';
import { copyOf, keptOrNone, TextKeeper } from '../../src/insight/texts.ts';

it('keeps the beginning of a long text and says how long it was', () => {
  const keeper = new TextKeeper({ maxChars: 300, maxTotalChars: 10_000 });
  expect(keeper.keep('short')).toEqual({ text: 'short', chars: 5 });
  const long = keeper.keep('x'.repeat(1000));
  expect([long.text.length, long.chars]).toEqual([300, 1000]);
});

it('still keeps beginnings when the total is spent', () => {
  const keeper = new TextKeeper({ maxChars: 1000, maxTotalChars: 1500 });
  expect([1, 2, 3].map(() => keeper.keep('x'.repeat(5000)).text.length)).toEqual([1000, 500, 200]);
});

it('keeps nothing of nothing, and copies every character', () => {
  expect(keptOrNone(new TextKeeper({ maxChars: 9, maxTotalChars: 9 }), '')).toBeUndefined();
  expect(copyOf('"\\ \u0000 \ud800 🙂')).toBe('"\\ \u0000 \ud800 🙂');
});
