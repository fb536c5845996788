import { expect, it } from 'vitest';
import { repeated, roundOf } from '../../src/insight/rounds.ts';
import { FULL, TextKeeper } from '../../src/insight/texts.ts';
import { made, tool } from './calls.ts';

const keeper = new TextKeeper(FULL);

it('takes from a call what a reader of the turn needs', () => {
  const call = made({ messages: [], text: 'hi', toolCalls: [tool('t', 'mcp_my_server_do')], startMs: 1, endMs: 3 });
  expect(roundOf(call, keeper, ['mcp_my_server'])).toMatchObject({
    call: call.id,
    said: { text: 'hi', chars: 2 },
    thought: undefined,
    tools: [{ name: 'mcp_my_server_do', server: 'my_server', permission: 'other' }],
    isWhole: true,
  });
});

it('is not whole when the capture or the answer is not', () => {
  const call = made({ messages: [], startMs: 1, endMs: 3 });
  expect(roundOf({ ...call, captured: 'partly' }, keeper, []).isWhole).toBe(false);
  expect(roundOf({ ...call, llm: { ...call.llm!, complete: false } }, keeper, []).isWhole).toBe(false);
});

it('lists every attempt with its own times and why it failed', () => {
  const at = (startMs: number, more = {}) =>
    roundOf({ ...made({ messages: [], startMs, endMs: startMs + 1 }), ...more }, keeper, []);
  const round = repeated(repeated(at(0, { status: 503 }), at(10, { status: 200, end: 'reset' })), at(20));
  expect(round).toMatchObject({
    startNs: 0n,
    sentNs: 20_000_000n,
    failed: [
      { startNs: 0n, endNs: 1_000_000n, reason: 'http.503' },
      { startNs: 10_000_000n, reason: 'cut' },
    ],
  });
});
