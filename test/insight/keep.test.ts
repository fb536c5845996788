import { expect, it } from 'vitest';
import { keep } from '../../src/insight/keep.ts';

it('forgets the oldest entry, where setting an entry again makes it new', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) keep(map, key, 1, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});
