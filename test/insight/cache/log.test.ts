import { expect, test } from 'vitest';
import { CacheLog, createCallGrouper, TokenMeter } from '../../../src/insight/index.ts';
import type { CallCompleted, LlmRequest, Message, ToolOffer, Usage } from '../../../src/model/index.ts';
import { asks, made, says, system, user } from '../calls.ts';

interface Prompt {
  readonly messages: readonly Message[];
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly parameters?: LlmRequest['parameters'];
  readonly usage?: Usage;
  readonly startMs?: number;
  readonly previousResponseId?: string;
  readonly responseId?: string;
}

const offer = (text: string): ToolOffer => {
  const [name = '', description = ''] = text.split(':');
  return { name, description, schema: {}, deferred: description === 'deferred' };
};

let clock = 0;
function call(prompt: Prompt): CallCompleted {
  clock += 10;
  const { messages, previousResponseId, responseId, model = 'm' } = prompt;
  const startMs = prompt.startMs ?? clock;
  const one = made({
    kind: 'agent.turn',
    messages,
    requestId: 'r1',
    startMs,
    endMs: startMs + 5,
    ...(previousResponseId && { previousResponseId }),
    ...(responseId && { responseId }),
  });
  if (one.llm?.request === undefined) throw new Error('made without a request');
  const request = {
    ...one.llm.request,
    model,
    tools: (prompt.tools ?? []).map(offer),
    parameters: prompt.parameters ?? {},
  };
  return { ...one, llm: { ...one.llm, model, request, usage: prompt.usage ?? {} } };
}

function run(...prompts: Prompt[]) {
  const grouper = createCallGrouper();
  const log = new CacheLog({ meter: new TokenMeter((text) => text.length), safe: (text) => text });
  for (const prompt of prompts.map(call)) {
    log.accept(prompt, grouper.accept(prompt));
  }
  return log.steps;
}

const S = system('You are. It is 2026-06-01 12:00:00. Go.');
const second = (...prompts: [Prompt, Prompt]) => run(...prompts)[1];

test('a request that extends the one before reuses all of it', () => {
  const [first, next] = run({ messages: [S, asks('a')] }, { messages: [S, asks('a'), says('b'), user('c')] });
  expect(first).not.toHaveProperty('compared');
  expect(next?.compared).toEqual({ bytes: first?.bytes, tokens: first?.tokens, lostTokens: 0 });
});

test('a timestamp in the system text breaks it there, with the difference', () => {
  const step = second(
    { messages: [S, asks('a')] },
    { messages: [system('You are. It is 2026-06-01 12:00:07. Go.'), asks('a'), says('b')] },
  );
  expect(step?.compared).toMatchObject({
    bytes: 'You are. It is 2026-06-01 12:00:0'.length,
    cause: 'timestamp',
    at: 'system text',
    difference: { line: 1, before: 'You are. It is 2026-06-01 ', removed: '12:00:00.', added: '12:00:07.' },
  });
  expect(step?.compared?.lostTokens).toBeGreaterThan(0);
});

test.each([
  ['tools-added', ['a'], ['a', 'b']],
  ['tools-removed', ['a', 'b'], ['a']],
  ['tools-reordered', ['a', 'b'], ['b', 'a']],
  ['tool-changed', ['a:old'], ['a:new']],
] as const)('%s', (cause, before, after) => {
  expect(
    second({ messages: [S, asks('x')], tools: before }, { messages: [S, asks('x'), says('y')], tools: after })?.compared
      ?.cause,
  ).toBe(cause);
});

test('deferred tools are not part of the prompt', () => {
  expect(
    second(
      { messages: [S, asks('x')], tools: ['a'] },
      { messages: [S, asks('x'), says('y')], tools: ['a', 'z:deferred'] },
    )?.compared,
  ).not.toHaveProperty('cause');
});

test.each([
  ['another model', 'model', { messages: [S, asks('x')] }, { messages: [S, asks('x'), says('y')], model: 'n' }],
  [
    'thinking changed',
    'thinking',
    { messages: [S, asks('x')] },
    { messages: [S, asks('x'), says('y')], parameters: { thinking: { type: 'enabled' } } },
  ],
  [
    'compaction',
    'compaction',
    { messages: [S, user('g'), asks('x'), says('y')] },
    { messages: [S, user('g'), user('<conversation-summary>\ns\n</conversation-summary>')] },
  ],
  [
    'an id',
    'id',
    { messages: [system('session 17abc'), asks('x')] },
    { messages: [system('session 18abc'), asks('x')] },
  ],
  [
    'system text',
    'system-changed',
    { messages: [system('be kind'), asks('x')] },
    { messages: [system('be brief please'), asks('x')] },
  ],
  [
    'history changed',
    'history-changed',
    { messages: [S, asks('x'), says('one thing'), user('z')] },
    { messages: [S, asks('x'), says('another matter'), user('z')] },
  ],
  [
    'history cut',
    'history-cut',
    { messages: [S, asks('x'), says('one'), says('two'), user('z')] },
    { messages: [S, asks('x'), says('two'), user('z')] },
  ],
] as const)('%s', (_, cause, before, after) => {
  expect(second(before, after)?.compared?.cause).toBe(cause);
});

test('a provider that hardly read what was there is told, with the silence before', () => {
  const long = system('x'.repeat(5_000));
  const step = second(
    { messages: [long, asks('a')], startMs: 1_000 },
    { messages: [long, asks('a'), says('b')], usage: { input: 5_200, cached: 0 }, startMs: 1_000_000 },
  );
  expect(step).toMatchObject({ unserved: true, idleMs: 998_995 });
  expect(
    second(
      { messages: [long, asks('a')] },
      { messages: [long, asks('a'), says('b')], usage: { input: 5_200, cached: 4_992 } },
    ),
  ).not.toHaveProperty('unserved');
});

test('a chained request has the provider’s copy in front of it', () => {
  const [first, next] = run(
    { messages: [S, asks('a')], responseId: 'resp_1' },
    { messages: [user('b')], previousResponseId: 'resp_1' },
  );
  expect(next).toMatchObject({ chained: true, compared: { bytes: first?.bytes, lostTokens: 0 } });
});

test('conversations are followed apart, and calls outside of one are no steps', () => {
  const other = made({ class: 'completions.inline', messages: [], startMs: 0, endMs: 1 });
  const grouper = createCallGrouper();
  const log = new CacheLog({ meter: new TokenMeter((text) => text.length), safe: (text) => text });
  log.accept(other, grouper.accept(other));
  expect(log.steps).toEqual([]);
});
