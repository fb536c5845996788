import { expect, it } from 'vitest';
import { ModelUseLog, premiumUses, substitutes } from '../../src/insight/model-use.ts';
import { made } from './calls.ts';

const call = (model: string, answeredBy?: string) => {
  const plain = made({ messages: [], startMs: 0, endMs: 1 });
  return { ...plain, llm: { ...plain.llm!, model, ...(answeredBy && { answeredBy }) } };
};

it('lists the busiest model first, and which other models answered for it', () => {
  const log = new ModelUseLog();
  for (const one of [call('a'), call('b', 'b-2026'), call('b', 'c')]) log.accept(one);
  const [busiest, other] = log.list();
  expect([busiest?.model, busiest?.calls, other?.model]).toEqual(['b', 2, 'a']);
  expect(busiest && substitutes(busiest)).toEqual([['c', 1]]);
});

it('does not grow without bound', () => {
  const log = new ModelUseLog();
  for (let at = 0; at < 1000; at += 1) log.accept(call(`m${at}`, `a${at}`));
  expect(log.list()).toHaveLength(500);
});

it('counts nothing as premium when no user set a call off', () => {
  const log = new ModelUseLog();
  log.accept(call('a'));
  expect(
    premiumUses(
      log.list(),
      () => ({ id: 'a', multiplier: 1 }),
      () => 0,
    ),
  ).toEqual([]);
});
