import { expect, it } from 'vitest';
import { telemetryFacts } from '../../../src/copilot/facts/telemetry.ts';

const envelope = (name: string) => JSON.stringify({ name: 'envelope', data: { baseData: { name } } });
const facts = (request: string) => telemetryFacts({ path: null, request, response: '' });

it('counts events by name, one per line or in an array', () => {
  const lines = [envelope('copilot-chat/a'), envelope('copilot-chat/b'), envelope('copilot-chat/a')];
  const counted = { facts: 'telemetry', events: { 'copilot-chat/a': 2, 'copilot-chat/b': 1 } };
  expect(facts(`${lines.join('\n')}\n`)).toEqual(counted);
  expect(facts(`[${lines.join(',')}]`)).toEqual(counted);
});

it('points out events that carry text', () => {
  expect(facts(envelope('copilot-chat/engine.messages'))).toMatchObject({ withText: ['copilot-chat/engine.messages'] });
});

it('says nothing of a body without events', () => {
  expect(facts('')).toBeUndefined();
});
