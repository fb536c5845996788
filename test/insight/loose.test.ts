import { expect, it } from 'vitest';
import { LooseCalls } from '../../src/insight/loose.ts';
import { made } from './calls.ts';

it('counts calls by class and kind and names the first ones', () => {
  const loose = new LooseCalls();
  const calls = Array.from({ length: 30 }, () =>
    made({ class: 'nes', kind: 'nes', messages: [], startMs: 0, endMs: 1 }),
  );
  for (const call of calls) loose.add(call);
  loose.add(made({ class: 'completions.inline', messages: [], startMs: 0, endMs: 1 }));
  expect(loose.list()).toMatchObject([
    { class: 'nes', kind: 'nes', count: 30, calls: { length: 20 } },
    { class: 'completions.inline', kind: undefined, count: 1 },
  ]);
});
