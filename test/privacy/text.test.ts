import { describe, expect, it } from 'vitest';
import { createMask } from '../../src/privacy/fingerprint.ts';
import { maskText } from '../../src/privacy/text.ts';
import { HANG_MS } from '../kit/hang.ts';

const mask = createMask(new Uint8Array(32).fill(7));
/** The text redacted, with fingerprints left out: they are tested elsewhere. */
const redacted = (text: string): string => maskText(text, mask).replace(/ #[0-9a-f]{8}>/g, '>');

describe('text with secrets', () => {
  it.each([
    ['Authorization: Bearer tid=abc;exp=1772373909;sku=x:0a1b2c', 'Authorization: Bearer <copilot-token>'],
    ['{"token":"tid=abc;exp=1772373909;sku=x:0a1b2c","max_tokens":99}', '{"token":"<copilot-token>","max_tokens":99}'],
    ['export GITHUB_TOKEN=gho_abcdefghijklmnop1234567890', 'export GITHUB_TOKEN=<github-token>'],
    ['API_KEY=abcdefgh', 'API_KEY=<secret>'],
    ['password = "correct horse battery"', 'password = "<secret>"'],
    ['"password":"a\\"b12345678" tail', '"password":"<secret>" tail'],
    ['{\\"access_token\\":\\"abc123xyz\\"}', '{\\"access_token\\":\\"<secret>\\"}'],
    ['Authorization: token abc123def456', 'Authorization: token <secret>'],
    ['Bearer abc123def456', 'Bearer <secret>'],
    ['a\\nBearer abc123def456', 'a\\nBearer <secret>'],
    ['https://user:hunter2@host/p?token=abc123&x=1 ok', 'https://<user-info>@host/p?token=<secret>&x=1 ok'],
    ['curl --token abc123def -u bob:pw123 x', 'curl --token <secret> -u <user-info> x'],
    ['Cookie: a=123456; b=abcdef', 'Cookie: a=<cookie>; b=<cookie>'],
    ['gho%5Fabcdefghijklmnop1234567890', '<encoded-secret>'],
    ['x eC1hY2Nlc3MtdG9rZW46Z2hwX2FiY2RlZmdoaWprbG1ub3AxMjM0NTY3ODkw y', 'x <encoded-secret> y'],
    ['a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- b', 'a <private-key> b'],
    ['a -----BEGIN PRIVATE KEY-----\nMII and it is cut', 'a <private-key>'],
  ])('%s', (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });
});

describe('text without secrets stays as it is', () => {
  it.each([
    'const token = getToken(); let password: string; const tokens = 12;',
    '{"max_tokens":4096,"token_type":"bearer","prompt_tokens":12345678,"token_count":"12"}',
    '{"properties":{"token":{"type":"string"},"password":{"type":"string"}}}',
    'bearer authentication is described in RFC 6750; the basic scheme in RFC 7617',
    'task-abcdefghijklmnopqrstuvwx1 disk-0123456789abcdefghijklmnop',
    'see https://github.com/a/b/blob/0123456789abcdef0123456789abcdef01234567/src/index.ts?plain=1#L10',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'commit 0123456789abcdef0123456789abcdef01234567, uuid 5c2c0c0e-6f6e-4d9e-8f6a-0d6b6b1c2a3f',
    'the tokenizer splits tokens; author: me; keyboard=qwerty1; authority=example.com:443',
    '100% of %20 and \\u0041 and C:\\users\\me',
    'token: <github-token #12345678>',
  ])('%s', (text) => {
    expect(maskText(text, mask)).toBe(text);
  });
});

it('is linear: five megabytes of anything take about a second at most', () => {
  const pieces = [
    'eyJ',
    'password="',
    'token        ',
    '"token" : ',
    '%41',
    '\\u0041',
    '-----BEGIN ',
    'cookie:a=b;',
    '--a-',
    'secret\\\\\\\\',
    `${'a'.repeat(64)}=`,
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(5_000_000 / piece.length));
    const started = performance.now();
    maskText(text, mask);
    // A quadratic pattern would take hours; the margin is for a busy machine.
    expect({ piece, isFast: performance.now() - started < HANG_MS }).toEqual({ piece, isFast: true });
  }
}, 120_000);
