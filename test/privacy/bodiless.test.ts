import { expect, it } from 'vitest';
import { withoutBodies } from '../../src/privacy/bodiless.ts';
import { call, OTHER_EVENTS, summary } from '../sinks/events.ts';

it('keeps heads, sizes, model, usage and tool names, and nothing that was written', () => {
  const before = call();
  const after = withoutBodies(before);
  expect(after).toMatchObject({ id: before.id, request: before.request, timing: before.timing });
  expect(after).toMatchObject({ llm: { model: before.llm!.model, usage: before.llm!.usage, text: '' } });
  const text = JSON.stringify(after);
  expect(['Rename it', 'Rename foo', 'a.ts', '"messages"'].filter((piece) => text.includes(piece))).toEqual([]);
});

it('leaves out what a service call carried away', () => {
  const item = { what: 'file', path: '/a.ts', bytes: 3, text: 'abc', whole: true } as const;
  const sent = withoutBodies(call({ service: { facts: 'sent', items: [item] } }));
  expect(sent).toMatchObject({ service: { items: [{ path: '/a.ts', bytes: 3, text: '' }] } });
  const router = withoutBodies(call({ service: { facts: 'router', prompt: 'why?', label: 'easy' } }));
  expect(router).toMatchObject({ service: { label: 'easy' } });
  expect(JSON.stringify(router)).not.toContain('why?');
});

it('drops pieces of answers, and passes other events on', () => {
  const events = [...OTHER_EVENTS, summary()];
  const passed = events.map(withoutBodies);
  expect(passed).toEqual(events.map((event) => (event.type === 'call.delta' ? null : event)));
});
