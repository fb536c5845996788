// docs/insight.md names every field that the golden sessions' outputs have.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FACTS_NAMES } from '../../src/copilot/facts/table.ts';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const manual = readFileSync(at('docs/insight.md'), 'utf8');
const named = new Set([...manual.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));

/** Members of objects whose names are data: tokens by kind, models, classes, scores. */
const BY_NAME = new Set(['usage', 'permissions', 'servers', 'answeredBy', 'byInitiator', 'scores', 'discounts']);

function keysOf(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) keysOf(item, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      found.add(key);
      if (!BY_NAME.has(key)) keysOf(inner, found);
    }
  return found;
}

it.each(['conversations.ndjson', 'show.ndjson', 'models.ndjson'])('names the fields of %s', (output) => {
  const lines = readdirSync(at('test/sessions/')).flatMap((name) =>
    readFileSync(at(`test/sessions/${name}/${output}`), 'utf8')
      .split('\n')
      .filter(Boolean),
  );
  const keys = keysOf(lines.map((line) => JSON.parse(line)));
  expect([...keys].filter((key) => !named.has(key))).toEqual([]);
});

it('has every kind of facts', () => {
  expect(FACTS_NAMES.filter((name) => !manual.includes(`| \`${name}\` |`))).toEqual([]);
});
