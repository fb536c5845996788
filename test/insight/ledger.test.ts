import { expect, it } from 'vitest';
import { Ledger } from '../../src/insight/ledger.ts';
import { asks, made, says, user } from './calls.ts';

const workspace = user('<workspace_info>x</workspace_info>');

/** A ledger with one conversation, whose request was `messages`. */
function ledgerWith(messages: Parameters<typeof made>[0]['messages'], opening: number) {
  const ledger = new Ledger();
  const ask = (more: Parameters<typeof made>[0]['messages'], kind = 'agent.turn') => {
    const call = made({ kind, messages: more, startMs: 0, endMs: 1 });
    return ledger.asked(call, call.llm!.request!);
  };
  const led = {
    conversation: { number: 1, kind: 'agent.turn', turns: [] },
    messages: ask(messages).messages,
    answer: [],
    failed: false,
    opening,
    summary: undefined,
  };
  ledger.begin(led);
  return { ledger, led, ask };
}

it('needs the opening in common, not only the workspace', () => {
  const { ledger, led, ask } = ledgerWith([workspace, asks('a')], 2);
  expect(ledger.find(ask([workspace, asks('a'), says('x'), asks('b')]))).toBe(led);
  expect(ledger.find(ask([workspace, asks('other'), says('x'), asks('b')]))).toBeUndefined();
});

it('keeps a subagent out of its parent, whatever they share', () => {
  const { ledger, ask } = ledgerWith([workspace, asks('a')], 2);
  expect(ledger.find(ask([workspace, asks('a'), says('x')], 'agent.subagent'))).toBeUndefined();
});

it('finds a conversation by the summary that replaced it, through JSON escapes', () => {
  const { ledger, led, ask } = ledgerWith([workspace, asks('a')], 2);
  Object.assign(led, { summary: 'It said "x"\nand y' });
  expect(ledger.find(ask([user('<conversation-summary>It said "x"\nand y</conversation-summary>')]))).toBe(led);
  expect(ledger.find(ask([user('nothing of it')]))).toBeUndefined();
});

it('gives back what old conversations are recognised by, the least recently used first', () => {
  const { ledger, led, ask } = ledgerWith([workspace, asks('a')], 2);
  for (let at = 0; at < 999; at += 1) {
    const messages = ask([workspace, asks(`question ${at}`)]).messages;
    ledger.begin({
      conversation: { number: at + 2, kind: 'agent.turn', turns: [] },
      messages,
      answer: [],
      failed: false,
      opening: 2,
      summary: undefined,
    });
  }
  const again = ask([workspace, asks('a'), says('x'), asks('b')]);
  expect(ledger.find(again)).toBe(led);
  ledger.remember(led, again);
  const [, second] = ledger.led;
  ledger.begin({ ...led, conversation: { ...led.conversation, number: 1001 }, messages: [] });
  expect(second?.messages).toEqual([]);
  expect(ledger.find(again)).toBe(led);
});
