// Labelled texts for the secret search: made-up secrets of every kind in the places where they turn up, strings that
// providers publish as examples, and code of installed packages as it stands, in which nothing should be found.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ kind: string, text: string, start: number, end: number }} Positive */
/** @typedef {{ path: string, text: string }} Negative */

/** Small deterministic generator (xorshift32): the same corpus everywhere. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALNUM = LOWER + UPPER + DIGITS;
const HEX = `${DIGITS}abcdef`;
const WORD = `${ALNUM}_-`;

/** @param {() => number} random @param {string} alphabet @param {number} length */
const run = (random, alphabet, length) =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');

/** Secrets of each kind that has a shape. @type {Record<string, (r: () => number) => string>} */
const SHAPED = {
  copilot: (r) => `tid=${run(r, HEX, 32)};exp=1772373909;sku=monthly_subscriber;st=dotcom;8kp=1:${run(r, HEX, 64)}`,
  gho: (r) => `gho_${run(r, ALNUM, 36)}`,
  ghu: (r) => `ghu_${run(r, ALNUM, 36)}`,
  ghp: (r) => `ghp_${run(r, ALNUM, 36)}`,
  ghs: (r) => `ghs_${run(r, ALNUM, 36)}`,
  pat: (r) => `github_pat_${run(r, UPPER + DIGITS, 22)}_${run(r, ALNUM, 59)}`,
  jwt: (r) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${run(r, ALNUM, 60)}.${run(r, WORD, 43)}`,
  anthropic: (r) => `sk-ant-api03-${run(r, WORD, 93)}AA`,
  openai: (r) => `sk-proj-${run(r, ALNUM, 20)}T3BlbkFJ${run(r, ALNUM, 20)}`,
  openaiOld: (r) => `sk-${run(r, ALNUM, 20)}T3BlbkFJ${run(r, ALNUM, 20)}`,
  stripe: (r) => `sk_live_${run(r, ALNUM, 24)}`,
  aws: (r) => `AKIA${run(r, `${UPPER}234567`, 16)}`,
  google: (r) => `AIza${run(r, WORD, 35)}`,
  googleOauth: (r) => `GOCSPX-${run(r, WORD, 28)}`,
  slackBot: (r) => `xoxb-${run(r, DIGITS, 12)}-${run(r, DIGITS, 13)}-${run(r, ALNUM, 24)}`,
  gitlab: (r) => `glpat-${run(r, WORD, 20)}`,
  npm: (r) => `npm_${run(r, ALNUM, 36)}`,
  huggingface: (r) => `hf_${run(r, ALNUM, 34)}`,
  pypi: (r) => `pypi-AgEIcHlwaS5vcmc${run(r, WORD, 90)}`,
  sendgrid: (r) => `SG.${run(r, WORD, 22)}.${run(r, WORD, 43)}`,
  digitalocean: (r) => `dop_v1_${run(r, HEX, 64)}`,
  groq: (r) => `gsk_${run(r, ALNUM, 52)}`,
  xai: (r) => `xai-${run(r, ALNUM, 80)}`,
  databricks: (r) => `dapi${run(r, HEX, 32)}`,
  vault: (r) => `hvs.${run(r, WORD, 90)}`,
  shopify: (r) => `shpat_${run(r, HEX, 32)}`,
  linear: (r) => `lin_api_${run(r, ALNUM, 40)}`,
  notion: (r) => `ntn_${run(r, DIGITS, 11)}${run(r, ALNUM, 35)}`,
  docker: (r) => `dckr_pat_${run(r, WORD, 27)}`,
  figma: (r) => `figd_${run(r, WORD, 40)}`,
  rubygems: (r) => `rubygems_${run(r, HEX, 48)}`,
  postman: (r) => `PMAK-${run(r, HEX, 24)}-${run(r, HEX, 34)}`,
  grafana: (r) => `glsa_${run(r, ALNUM, 32)}_${run(r, HEX, 8)}`,
  telegram: (r) => `${run(r, DIGITS, 10)}:AA${run(r, WORD, 33)}`,
  nonce: (r) => `vscode-lm-${run(r, HEX, 8)}-${run(r, HEX, 4)}-${run(r, HEX, 4)}-${run(r, HEX, 12)}`,
  rsaKey: (r) => {
    const lines = Array.from({ length: 12 }, () => run(r, `${ALNUM}+/`, 64));
    return `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----`;
  },
  opensshKey: (r) => {
    const lines = Array.from({ length: 6 }, () => run(r, `${ALNUM}+/`, 70));
    return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----`;
  },
};

/** Where a shaped secret stands. `@` is its place. */
const PLACES = [
  'The service answers 401 when I use @ , why?',
  'TOKEN=@\nDEBUG=1\n',
  'const client = new Client("@");\n',
  '{"config":{"value":"@"},"n":1}',
  'service:\n  value: @\n  port: 80\n',
  '$ curl -H "X-Thing: @" https://api.example.com/v1\n',
];

