import { expect, it } from 'vitest';
import { elide } from '../../src/dialects/elide.ts';

it('leaves small JSON as it is', () => {
  expect(elide({ a: [1, 'x'] })).toEqual({ value: { a: [1, 'x'] }, text: '{"a":[1,"x"]}' });
  expect(elide(undefined).value).toBeNull();
});

it('shortens long strings and says their length', () => {
  const { value } = elide({ data: 'A'.repeat(50_000), kept: 'b' });
  expect(value).toMatchObject({ data: expect.stringMatching(/^A{256}… \[50000 characters\]$/), kept: 'b' });
});

it('shortens JSON that is long in all', () => {
  const { value, text } = elide(Array.from({ length: 100_000 }, (_, at) => at));
  expect(text.length).toBeLessThan(400);
  expect(value).toContain('characters of JSON');
});
