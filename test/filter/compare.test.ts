import { expect, test } from 'vitest';
import { comparison, type Operator, positiveOf } from '../../src/filter/compare.ts';
import { findField } from '../../src/filter/event-facts.ts';

function fits(field: string, operator: Operator, value: string, actual: string | number): boolean {
  const found = findField(field);
  if (found === null) throw new Error(field);
  return comparison(found.row, operator, value, 0)(actual);
}

test.each([
  ['bytes.in', '=', '64k', 65_536],
  ['bytes.in', '<=', '1.5M', 1_572_864],
  ['tokens', '=', '8k', 8_000],
  ['duration', '=', '1.5s', 1_500],
  ['duration', '>', '2m', 120_001],
  ['status', ':', '4xx', 404],
  ['status', '=', '5XX', 599],
  ['host', ':', '*.example.*', 'a.example.org'],
  ['host', ':', 'a.b', 'A.B'],
  ['prompt', ':', 'needle', 'hay NEEDLE hay'],
  ['path', ':', '/a?b=(1)*', '/a?b=(1)&c'],
] as const)('%s%s%s holds for %s', (field, operator, value, actual) => {
  expect(fits(field, operator, value, actual)).toBe(true);
});

test.each([
  ['status', ':', '4xx', 500],
  ['host', ':', 'a.b', 'axb'],
  ['host', ':', '*.example', 'a.example.org'],
  ['model', '=', 'GPT', 'gpt'],
] as const)('%s%s%s does not hold for %s', (field, operator, value, actual) => {
  expect(fits(field, operator, value, actual)).toBe(false);
});

test('a negative operator is the negation of a positive one', () => {
  expect([positiveOf('!='), positiveOf('!~'), positiveOf('>=')]).toEqual([
    { operator: '=', isNegated: true },
    { operator: '~', isNegated: true },
    { operator: '>=', isNegated: false },
  ]);
});
