import { expect, it } from 'vitest';
import type { HeaderField } from '../../src/model/index.ts';
import { createMask } from '../../src/privacy/fingerprint.ts';
import { maskHeaders } from '../../src/privacy/headers.ts';

const mask = createMask(new Uint8Array(32).fill(7));
const redacted = (name: string, value: string): string | undefined =>
  maskHeaders([[name, value]], mask)[0]?.[1].replace(/ #[0-9a-f]{8}>/g, '>');

it.each([
  ['authorization', 'Bearer tid=abc;exp=1:mac', 'Bearer <copilot-token>'],
  ['Authorization', 'token gho_abcdef', 'token <github-token>'],
  ['authorization', 'no-scheme-at-all', '<secret>'],
  ['authorization', 'Weird secret words', '<secret>'],
  ['proxy-authorization', 'Basic dXNlcjpwYXNz', 'Basic <credentials>'],
  ['cookie', 'a=1; session=xyz; bare', 'a=<cookie>; session=<cookie>; <cookie>'],
  [
    'set-cookie',
    'sid=abc; Path=/; HttpOnly; Expires=Wed, 21 Oct 2015 07:28:00 GMT',
    'sid=<cookie>; Path=/; HttpOnly; Expires=Wed, 21 Oct 2015 07:28:00 GMT',
  ],
  ['api-key', 'x', '<secret>'],
  ['x-api-key', 'sk-ant-x', '<anthropic-key>'],
  ['x-goog-api-key', 'x', '<secret>'],
  ['copilot-session-token', 'eyJx.y.z', '<jwt>'],
  ['copilot-edits-session', 'x', '<secret>'],
  ['request-hmac', 'x', '<secret>'],
  ['x-amz-security-token', 'x', '<secret>'],
  ['x-my-own-secret-thing', 'x', '<secret>'],
  ['location', 'https://x/cb?code=abc&state=1', 'https://x/cb?code=<secret>&state=<secret>'],
  ['x-passphrase', 'x', '<secret>'],
  ['x-pass', 'x', '<secret>'],
  ['x-user-cred', 'me:x', '<secret>'],
  ['x-sig', 'x', '<secret>'],
  ['host', 'me:pw@api.example.com', '<user-info>@api.example.com'],
  [
    'sec-websocket-protocol',
    'v4.channel.k8s.io, base64url.bearer.k8s.io.Zm9vYmFyMTIzNDU2Nzg5',
    'v4.channel.k8s.io, base64url.bearer.k8s.io.<secret>',
  ],
  [
    'sec-websocket-protocol',
    'realtime, openai-insecure-api-key.sk-proj-abcdefgh12345678',
    'realtime, openai-insecure-api-key.<openai-key>',
  ],
  ['x-note', 'key AKIAABCDEFGHIJKLMN23', 'key <aws-key>'],
])('%s: %s', (name, value, expected) => {
  expect(redacted(name, value)).toBe(expected);
});

it('leaves fields alone whose names only look secret', () => {
  const fields: HeaderField[] = [
    ['x-ratelimit-remaining-tokens', '12'],
    ['anthropic-ratelimit-tokens-remaining', '100'],
    ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['www-authenticate', 'Bearer realm="x"'],
    ['access-control-allow-headers', 'authorization, x-api-key'],
    ['vscode-sessionid', '0b2c-1'],
    ['sec-websocket-protocol', 'graphql-transport-ws, openai-beta.realtime-v1, mqttv5.0'],
    ['x-passed', 'yes'],
    ['host', 'api.example.com:443'],
    ['x-request-id', '5c2c0c0e-6f6e-4d9e-8f6a-0d6b6b1c2a3f'],
    ['x-api-key', ''],
  ];
  expect(maskHeaders(fields, mask)).toEqual(fields);
});
