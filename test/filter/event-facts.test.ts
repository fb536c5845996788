import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELDS, findField } from '../../src/filter/event-facts.ts';

const MANUAL = new URL('../../docs/filters.md', import.meta.url);

test('every field stands in the manual, with its unit, its events and its meaning', () => {
  expect(existsSync(MANUAL)).toBe(true);
  const manual = readFileSync(MANUAL, 'utf8');
  for (const { name, unit, of, about } of FIELDS) {
    const events = of.length === 0 ? 'all' : of.join(', ');
    expect(manual).toContain(`| \`${name}\` | ${unit} | ${events} | ${about} |`);
  }
});

test('a header is named behind a dot, without regard to case', () => {
  expect(findField('header.X-Request-Id')).toMatchObject({ row: { name: 'header' }, name: 'x-request-id' });
  expect(findField('Tokens.Input')?.row.name).toBe('tokens.input');
  expect(findField('head.x')).toBeNull();
});
