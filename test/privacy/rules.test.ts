import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FINDING_RULES, reaches, ruleNamed } from '../../src/privacy/rules.ts';

it('names each rule once', () => {
  const names = FINDING_RULES.map(({ rule }) => rule);
  expect(new Set(names).size).toBe(names.length);
});

it('is the table of docs/audit.md', () => {
  const manual = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
  const rows = FINDING_RULES.map(({ rule, severity, title }) => `| \`${rule}\` | ${severity} | ${title} |`);
  expect(rows.filter((row) => !manual.includes(row))).toEqual([]);
});

it('takes an unknown kind for a credential', () => {
  expect(ruleNamed('acme-token')).toMatchObject({ rule: 'acme-token', severity: 'high', title: 'acme token' });
});

it('orders severities', () => {
  expect([reaches('high', 'medium'), reaches('medium', 'medium'), reaches('low', 'medium')]).toEqual([
    true,
    true,
    false,
  ]);
});
