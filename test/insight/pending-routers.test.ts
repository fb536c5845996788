import { expect, it } from 'vitest';
import { PendingRouters, questionKey } from '../../src/insight/pending-routers.ts';
import { made } from './calls.ts';

it('compares questions by their beginning, whatever their spacing', () => {
  expect(questionKey(' a\n b')).toBe(questionKey('a b'));
  expect(questionKey('a b')).not.toBe(questionKey('ab'));
  expect(questionKey(`${'x'.repeat(1000)}1`)).toBe(questionKey(`${'x'.repeat(1000)}2`));
});

it('forgets the oldest decisions', () => {
  const routers = new PendingRouters();
  for (let at = 0; at <= 100; at += 1) {
    const call = made({ class: 'router.intent', messages: [], startMs: 0, endMs: 1 });
    routers.add({ ...call, service: { facts: 'router', prompt: `question ${at}` } });
  }
  expect(routers.take('question 0')).toBeUndefined();
  expect(routers.take('question 1')).toBeDefined();
});
