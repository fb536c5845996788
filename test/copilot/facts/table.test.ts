import { expect, it } from 'vitest';
import { factsOf } from '../../../src/copilot/facts/table.ts';
import { CLASSES } from '../../../src/copilot/index.ts';

const NAMES = ['models', 'auto-session', 'router', 'account', 'token', 'exclusion', 'sent', 'telemetry'] as const;
const DAMAGED = ['', '{', '[', 'null', '[[[', '{"data":[null,1,{"id":{}}]}', '{"events":7}', '\u0000', '{"token":5}'];

it('never throws on bodies that are not what they should be', () => {
  for (const name of NAMES) {
    for (const text of DAMAGED) {
      const facts = factsOf(name, { path: '/x?repos=%', request: text, response: text });
      expect(facts === undefined || facts.facts === name, `${name} of ${text}`).toBe(true);
    }
  }
});

it('is asked for by rows that are no LLM calls, and every kind of facts by some row', () => {
  const rows = CLASSES.filter((rule) => rule.keeps !== undefined);
  expect(rows.filter((rule) => rule.dialect !== undefined)).toEqual([]);
  expect(new Set(rows.map((rule) => rule.keeps))).toEqual(new Set(NAMES));
});
