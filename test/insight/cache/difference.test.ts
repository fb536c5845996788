import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstDifference, sharedPrefix } from '../../../src/insight/cache/difference.ts';

test('shows whole words, the line, and what stands before', () => {
  expect(firstDifference('a\nnow: 12:03:11.\nb', 'a\nnow: 12:04:02.\nb')).toEqual({
    line: 2,
    before: 'now: ',
    removed: '12:03:11.',
    added: '12:04:02.',
  });
});

test('long differences are cut with their length', () => {
  expect(firstDifference('', 'x'.repeat(500)).added).toBe(`${'x'.repeat(160)}… [500 characters]`);
});

test('a shared beginning never ends inside a surrogate pair', () => {
  expect(sharedPrefix('a🙂', 'a🙃')).toBe(1);
});

test('any two different texts differ in what is shown', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), fc.string({ maxLength: 100 }), (a, b) => {
      const { removed, added } = firstDifference(a, b);
      expect(removed === added).toBe(a === b);
    }),
  );
});
