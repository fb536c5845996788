import { expect, it } from 'vitest';
import { entropyOf, isPlausible, isPlausibleValue } from '../../src/privacy/plausible.ts';

it('measures bits per character', () => {
  expect([entropyOf('aaaa'), entropyOf('abab'), entropyOf('abcd')]).toEqual([0, 1, 2]);
});

it.each(['q8Zt3Lk0Pw7Xn2Vb', '7f3a9c0d1e5b8a64', 'Tr0ub4dor&3xQ9'])('%s may be a password', (value) => {
  expect(isPlausibleValue(value)).toBe(true);
});

it.each([
  'short1',
  'accessTokenProvider',
  'R50K_TOKEN_SPLIT',
  'this.token1.value',
  '$(get_token_1)',
  '10.0.0.1:8080',
  'a b c d e f g 1',
])('%s is none', (value) => {
  expect(isPlausibleValue(value)).toBe(false);
});

it('wants the whole shape of a kind whose prefix is common', () => {
  expect(isPlausible('openai-key', 'sk-circle-fade-dot-number-2-element')).toBe(false);
  expect(isPlausible('npm-token', 'npm_package_devDependencies_typescript1')).toBe(false);
  expect(isPlausible('aws-key', 'AKIAIOSFODNN7EXAMPLE')).toBe(true);
});
