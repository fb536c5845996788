import { expect, it } from 'vitest';
import { RouterLog } from '../../src/insight/routing.ts';
import { asks, made } from './calls.ts';

const router = (prompt: string) => {
  const { llm: _, ...call } = made({ class: 'router.intent', messages: [], startMs: 0, endMs: 1 });
  return { ...call, service: { facts: 'router' as const, prompt } };
};

it('gives each question to one call only', () => {
  const log = new RouterLog();
  const chats = [1, 2].map(() => made({ kind: 'agent.turn', messages: [asks('why?')], startMs: 2, endMs: 3 }));
  for (const call of [router('why?'), ...chats]) log.accept(call);
  expect(log.list()).toMatchObject([{ answer: { call: chats[0]?.id, asked: 'm', answeredBy: null } }]);
});

it('keeps the beginning of a question, and no more decisions than its bound', () => {
  const log = new RouterLog();
  for (let at = 0; at < 1200; at += 1) log.accept(router(`${at} ${'x'.repeat(1000)}`));
  expect(log.list()).toHaveLength(1000);
  expect(log.list()[0]?.facts.prompt).toHaveLength(300);
});
