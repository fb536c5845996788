import { expect, it } from 'vitest';
import { createMask } from '../../src/privacy/fingerprint.ts';
import { maskUrl } from '../../src/privacy/url.ts';

const mask = createMask(new Uint8Array(32).fill(7));
const redacted = (url: string): string => maskUrl(url, mask).replace(/ #[0-9a-f]{8}>/g, '>');

it.each([
  ['/a/b?key=abc&x=y#access_token=zzz', '/a/b?key=<secret>&x=y#access_token=<secret>'],
  ['/a?q=gho%5Fabcdefghijklmnop1234567890&sig=', '/a?q=<github-token>&sig='],
  ['https://me:pw@host/x', 'https://<user-info>@host/x'],
  ['/cb?Client%5FSecret=x', '/cb?Client%5FSecret=<secret>'],
  ['/v1/gho_abcdefghijklmnop1234567890/x', '/v1/<github-token>/x'],
  ['/plain?a=1&b=two%20words;c&token_type=x', '/plain?a=1&b=two%20words;c&token_type=x'],
  [
    '/cb?user%5Bpassword%5D=x&auth[token]=y&tokens[0]=z',
    '/cb?user%5Bpassword%5D=<secret>&auth[token]=<secret>&tokens[0]=z',
  ],
  ['/x;jsessionid=abc', '/x;jsessionid=<secret>'],
  ['/x?sid=d&hmac=e', '/x?sid=<secret>&hmac=<secret>'],
  [
    `https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/${'Zk3'.repeat(8)}?x=1`,
    'https://hooks.slack.com<webhook>?x=1',
  ],
  [`/api/webhooks/123456789012345678/${'Ab-_9'.repeat(14)}/slack`, '<webhook>/slack'],
  [
    `/webhookb2/x@y/IncomingWebhook/${'0af3'.repeat(8)}/0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f`,
    '/webhookb2/x@y<webhook>',
  ],
  ['/repos/a/b/services/Test/api/webhooks/12/deliveries', '/repos/a/b/services/Test/api/webhooks/12/deliveries'],
  ['me:pw@api.example.com:443', '<user-info>@api.example.com:443'],
  ['api.example.com:443', 'api.example.com:443'],
  ['lodash@4.17.21/index.js', 'lodash@4.17.21/index.js'],
  ['', ''],
])('%s', (url, expected) => {
  expect(redacted(url)).toBe(expected);
});
