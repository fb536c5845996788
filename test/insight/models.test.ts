import { describe, expect, it } from 'vitest';
import { ModelsLog } from '../../src/insight/models.ts';
import type { CallCompleted, ModelInfo, ServiceFacts } from '../../src/model/index.ts';
import { asks, made } from './calls.ts';

const service = (callClass: string, facts: ServiceFacts): CallCompleted => {
  const { llm: _, ...call } = made({ class: callClass, messages: [], startMs: 0, endMs: 1 });
  return { ...call, service: facts };
};
const list = (...models: ModelInfo[]) => service('models.list', { facts: 'models', models });

interface Chat {
  readonly text?: string;
  readonly model?: string;
  readonly answeredBy?: string;
  readonly initiator?: string;
  readonly auto?: boolean;
  readonly class?: string;
  readonly error?: string;
  readonly status?: number;
}
const chat = ({
  text = 'q',
  model = 'm',
  answeredBy = model,
  initiator = 'user',
  auto = false,
  error,
  status,
  ...more
}: Chat = {}): CallCompleted => {
  const plain = made({
    kind: 'agent.turn',
    messages: [asks(text)],
    startMs: 0,
    endMs: 1,
    ...more,
    ...(error && { error }),
  });
  const llm = {
    ...plain.llm!,
    model,
    answeredBy,
    usage: { input: 10, output: 1 },
    request: { ...plain.llm!.request!, model },
  };
  const headers = [['x-initiator', initiator] as const, ...(auto ? [['copilot-session-token', 'x'] as const] : [])];
  return { ...plain, llm, request: { ...plain.request, headers }, ...(status && { status }) };
};
const reportOf = (...calls: CallCompleted[]) => {
  const log = new ModelsLog();
  for (const call of calls) log.accept(call);
  return log.report();
};

describe('model lists', () => {
  it('tell what came and went, and the newest entry counts', () => {
    const report = reportOf(
      list({ id: 'a', multiplier: 1 }, { id: 'b' }),
      list({ id: 'a', multiplier: 2 }, { id: 'c' }),
    );
    expect(report.discoveries).toMatchObject([
      { models: 2, added: [], removed: [] },
      { models: 2, added: ['c'], removed: ['b'] },
    ]);
    expect(report.models.find(({ id }) => id === 'a')?.multiplier).toBe(2);
  });

  it('of the cloud agent do not overwrite what the chat host says', () => {
    const report = reportOf(
      list({ id: 'a', multiplier: 1 }),
      service('models.agents_swe', { facts: 'models', models: [{ id: 'a' }] }),
    );
    expect(report.models).toEqual([{ id: 'a', multiplier: 1 }]);
  });
});

describe('premium requests', () => {
  it('are user calls times multiplier, less the discount in Auto mode; agent calls are free', () => {
    const session = service('models.session', { facts: 'auto-session', discounts: { a: 0.1 } });
    const calls = [chat({ model: 'a' }), chat({ model: 'a', auto: true }), chat({ model: 'a', initiator: 'agent' })];
    expect(reportOf(list({ id: 'a', multiplier: 2 }), session, ...calls).premium).toEqual([
      { model: 'a', userCalls: 2, autoUserCalls: 1, multiplier: 2, discount: 0.1, requests: 3.8 },
    ]);
  });

  it('are unknown without a list, and not counted for own keys', () => {
    expect(reportOf(chat({ model: 'a' }), chat({ model: 'a', class: 'byok.openai' })).premium).toMatchObject([
      { model: 'a', userCalls: 1, multiplier: undefined, requests: undefined },
    ]);
  });

  it('use a list that comes after the call', () => {
    expect(reportOf(chat({ model: 'a' }), list({ id: 'a', multiplier: 1 })).premium).toMatchObject([{ requests: 1 }]);
  });
});

describe('the router', () => {
  const router = (prompt: string, chosen?: string) =>
    service('router.intent', { facts: 'router', prompt, ...(chosen && { chosen }) });

  it('is joined with the call that carried the same question, and what answered it', () => {
    const report = reportOf(
      router('why?', 'a'),
      chat({ text: 'other' }),
      chat({ text: 'why?', model: 'a', answeredBy: 'b' }),
    );
    expect(report.decisions).toMatchObject([{ facts: { chosen: 'a' }, answer: { asked: 'a', answeredBy: 'b' } }]);
  });

  it('is joined with the next turn in Auto mode when the words differ', () => {
    const report = reportOf(router('/fix'), chat({ text: 'Fix all of it.', model: 'a', auto: true }));
    expect(report.decisions[0]?.answer).toMatchObject({ asked: 'a' });
    expect(reportOf(router('/fix'), chat({ text: 'Fix all of it.' })).decisions[0]?.answer).toBeUndefined();
  });
});

describe('answers', () => {
  it('by another model are listed, by a version of the same are not', () => {
    const report = reportOf(
      list({ id: 'gpt-4.1', version: 'internal-7' }),
      chat({ model: 'gpt-4.1', answeredBy: 'gpt-4.1-2025-04-14' }),
      chat({ model: 'gpt-4.1', answeredBy: 'internal-7' }),
      chat({ model: 'gpt-4.1', answeredBy: 'gpt-4o-mini' }),
    );
    expect(report.fallbacks).toMatchObject([{ asked: 'gpt-4.1', answeredBy: 'gpt-4o-mini' }]);
    expect(report.uses).toMatchObject([{ model: 'gpt-4.1', calls: 3, usage: { input: 30, output: 3 } }]);
  });
});

describe('limits', () => {
  it('are told by status and by code', () => {
    const report = reportOf(
      chat({ status: 429, error: 'rate_limited' }),
      chat({ error: 'quota_exceeded', status: 200 }),
      chat({ error: 'server_error', status: 500 }),
    );
    expect(report.limits.map(({ status, code }) => [status, code])).toEqual([
      [429, 'rate_limited'],
      [200, 'quota_exceeded'],
    ]);
    expect(report.uses[0]?.errors).toBe(3);
  });
});
