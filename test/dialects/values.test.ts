import { expect, it } from 'vitest';
import {
  indexOrNone,
  isObject,
  jsonText,
  listOf,
  numberOrNone,
  objectOf,
  otherKeys,
  textOf,
  textOrNone,
} from '../../src/dialects/values.ts';

it('answers with a value of the asked type, or nothing, for anything', () => {
  for (const odd of [null, undefined, 1, 'x', true, [1], { a: 1 }]) {
    expect(isObject(odd)).toBe(typeof odd === 'object' && odd !== null && !Array.isArray(odd));
    expect(objectOf(odd)).toEqual(isObject(odd) ? odd : {});
    expect(listOf(odd)).toEqual(Array.isArray(odd) ? odd : []);
    expect(textOf(odd)).toBe(odd === 'x' ? 'x' : '');
    expect(numberOrNone(odd)).toBe(odd === 1 ? 1 : undefined);
  }
  expect(textOrNone('')).toBeUndefined();
  expect(numberOrNone(Number.NaN)).toBeUndefined();
});

it('takes only small whole numbers for an index', () => {
  expect([0, 3, -1, 1.5, 1e9, '1'].map(indexOrNone)).toEqual([0, 3, undefined, undefined, undefined, undefined]);
});

it('gives tool arguments as text, whichever way they came', () => {
  expect([jsonText('{"a":1}'), jsonText({ a: 1 }), jsonText(undefined), jsonText(null)]).toEqual([
    '{"a":1}',
    '{"a":1}',
    '',
    'null',
  ]);
});

it('keeps other members, a hostile __proto__ among them, as ordinary ones', () => {
  const rest = otherKeys(JSON.parse('{"a":1,"b":2,"__proto__":{"c":3}}'), new Set(['a']));
  expect(Object.keys(rest)).toEqual(['b', '__proto__']);
  expect('c' in rest).toBe(false);
});
