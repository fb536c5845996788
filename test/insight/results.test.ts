import { expect, it } from 'vitest';
import { Ledger } from '../../src/insight/ledger.ts';
import { noteResults } from '../../src/insight/results.ts';
import { FULL, TextKeeper } from '../../src/insight/texts.ts';
import { gives, made } from './calls.ts';
import { turn, use } from './turns.ts';

const askedWith = (...messages: Parameters<typeof made>[0]['messages']) => {
  const call = made({ kind: 'agent.round', messages, startMs: 5, endMs: 6 });
  return new Ledger().asked(call, call.llm!.request!);
};

it('joins a result with its call in one of the last two rounds, once', () => {
  const one = turn([use('f', {})], [use('g', {})], [use('h', {})]);
  const keeper = new TextKeeper(FULL);
  noteResults(one, askedWith(gives('f-1', 'late'), gives('g-1', 'text', true), gives('none', 'x')), keeper);
  noteResults(one, askedWith(gives('g-1', 'again')), keeper);
  const [f, g, h] = one.rounds.flatMap(({ tools }) => tools);
  expect(f).not.toHaveProperty('result');
  expect(g).toMatchObject({ result: { text: 'text' }, isError: true, durationNs: 5_000_000n });
  expect(h).not.toHaveProperty('result');
});

it('names parts of a result that are no text', () => {
  const one = turn([use('f', {})]);
  const image = { kind: 'image', mediaType: 'image/png' } as const;
  const message = { role: 'tool' as const, parts: [{ kind: 'tool-result', callId: 'f-1', parts: [image] } as const] };
  noteResults(one, askedWith(message), new TextKeeper(FULL));
  expect(one.rounds[0]?.tools[0]?.result?.text).toBe('[image]');
});
