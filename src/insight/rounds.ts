// One call as a round of a turn, and its tool calls as tool uses.

import type { CallCompleted, ToolCall } from '../model/index.ts';
import type { Attempt, Round, ToolUse } from './conversation.ts';
import { copyOf, keptOrNone, type TextKeeper } from './texts.ts';
import { mcpServerOf, permissionOf } from './tools.ts';

export function roundOf(call: CallCompleted, keeper: TextKeeper, prefixes: readonly string[]): Round {
  const { llm } = call;
  return {
    call: call.id,
    failed: [],
    class: call.class,
    kind: call.kind,
    host: copyOrNull(call.host),
    status: call.status,
    startNs: call.startNs,
    sentNs: call.startNs,
    endNs: call.tsNs,
    model: copyOrNull(llm?.model ?? null),
    answeredBy: llm?.answeredBy === undefined ? undefined : copyOf(llm.answeredBy),
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
    id: copyOf(id),
    name: copyOf(name),
    permission: permissionOf(name),
    ...(server === undefined ? {} : { server: copyOf(server) }),
    arguments: keeper.keep(argumentsText),
  };
}

/** Names are slices of heads and bodies: without a copy each would keep its whole source in memory. */
const copyOrNull = (text: string | null): string | null => (text === null ? null : copyOf(text));

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
