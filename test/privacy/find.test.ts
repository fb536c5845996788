import { expect, it } from 'vitest';
import { createFinder, NO_KEPT_RULES } from '../../src/privacy/find.ts';

const find = createFinder(NO_KEPT_RULES);
const TOKEN = 'ghp_a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi';

it('says where a secret stands, every time that it stands there', () => {
  expect(find(`a ${TOKEN} b ${TOKEN}`)).toEqual([
    { kind: 'github-token', secret: TOKEN, offset: 2, length: 40, encoded: false },
    { kind: 'github-token', secret: TOKEN, offset: 45, length: 40, encoded: false },
  ]);
});

it('sees the same secret in base64 and behind percent-encoding', () => {
  const base64 = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  for (const text of [base64, encodeURIComponent(encodeURIComponent(`"${TOKEN}"`)).replaceAll('ghp', '%67hp')]) {
    const [found] = find(`see ${text} here`);
    expect([found?.kind, found?.secret, found?.offset, found?.encoded]).toEqual(['github-token', TOKEN, 4, true]);
  }
});

it('passes over placeholders, names and code', () => {
  const texts = [
    'API_KEY=your-api-key-here-1234567',
    'password: process.env.DB_PASSWORD1',
    'const token = nextToken2(stream)',
    'token: Uint8Array',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'secret: "secret-2-levels"',
    'https://user:password@example.com/',
  ];
  expect(texts.flatMap((text) => find(text))).toEqual([]);
});

it('adds what the kept rules find, unless its own found it there', () => {
  const kept = createFinder((text) => [
    { kind: 'other-token', start: 0, end: 12 },
    { kind: 'github-token', start: text.indexOf('ghp'), end: text.length },
  ]);
  expect(kept(`zq9-K7fP2mXw and ${TOKEN}`).map(({ kind }) => kind)).toEqual(['other-token', 'github-token']);
});
