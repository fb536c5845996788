import { expect, it } from 'vitest';
import { kindOfSecret, TOKEN_RULES } from '../../src/privacy/token-rules.ts';

it('names a secret by its shape, and any other one a secret', () => {
  const named = [
    'tid=a;exp=1:x',
    'ghs_abc',
    'github_pat_a',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
    'sk-ant-a',
    'sk-proj-1',
    'AKIA1',
    'AIzaX',
    'xoxb-1',
    'hunter2',
  ];
  expect(named.map(kindOfSecret)).toEqual([
    'copilot-token',
    'github-token',
    'github-token',
    'jwt',
    'anthropic-key',
    'openai-key',
    'aws-key',
    'google-key',
    'slack-token',
    'secret',
  ]);
});

/** Hints that are not the beginning of a match. */
const WHOLE: Readonly<Record<string, string>> = { xox: 'xoxb-', ':AA': '12345678:AA' };

it('gives every rule a hint that each of its matches contains', () => {
  for (const { kind, hints, pattern } of TOKEN_RULES) {
    const samples = hints.map((hint) => WHOLE[hint] ?? (hint.startsWith('k_') ? `s${hint}` : hint));
    for (const sample of samples) expect({ kind, found: `${sample}0`.search(pattern) }).toEqual({ kind, found: 0 });
  }
});
