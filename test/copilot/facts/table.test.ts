import fc from 'fast-check';
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

it('takes any JSON, whole or cut, without a throw, and keeps its bounds', () => {
  const keys = [
    'data',
    'models',
    'events',
    'content',
    'prompt',
    'token',
    'quota_snapshots',
    'rules',
    'available_models',
  ];
  const member = fc.record(Object.fromEntries(keys.map((key) => [key, fc.jsonValue()])), { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(member, fc.jsonValue()), fc.double({ min: 0, max: 1, noNaN: true }), (value, part) => {
      const whole = JSON.stringify(value);
      const text = whole.slice(0, Math.ceil(whole.length * part));
      for (const name of NAMES) factsOf(name, { path: text, request: text, response: text });
    }),
    { numRuns: 500 },
  );
});
