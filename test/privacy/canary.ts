// Secrets made up for tests: random, so that any piece of them in an output is a leak and not chance.

import fc from 'fast-check';

export interface Canary {
  readonly kind: string;
  /** What stands in the traffic. */
  readonly text: string;
  /** The secret bytes in it: no six of them in a row may come out. */
  readonly secret: string;
  /** Known by its own shape, in any surroundings and encoding. */
  readonly hasShape: boolean;
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const word = (length: number, digits = ALPHANUMERIC): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...digits), { minLength: length, maxLength: length })
    // The last character is a digit: a secret of letters alone is told from prose by nobody.
    .map((characters) => `${characters.slice(1).join('')}7`);

const shaped = (kind: string, length: number, write: (secret: string) => string, digits?: string) =>
  word(length, digits).map((secret): Canary => ({ kind, secret, text: write(secret), hasShape: true }));

const placed = (kind: string, length: number, write: (secret: string) => string) =>
  word(length).map((secret): Canary => ({ kind, secret, text: write(secret), hasShape: false }));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** One generator per kind of secret. */
export const CANARIES: Readonly<Record<string, fc.Arbitrary<Canary>>> = {
  copilot: shaped('copilot', 40, (s) => `tid=${s};exp=1772373909;sku=monthly_subscriber;st=dotcom:${s}`),
  gho: shaped('gho', 36, (s) => `gho_${s}`),
  ghu: shaped('ghu', 36, (s) => `ghu_${s}`),
  ghp: shaped('ghp', 36, (s) => `ghp_${s}`),
  ghs: shaped('ghs', 36, (s) => `ghs_${s}`),
  ghr: shaped('ghr', 76, (s) => `ghr_${s}`),
  pat: shaped('pat', 59, (s) => `github_pat_11AAAAAAA0${s}`),
  jwt: shaped('jwt', 60, (s) => `eyJhbGciOiJIUzI1NiJ9.${s}.${s}`),
  anthropic: shaped('anthropic', 80, (s) => `sk-ant-api03-${s}`),
  openai: shaped('openai', 48, (s) => `sk-${s}`),
  openaiProject: shaped('openaiProject', 60, (s) => `sk-proj-${s}`),
  aws: shaped('aws', 16, (s) => `AKIA${s}`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
  google: shaped('google', 35, (s) => `AIza${s}`),
  slack: shaped('slack', 40, (s) => `xoxb-1234-${s}`),
  webhook: shaped('webhook', 60, (s) => `https://discord.com/api/webhooks/123456789012345678/${s}`),
  privateKey: shaped(
    'privateKey',
    64,
    (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n${s}\n-----END RSA PRIVATE KEY-----`,
  ),
  opensshKey: shaped(
    'opensshKey',
    64,
    (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----`,
  ),
  nonce: shaped('nonce', 24, (s) => `vscode-lm-${s}`),
  bearer: placed('bearer', 24, (s) => `Bearer ${s}`),
  headerLine: placed('headerLine', 24, (s) => `Authorization: token ${s}`),
  assignment: placed('assignment', 20, (s) => `password=${s}`),
  yaml: placed('yaml', 20, (s) => `client_secret: ${s}`),
  json: placed('json', 20, (s) => `{"access_token":"${s}","expires_in":3600}`),
  jsonSpaced: placed('jsonSpaced', 20, (s) => `{ "refresh_token" : "${s}" }`),
  sessionToken: placed('sessionToken', 20, (s) => `{"session_token":"${s}"}`),
  passphrase: placed('passphrase', 20, (s) => `passphrase = "correct horse ${s} staple"`),
  userInfo: placed('userInfo', 20, (s) => `https://me:${s}@example.com/x`),
  query: placed('query', 20, (s) => `https://example.com/x?a=1&access_token=${s}&b=2`),
  signature: placed('signature', 20, (s) => `/blob?sv=1&sig=${s}`),
  cookieLine: placed('cookieLine', 20, (s) => `Cookie: theme=dark; user_session=${s}`),
  option: placed('option', 20, (s) => `tool --api-key ${s} --verbose`),
  curlUser: placed('curlUser', 20, (s) => `curl -u me:${s} https://example.com`),
  bearerSymbols: word(32, `${ALPHANUMERIC}+/=._~-`).map((secret) => {
    return { kind: 'bearerSymbols', secret, text: `Bearer ${secret}`, hasShape: false };
  }),
  quotedSymbols: word(24, `${ALPHANUMERIC}!#$&()*+,-./:;=?@[]^_{|}~`).map((secret) => {
    return { kind: 'quotedSymbols', secret, text: `"password": "${secret}"`, hasShape: false };
  }),
  basic: word(21).map((secret) => {
    const encoded = base64(`user:${secret}`);
    return { kind: 'basic', text: `Basic ${encoded}`, secret: encoded, hasShape: false };
  }),
};

export const anyCanary: fc.Arbitrary<Canary> = fc.oneof(...Object.values(CANARIES));

/** Ways in which a text travels inside other texts. */
export const ENCODINGS: Readonly<Record<string, (canary: Canary) => Canary>> = {
  plain: (canary) => canary,
  json: (canary) => ({ ...canary, text: JSON.stringify({ note: `a\n${canary.text}` }) }),
  jsonTwice: (canary) => ({ ...canary, text: JSON.stringify(JSON.stringify({ note: `a\n${canary.text}` })) }),
  percent: (canary) => ({ ...canary, text: encodeURIComponent(canary.text) }),
  percentTwice: (canary) => ({ ...canary, text: encodeURIComponent(encodeURIComponent(canary.text)) }),
  escapedStart: (canary) =>
    canary.hasShape && !canary.kind.endsWith('Key')
      ? { ...canary, text: `\\u${canary.text.charCodeAt(0).toString(16).padStart(4, '0')}${canary.text.slice(1)}` }
      : canary,
  base64: (canary) => {
    const encoded = base64(`x-access-token:${canary.text}`);
    return canary.hasShape ? { ...canary, text: encoded, secret: encoded.slice(20).replace(/=+$/, '') } : canary;
  },
};

/** The first six characters in a row of `secret` that `output` has, or null. */
export function leakIn(output: string, secret: string): string | null {
  for (let at = 0; at + 6 <= secret.length; at++) {
    const piece = secret.slice(at, at + 6);
    if (output.includes(piece)) return piece;
  }
  return null;
}
