// Links a subagent's conversation to the tool call that started it: the tool's prompt is the subagent's first question.

import { objectOf, readJson } from '../dialects/index.ts';
import type { LlmRequest, ToolCall } from '../model/index.ts';
import type { Conversation, ToolUse } from './conversation.ts';
import { type Fingerprint, fingerprintText } from './fingerprint.ts';
import { keep } from './keep.ts';
import { isHuman, userTextOf } from './user-text.ts';

const SUBAGENT_TOOLS = /^(runSubagent|search_subagent|execution_subagent|explore_subagent|task|Task)$/;

/** Subagent calls that wait for their conversation. */
const MAX_PENDING = 1000;

export interface Parent {
  readonly conversation: Conversation;
  readonly tool: ToolUse;
}

export class PendingSubagents {
  readonly #pending = new Map<Fingerprint, Parent>();

  /** Notes a tool call that may start a subagent; `sent` has its arguments in full. */
  add(conversation: Conversation, tool: ToolUse, sent: ToolCall): void {
    if (!SUBAGENT_TOOLS.test(tool.name)) return;
    const { prompt, query } = objectOf(readJson(sent.argumentsText).value);
    const text = prompt ?? query;
    if (typeof text === 'string') keep(this.#pending, keyOf(text), { conversation, tool }, MAX_PENDING);
  }

  /** The call that started the conversation which begins with `request`; each is given once. */
  take(request: LlmRequest): Parent | undefined {
    const ends = [request.messages.find(isHuman), request.messages.findLast(isHuman)];
    for (const message of ends) {
      const key = keyOf(userTextOf(message));
      const parent = this.#pending.get(key);
      if (parent === undefined) continue;
      this.#pending.delete(key);
      return parent;
    }
    return undefined;
  }
}

const keyOf = (text: string): Fingerprint => fingerprintText(text.trim());
