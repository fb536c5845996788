import { expect, test } from 'vitest';
import { evaluate } from '../../src/filter/evaluate.ts';
import { parseCondition } from '../../src/filter/parse.ts';
import { call, summary } from '../sinks/events.ts';

const NOTHING = { findings: [], origin: null };

test.each([
  ['class:x', null, false],
  ['not class:x', null, true],
  ['class:x or type:summary', true, false],
  ['class:x or type:call', null, true],
  ['class:x and type:summary', null, false],
  ['class:x and type:other', false, false],
  ['not (class:x and type:other)', true, true],
])('%s: %s for a summary, %s for a call', (text, forSummary, forCall) => {
  const condition = parseCondition(text);
  expect([evaluate(condition, summary(), NOTHING), evaluate(condition, call(), NOTHING)]).toEqual([
    forSummary,
    forCall,
  ]);
});
