import { expect, test } from 'vitest';
import { CostLog } from '../../../src/insight/index.ts';
import type { Usage } from '../../../src/model/index.ts';
import { asks, made } from '../calls.ts';

const call = (usage: Usage) => {
  const one = made({ messages: [asks('x')], startMs: 0, endMs: 1 });
  return { ...one, llm: { ...one.llm, usage } as NonNullable<typeof one.llm> };
};

test('sums by model; a call without reported usage is counted and adds nothing', () => {
  const log = new CostLog();
  for (const usage of [{ input: 100, cached: 50, output: 10 }, { input: 100, output: 10 }, {}]) log.accept(call(usage));
  const prices = [{ models: ['m'], input: 1, output: 1 }];
  expect(log.rows({ asOf: '2026-11', source: 'here', prices })).toEqual([
    {
      model: 'm',
      calls: 3,
      unreported: 1,
      usage: { input: 200, cached: 50, cacheWrite: 0, output: 20, reasoning: 0 },
      dollars: 220 / 1e6,
      priced: { asOf: '2026-11', source: 'here' },
    },
  ]);
  expect(log.rows({ asOf: '', source: '', prices: [] })[0]).not.toHaveProperty('dollars');
});

test('the rates of long prompts are for the requests that were long, not for their sum', () => {
  const log = new CostLog();
  for (const input of [100_000, 150_000, 200_000, 200_001]) log.accept(call({ input }));
  const prices = [{ models: ['m'], input: 1, output: 1, long: { above: 200_000, input: 10, output: 10 } }];
  expect(log.rows({ asOf: '', source: '', prices })[0]?.dollars).toBeCloseTo(0.45 + 2.00001, 10);
});
