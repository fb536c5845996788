// One call as a round of a turn, and its tool calls as tool uses.

import type { CallCompleted, ToolCall } from '../model/index.ts';
import type { Attempt, Round, ToolUse } from './conversation.ts';
import { keptOrNone, type TextKeeper } from './texts.ts';
import { mcpServerOf, permissionOf } from './tools.ts';

export function roundOf(call: CallCompleted, keeper: TextKeeper, prefixes: readonly string[]): Round {
  const { llm } = call;
  return {
    call: call.id,
    failed: [],
    class: call.class,
    kind: call.kind,
    host: call.host,
    status: call.status,
    startNs: call.startNs,
    sentNs: call.startNs,
    endNs: call.tsNs,
    model: llm?.model ?? null,
    answeredBy: llm?.answeredBy,
    thought: keptOrNone(keeper, llm?.thinking),
    said: keptOrNone(keeper, llm?.text),
    tools: (llm?.toolCalls ?? []).map((tool) => toolUseOf(tool, keeper, prefixes)),
    usage: llm?.usage ?? {},
    finishReason: llm?.finishReason ?? null,
    error: llm?.error,
    isWhole: call.captured === 'whole' && llm?.complete === true,
  };
}

function toolUseOf({ id, name, argumentsText }: ToolCall, keeper: TextKeeper, prefixes: readonly string[]): ToolUse {
  const server = mcpServerOf(name, prefixes);
  return {
    id,
    name,
    permission: permissionOf(name),
    ...(server === undefined ? {} : { server }),
    arguments: keeper.keep(argumentsText),
  };
}

/** The round after one more attempt: the earlier one is listed as failed. */
export const repeated = (before: Round, again: Round): Round => ({
  ...again,
  failed: [...before.failed, attemptOf(before)],
  startNs: before.startNs,
});

function attemptOf({ call, sentNs, endNs, error, status }: Round): Attempt {
  const reason = error?.code ?? (status !== null && status >= 400 ? `http.${status}` : 'cut');
  return { call, startNs: sentNs, endNs, reason };
}
