import { expect, test } from 'vitest';
import type { TurnFacts } from '../../../src/sinks/index.ts';
import { LiveOtlp, type LiveOtlpHost, type LiveTurn } from '../../../src/sinks/otlp/live.ts';
import type { Refusal } from '../../../src/sinks/otlp/refusal.ts';
import { call } from '../events.ts';

/** A collector that says what it is told to say, and a session whose turns are given. */
function live(over: Partial<LiveOtlpHost> = {}) {
  const got: string[] = [];
  const messages: string[] = [];
  const state: { answer: Refusal | undefined; turns: LiveTurn[] } = { answer: undefined, turns: [] };
  const otlp = new LiveOtlp({
    transport: {
      async traces({ resourceSpans }) {
        if (state.answer === undefined)
          for (const { scopeSpans } of resourceSpans)
            for (const { spans } of scopeSpans) got.push(...spans.map(({ name }) => name));
        return state.answer;
      },
      async metrics({ resourceMetrics }) {
        if (state.answer === undefined) got.push(`${resourceMetrics[0]?.scopeMetrics[0]?.metrics.length} metrics`);
        return state.answer;
      },
    },
    target: 'http://c',
    toolVersion: '1',
    content: false,
    turns: () => state.turns.splice(0),
    info: (text) => messages.push(text),
    warn: (text) => messages.push(text),
    ...over,
  });
  return { otlp, got, messages, state };
}

const away: Refusal = { reason: 'gone', isPassing: true };

const turn = (calls: readonly string[], tools: TurnFacts['tools'] = []): TurnFacts => ({
  id: '1.1',
  conversation: 1,
  kind: 'agent.turn',
  asked: '',
  startNs: 0n,
  endNs: 1n,
  calls,
  tools,
  requestId: null,
});

test('a call goes out with the next tick, its tool with the result, its turn when it is over; each once', async () => {
  const { otlp, got, state } = live();
  const tool = { id: 't1', name: 'read_file', argumentsText: '', startNs: 1n, isError: false };
  otlp.accept(call({ id: 'c1.1' }));
  state.turns = [{ turn: turn(['c1.1'], [tool]), isOver: false }];
  await otlp.tick(60_000);
  expect(got.splice(0)).toEqual(['chat gpt-4.1', '3 metrics']);
  otlp.accept(call({ id: 'c1.2' }));
  const again = turn(['c1.1', 'c1.2'], [{ ...tool, endNs: 2n }]);
  state.turns = [{ turn: again, isOver: false }];
  await otlp.tick(65_000);
  expect(got.splice(0)).toEqual(['execute_tool read_file', 'chat gpt-4.1']);
  state.turns = [{ turn: again, isOver: true }];
  await otlp.tick(70_000);
  expect(got.splice(0)).toEqual(['invoke_agent agent.turn']);
  // One more call of a turn that seemed to be over.
  otlp.accept(call({ id: 'c1.3' }));
  state.turns = [{ turn: again, isOver: false }];
  await otlp.end(75_000);
  expect(got).toEqual(['chat gpt-4.1', '3 metrics']);
  expect(otlp.lost).toBe(0);
});

test('while the collector is away nothing is lost, it is said once, and tried again with growing pauses', async () => {
  const { otlp, got, messages, state } = live();
  state.answer = away;
  let attempts = 0;
  for (let nowMs = 0; nowMs < 300_000; nowMs += 5000) {
    otlp.accept(call({ id: `c1.${nowMs}` }));
    const before = messages.length;
    await otlp.tick(nowMs);
    attempts += messages.length - before;
  }
  expect(attempts).toBe(1);
  expect(messages).toEqual(['http://c did not take the data: gone; spans wait, and it is tried again']);
  state.answer = undefined;
  await otlp.tick(1_000_000);
  expect(got.filter((name) => name === 'chat gpt-4.1').length).toBe(60);
  expect(messages[1]).toBe('http://c takes spans again');
  expect(otlp.lost).toBe(0);
});

test('pauses double from 5 s to a minute', async () => {
  const tried: number[] = [];
  let nowMs = 0;
  const traces = async () => {
    tried.push(nowMs);
    return away;
  };
  const { otlp } = live({ transport: { traces, metrics: async () => undefined } });
  otlp.accept(call());
  for (; nowMs <= 200_000; nowMs += 1000) await otlp.tick(nowMs);
  expect(tried).toEqual([0, 5000, 15_000, 35_000, 75_000, 135_000, 195_000]);
});

test('what the collector will never take is given up, counted, and said once', async () => {
  const { otlp, got, messages, state } = live();
  state.answer = { reason: 'HTTP 400', isPassing: false };
  otlp.accept(call({ id: 'c1.1' }));
  await otlp.tick(0);
  otlp.accept(call({ id: 'c1.2' }));
  await otlp.tick(5000);
  expect(otlp.lost).toBe(2);
  expect(messages.filter((text) => text.includes('lost'))).toEqual([
    'http://c did not take the data: HTTP 400; its spans are lost',
  ]);
  state.answer = undefined;
  otlp.accept(call({ id: 'c1.3' }));
  await otlp.tick(10_000);
  expect(got[0]).toBe('chat gpt-4.1');
});

test('what waits is bounded: the newest is given up and counted', async () => {
  const { otlp, state } = live();
  state.answer = away;
  for (let n = 0; n < 20_010; n++) otlp.accept(call({ id: `c1.${n}` }));
  expect(otlp.lost).toBe(10);
  await otlp.end(0);
  otlp.close();
  expect(otlp.lost).toBe(20_010);
});

test('a request that never ends holds up no event, and is the only one', async () => {
  let requests = 0;
  const traces = () => {
    requests += 1;
    return new Promise<undefined>(() => {});
  };
  const { otlp } = live({ transport: { traces, metrics: async () => undefined } });
  for (let n = 0; n < 3; n++) {
    otlp.accept(call({ id: `c1.${n}` }));
    void otlp.tick(n * 5000);
  }
  await Promise.resolve();
  expect(requests).toBe(1);
});

test('calls of no model are none of its business', async () => {
  const { otlp, got } = live();
  const { llm: _, ...plain } = call();
  otlp.accept(plain);
  await otlp.end(0);
  expect(got).toEqual([]);
});
