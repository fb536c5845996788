import { expect, it } from 'vitest';
import { isSecretField, isSecretName, isSecretParameter } from '../../src/privacy/names.ts';

it('knows secret names in every style of writing', () => {
  const names = [
    'token',
    'access_token',
    'accessToken',
    'GITHUB_TOKEN',
    'x-api-key',
    'apiKey',
    'db.password',
    'clientSecret',
    'private-key',
    'session_token',
  ];
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
});

it('knows counts, kinds and other facts about secrets from the secrets', () => {
  const names = [
    'max_tokens',
    'maxTokens',
    'tokens',
    'prompt_token_count',
    'tokenCount',
    'token_type',
    'tokenizer',
    'tokenUrl',
    'password_policy',
    'author',
    'key',
    'sessionId',
    'secretName',
  ];
  expect(names.filter(isSecretName)).toEqual([]);
});

it('takes short names for secret in a query only', () => {
  expect(['key', 'sig', 'code'].map((name) => [isSecretParameter(name), isSecretName(name)])).toEqual(
    Array(3).fill([true, false]),
  );
  expect(isSecretParameter('q')).toBe(false);
});

it('takes any header field for secret whose name says so', () => {
  expect(['x-foo-token', 'x-hmac', 'my-cookie', 'x-auth'].every(isSecretField)).toBe(true);
  expect(['content-type', 'x-ratelimit-limit-tokens', ':authority', 'sec-websocket-key'].some(isSecretField)).toBe(
    false,
  );
});
