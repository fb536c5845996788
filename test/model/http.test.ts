import { expect, test } from 'vitest';
import { headerValue } from '../../src/model/index.ts';

test('the first of repeated fields is found, by its lower-case name', () => {
  const headers = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ] as const;
  expect(headerValue(headers, 'set-cookie')).toBe('a=1');
  expect(headerValue(headers, 'Set-Cookie')).toBeUndefined();
});
