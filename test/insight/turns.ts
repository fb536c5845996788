// Makes turns for the tests of what is read out of their tools.

import type { Round, ToolUse, Turn } from '../../src/insight/conversation.ts';

export const kept = (text: string) => ({ text, chars: text.length });

export const use = (name: string, args: unknown, result?: string, isError?: boolean): ToolUse => ({
  id: `${name}-1`,
  name,
  permission: 'other',
  arguments: kept(typeof args === 'string' ? args : JSON.stringify(args)),
  ...(result === undefined ? {} : { result: kept(result), durationNs: 1n }),
  ...(isError === undefined ? {} : { isError }),
});

export const round = (...tools: readonly ToolUse[]): Round => ({
  call: { connection: 1, exchange: 1 },
  failed: [],
  class: 'chat.completions',
  kind: undefined,
  host: null,
  status: 200,
  startNs: 0n,
  sentNs: 0n,
  endNs: 0n,
  model: null,
  answeredBy: undefined,
  thought: undefined,
  said: undefined,
  tools,
  usage: {},
  finishReason: null,
  error: undefined,
  isWhole: true,
});

/** A turn whose rounds call these tools, one list per round. */
export const turn = (...rounds: readonly (readonly ToolUse[])[]): Turn => ({
  requestId: null,
  interactionId: null,
  asked: kept(''),
  router: undefined,
  rounds: rounds.map((tools) => round(...tools)),
  compactions: [],
  helpers: [],
});