/** Secrets that only their place gives away. @type {((secret: string) => string)[]} */
const BY_PLACE = [
  (s) => `DB_PASSWORD=${s}\nDB_HOST=db.internal\n`,
  (s) => `{"clientSecret": "${s}", "tenant": "t"}`,
  (s) => `client_secret: ${s}\n`,
  (s) => `const apiKey = '${s}';\n`,
  (s) => `postgres://app:${s}@db.internal:5432/main`,
  (s) => `Authorization: Bearer ${s}\n`,
  (s) => `curl -u deploy:${s} https://ci.internal/job`,
  (s) => `<add key="x" value="Server=tcp:db;Password=${s};Encrypt=True" />`,
  (s) => `aws_secret_access_key = ${s}\n`,
  (s) => `tool login --token ${s}`,
];

/** What such secrets look like. @type {Record<string, (r: () => number) => string>} */
const VALUES = {
  random: (r) => `${run(r, ALNUM, 10)}${run(r, DIGITS, 2)}${run(r, ALNUM, 8)}`,
  hexadecimal: (r) => run(r, HEX, 32),
  'base64 digits': (r) => `${run(r, `${ALNUM}+`, 39)}${run(r, DIGITS, 1)}`,
  'lower case and digits': (r) => `${run(r, LOWER + DIGITS, 22)}${run(r, DIGITS, 2)}`,
  uuid: (r) => [8, 4, 4, 4, 12].map((length) => run(r, HEX, length)).join('-'),
  password: (r) => `${run(r, UPPER, 1)}${run(r, LOWER, 4)}${run(r, '!#*_', 1)}${run(r, DIGITS, 4)}${run(r, LOWER, 2)}`,
};

/** Examples that providers print in their documentation. */
const PUBLISHED = [
  ['aws', 'aws_access_key_id = AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  [
    'jwt',
    'token: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ],
  ['stripe', `stripe.api_key = "${['sk', 'test', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')}"`, ['sk', 'test', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')],
  ['basic', 'Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZTEyMw==', 'QWxhZGRpbjpvcGVuIHNlc2FtZTEyMw=='],
];

/** @param {string} kind @param {string} text @param {string} secret @returns {Positive} */
const positive = (kind, text, secret) => {
  const start = text.indexOf(secret);
  return { kind, text, start, end: start + secret.length };
};

/** @returns {Positive[]} */
export function positives(seed = 1) {
  const random = randomFrom(seed);
  const shaped = Object.entries(SHAPED).flatMap(([kind, make]) =>
    PLACES.map((place) => {
      const secret = make(random);
      return positive(kind, place.replace('@', () => secret), secret);
    }),
  );
  const encoded = Object.entries(SHAPED)
    .filter(([kind]) => !kind.endsWith('Key'))
    .map(([kind, make]) => {
      const secret = Buffer.from(`x-access-token:${make(random)}`).toString('base64');
      return positive(`${kind} in base64`, `{"auth":"${secret}"}`, secret);
    });
  const placed = BY_PLACE.flatMap((write, i) =>
    Object.entries(VALUES).flatMap(([form, make]) =>
      Array.from({ length: 3 }, () => {
        const secret = make(random);
        return positive(`${form} at place ${i}`, write(secret), secret);
      }),
    ),
  );
  return [...shaped, ...encoded, ...placed, ...PUBLISHED.map(([kind = '', text = '', secret = '']) => positive(kind, text, secret))];
}

const CODE = /\.(?:[cm]?js|[cm]?ts|json|md|yml|css|html)$/;
const MIN_BYTES = 400;
const SAMPLE_CHARS = 4_000;

/** @param {string} folder @param {string[]} found */
function listCode(folder, found) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) listCode(path, found);
    else if (entry.isFile() && CODE.test(entry.name)) found.push(path);
  }
  return found;
}

/**
 * `count` pieces of code from installed packages, spread evenly over all their files. Secret scanners are left out: their
 * sources are full of what they look for.
 * @param {string} folder node_modules @returns {Negative[]}
 */
export function negatives(folder, count = 1_000) {
  const files = listCode(folder, []).filter((path) => !/secretlint|@biomejs/.test(path)).sort();
  const step = Math.max(1, Math.floor(files.length / (count * 1.5)));
  /** @type {Negative[]} */
  const samples = [];
  for (let i = 0; i < files.length && samples.length < count; i += step) {
    const path = files[i] ?? '';
    const text = readFileSync(path, 'utf8');
    if (text.length < MIN_BYTES) continue;
    const start = Math.floor((text.length - Math.min(text.length, SAMPLE_CHARS)) / 2);
    samples.push({ path, text: text.slice(start, start + SAMPLE_CHARS) });
  }
  return samples;
}

/**
 * Counts hits and misses of a search over the corpus.
 * @param {(text: string) => readonly { kind: string, offset: number, length: number }[]} find
 * @param {Positive[]} secrets @param {Negative[]} codes
 */
export function measure(find, secrets, codes) {
  /** @type {Positive[]} */
  const missed = [];
  let wrong = 0;
  for (const secret of secrets) {
    const found = find(secret.text);
    const right = found.filter(({ offset, length }) => offset < secret.end && offset + length > secret.start);
    if (right.length === 0) missed.push(secret);
    wrong += found.length - right.length;
  }
  const wrongInCode = codes.flatMap(({ path, text }) =>
    find(text).map((found) => ({ path, kind: found.kind, text: text.slice(found.offset, found.offset + found.length) })),
  );
  const hits = secrets.length - missed.length;
  return {
    secrets: secrets.length,
    codes: codes.length,
    recall: hits / secrets.length,
    precision: hits / (hits + wrong + wrongInCode.length),
    missed,
    wrong,
    wrongInCode,
  };
}
