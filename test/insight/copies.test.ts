import { expect, test } from 'vitest';
import { CopyFinder, CostLog, createCallGrouper } from '../../src/insight/index.ts';
import type { CallCompleted, CallStarted } from '../../src/model/index.ts';
import { asks, made } from './calls.ts';

interface Given {
  readonly connection: number;
  readonly class?: string;
  readonly host?: string;
  readonly text?: string;
  readonly served?: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

const call = ({
  connection,
  host = 'api.githubcopilot.com',
  text = 'hello',
  served = false,
  ...given
}: Given): CallCompleted => {
  const one = made({ messages: [asks(text)], kind: 'agent.claude', ...given });
  return { ...one, host, served, id: { ...one.id, connection } };
};
const started = ({ class: callClass, host }: CallCompleted) => ({ class: callClass, host }) as CallStarted;

/** Ids of the originals, in the order in which the calls ended. */
function originals(...calls: readonly CallCompleted[]) {
  const finder = new CopyFinder();
  for (const one of calls.toSorted((a, b) => Number(a.startNs - b.startNs))) finder.started(started(one));
  return calls.map((one) => finder.completed(one)?.connection);
}

const LOCAL = { class: 'local.claude_proxy', host: '127.0.0.1:49152' };
const upstream = call({ connection: 5, class: 'chat.messages', startMs: 2, endMs: 8 });

test('the hop through a server of the editor is a copy of what went to the service', () => {
  expect(originals(upstream, call({ connection: 1, ...LOCAL, startMs: 0, endMs: 9 }))).toEqual([undefined, 5]);
});

test('a gateway of the user on this machine is one, too, whatever its class', () => {
  const hop = { class: 'byok.custom', host: 'localhost:4000', startMs: 0, endMs: 9 };
  expect(originals(upstream, call({ connection: 1, ...hop }))).toEqual([undefined, 5]);
});

test('both sides of a hop that was seen twice are copies of the same call', () => {
  const sides = [1, 2].map((connection) =>
    call({ connection, ...LOCAL, served: connection === 2, startMs: 0, endMs: 9 }),
  );
  expect(originals(upstream, ...sides)).toEqual([undefined, 5, 5]);
  expect(originals(...sides)).toEqual([undefined, 1]);
});

test('the same question asked twice at a time on one side is two questions', () => {
  const asked = [1, 2].map((connection) => call({ connection, ...LOCAL, startMs: 0, endMs: 9 }));
  expect(originals(...asked)).toEqual([undefined, undefined]);
});

test('another question, another time or another service is no copy', () => {
  const local = { connection: 1, ...LOCAL };
  expect(originals(upstream, call({ ...local, text: 'else', startMs: 0, endMs: 9 }))[1]).toBeUndefined();
  expect(originals(upstream, call({ ...local, startMs: 20, endMs: 29 }))[1]).toBeUndefined();
  expect(originals(upstream, call({ connection: 6, class: 'chat.messages', startMs: 0, endMs: 9 }))[1]).toBeUndefined();
});

test('a copy counts neither as a round nor in tokens', () => {
  const usage = { input: 100, output: 10 };
  const of = (one: CallCompleted) => ({ ...one, llm: { ...one.llm, usage } as NonNullable<typeof one.llm> });
  const copy = { ...of(call({ connection: 1, ...LOCAL, startMs: 0, endMs: 9 })), copyOf: upstream.id };
  const [costs, grouper] = [new CostLog(), createCallGrouper()];
  for (const one of [of(upstream), copy]) {
    costs.accept(one);
    grouper.accept(one);
  }
  expect(costs.rows({ asOf: '', source: '', prices: [] })).toMatchObject([{ calls: 1, usage: { input: 100 } }]);
  expect(grouper.grouping.conversations.map(({ turns }) => turns[0]?.rounds.length)).toEqual([1]);
});
