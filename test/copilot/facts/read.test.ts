import { expect, it } from 'vitest';
import { MAX_LIST, nameOf, namesOf, present, recordOf } from '../../../src/copilot/facts/read.ts';

it('bounds names, lists and records', () => {
  expect(nameOf('x'.repeat(1000))).toHaveLength(256);
  expect(namesOf(Array.from({ length: 2 * MAX_LIST }, () => 'x'))).toHaveLength(MAX_LIST);
  const many = Object.fromEntries(Array.from({ length: 2 * MAX_LIST }, (_, at) => [`k${at}`, 'x']));
  expect(Object.keys(recordOf(many, nameOf) ?? {})).toHaveLength(MAX_LIST);
});

it('takes names from text and from objects with an id, and leaves the rest out', () => {
  expect(namesOf(['a', { id: 'b' }, 7, '', null])).toEqual(['a', 'b']);
  expect(namesOf('a')).toBeUndefined();
  expect(recordOf({ a: 1 }, nameOf)).toBeUndefined();
});

it('leaves out what was not sent', () => {
  expect(present({ a: 1, b: undefined })).toEqual({ a: 1 });
});
