import { expect, test } from 'vitest';
import { sumsOf } from '../../../src/app/conversations/sums.ts';
import { round, turn, use } from '../../insight/turns.ts';

test('compactions count into tokens and time, models in the order of their first use', () => {
  const rounds = [
    { ...round(use('f', {})), model: 'b', startNs: 5n, endNs: 9n, usage: { input: 10, output: 1 } },
    { ...round(), model: 'a', startNs: 10n, endNs: 12n, usage: { input: 20 } },
    { ...round(), model: 'b', startNs: 12n, endNs: 13n },
  ];
  const compaction = { call: { connection: 1, exchange: 9 }, startNs: 13n, endNs: 20n, afterRound: 3 };
  const compactions = [{ ...compaction, summary: { text: '', chars: 0 }, usage: { input: 5 } }];
  expect(sumsOf({ number: 1, kind: 'chat', turns: [{ ...turn(), rounds, compactions }] })).toEqual({
    startNs: 5n,
    endNs: 20n,
    rounds: 3,
    tools: 1,
    permissions: { other: 1 },
    servers: {},
    retries: 0,
    usage: { input: 35, output: 1 },
    models: ['b', 'a'],
  });
});
