import { expect, it } from 'vitest';
import { BootGrouper } from '../../src/insight/boot.ts';
import { made, user } from './calls.ts';

const at = (callClass: string, startMs: number) => {
  const { llm: _, ...call } = made({ class: callClass, messages: [], startMs, endMs: startMs + 10 });
  return call;
};
const bootsOf = (...calls: ReturnType<typeof made>[]) => {
  const grouper = new BootGrouper();
  for (const call of calls) grouper.accept(call);
  return grouper.list().map(({ stages }) => stages.map(({ stage, calls }) => [stage, calls.length]));
};

it('groups the calls before the first question into steps, in the order of the steps', () => {
  const question = made({ kind: 'agent.turn', messages: [user('q')], startMs: 100, endMs: 110 });
  const calls = [
    at('models.list', 30),
    at('auth.token', 0),
    at('auth.user', 1),
    at('mcp.registry', 20),
    at('github.rest', 25),
  ];
  expect(bootsOf(...calls, at('telemetry.copilot', 40), question, at('auth.token', 200))).toEqual([
    [
      ['sign-in', 2],
      ['registry', 1],
      ['repository context', 1],
      ['model discovery', 1],
    ],
  ]);
});

it('does not take a renewed token or a renewed model list for a start', () => {
  expect(bootsOf(at('auth.token', 0), at('auth.token', 50))).toEqual([]);
  expect(bootsOf(at('models.list', 0), at('models.session', 50))).toEqual([]);
});

it('ends a start after half a minute of silence', () => {
  const start = [at('auth.token', 0), at('models.list', 20)];
  expect(bootsOf(...start, at('auth.token', 31_000), at('models.list', 31_020))).toHaveLength(2);
  expect(bootsOf(...start, at('auth.token', 29_000), at('models.list', 29_020))).toHaveLength(1);
});

it('tells when it began and ended, whatever the order in which calls ended', () => {
  const grouper = new BootGrouper();
  for (const call of [at('models.list', 30), at('auth.token', 0)]) grouper.accept(call);
  expect(grouper.list()).toMatchObject([{ startNs: 0n, endNs: 40_000_000n }]);
});
