import { expect, test } from 'vitest';
import { LiveTurns } from '../../src/app/live-turns.ts';
import { asks, gives, made, says, system, tool } from '../insight/calls.ts';

const rules = system('rules of today');
const read = tool('t1', 'read_file', { filePath: '/a' });
const question = [rules, asks('fix the bug')];
const first = () =>
  made({ kind: 'agent.turn', messages: question, toolCalls: [read], startMs: 0, endMs: 100, requestId: 'q1' });
const answered = [...question, says('', read), gives('t1', 'code')];
const second = () =>
  made({ kind: 'agent.round', messages: answered, text: 'done', startMs: 300, endMs: 400, requestId: 'q1' });
const next = () =>
  made({
    kind: 'agent.turn',
    messages: [...answered, says('done'), asks('now test it')],
    startMs: 500,
    endMs: 600,
    requestId: 'q2',
  });

/** Of each turn: its id, its number of calls, its tools that have ended, whether it is over. */
const shown = (news: ReturnType<LiveTurns['news']>) =>
  news.map(({ turn, isOver }) => [
    turn.id,
    turn.calls.length,
    turn.tools.filter(({ endNs }) => endNs !== undefined).length,
    isOver,
  ]);

test('a turn that waits for a tool stays open however long that takes', () => {
  const turns = new LiveTurns();
  turns.accept(first());
  expect(shown(turns.news(0, false))).toEqual([['1.1', 1, 0, false]]);
  expect(shown(turns.news(3_600_000, false))).toEqual([['1.1', 1, 0, false]]);
});

test('a turn is over when nothing followed its answer for 30 s, and then told no more', () => {
  const turns = new LiveTurns();
  turns.accept(first());
  turns.accept(second());
  expect(shown(turns.news(1000, false))).toEqual([['1.1', 2, 1, false]]);
  expect(shown(turns.news(30_999, false))).toEqual([['1.1', 2, 1, false]]);
  expect(shown(turns.news(31_000, false))).toEqual([['1.1', 2, 1, true]]);
  expect(turns.news(99_000, false)).toEqual([]);
});

test('a turn is over when the next one begins, and all are at the end', () => {
  const turns = new LiveTurns();
  for (const call of [first(), second(), next()]) turns.accept(call);
  expect(shown(turns.news(0, false))).toEqual([
    ['1.1', 2, 1, true],
    ['1.2', 1, 0, false],
  ]);
  expect(shown(turns.news(1, true))).toEqual([['1.2', 1, 0, true]]);
});

test('after many calls it starts anew, and conversations go on being numbered', () => {
  const turns = new LiveTurns();
  turns.accept(first());
  const completion = made({ class: 'completions.copilot', messages: [], startMs: 0, endMs: 1 });
  for (let n = 1; n < 20_000; n++) turns.accept(completion);
  expect(shown(turns.news(0, false))).toEqual([['1.1', 1, 0, true]]);
  turns.accept(second());
  expect(shown(turns.news(1, true))).toEqual([['2.1', 1, 0, true]]);
});
