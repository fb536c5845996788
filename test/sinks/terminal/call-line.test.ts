import { expect, it } from 'vitest';
import { callLine, headLine, marksOf } from '../../../src/sinks/terminal/call-line.ts';
import { layoutFor } from '../../../src/sinks/terminal/columns.ts';
import { call, plainCall } from '../events.ts';

const plain = (text: string): string => text;

it('puts every value below its title', () => {
  const layout = layoutFor(200);
  const head = headLine(layout, plain);
  const line = callLine(call({ timing: { ttfbMs: 1, ttftMs: 2, durationMs: 3 } }), layout, plain);
  expect(line.indexOf('gpt-4.1')).toBe(head.indexOf('MODEL'));
  for (const [title, value] of [
    ['CACHED', '14080'],
    ['OUT', '212'],
    ['TTFT', '2ms'],
    ['TOTAL', '3ms'],
  ] as const) {
    expect(line.indexOf(value) + value.length).toBe(head.indexOf(title) + title.length);
  }
});

it('leaves a token count empty that the provider did not report, and shows a zero that it did', () => {
  const layout = layoutFor(160);
  const llm = call().llm!;
  const line = (usage: object): string => callLine(call({ llm: { ...llm, usage } }), layout, plain);
  expect(line({ input: 7, output: 0 })).toMatch(/ 200 +7 +0 +845ms/);
  expect(line({})).toMatch(/ 200 +845ms/);
});

it('has no mark for a call that was seen whole', () => {
  expect(marksOf(call())).toEqual([]);
  expect(marksOf(plainCall())).toEqual([]);
});

it('names every way in which a call can be incomplete', () => {
  const ends = ['reset', 'cut', 'open', 'lost'] as const;
  expect(ends.map((end) => marksOf(call({ end })))).toEqual([['reset'], ['cut'], ['still open'], ['lost']]);
});

it('says why an answer ended before the model was done, and nothing where it was', () => {
  const layout = layoutFor(200);
  const llm = call().llm!;
  const line = (more: object): string => callLine(call({ llm: { ...llm, ...more } }), layout, plain);
  expect(line({ finishReason: 'content_filter' })).toMatch(/ ended: content_filter$/);
  expect(line({ finishReason: 'failed', error: { code: 'server_error', message: 'boom' } })).toMatch(
    / server_error boom$/,
  );
  for (const finishReason of ['stop', 'end_turn', null]) expect(line({ finishReason })).not.toContain('ended');
});
