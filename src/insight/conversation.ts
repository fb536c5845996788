// What calls are grouped into. A conversation is what a user (or, for a subagent, another agent) leads with a model; a
// turn is what one message caused; a round is one request of a turn with its answer, repeated attempts included.

import type { CallId } from '../model/index.ts';

/** A tool call of an answer, with what became of it. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** As sent by the model, up to a limit. */
  readonly argumentsText: string;
  /** From the end of the answer to the request that brought the result; absent while none did. */
  durationNs?: bigint;
  isError?: boolean;
  /** Number of the conversation that this call started, for a subagent. */
  subagent?: number;
}

export interface Round {
  /** The attempt that counts: the last one. */
  call: CallId;
  /** Earlier attempts of the same request that failed or were cut. */
  readonly failed: CallId[];
  readonly startNs: bigint;
  endNs: bigint;
  readonly model: string | null;
  tools: ToolUse[];
}

export interface Turn {
  /** `X-Request-Id` of its calls, when they have one. */
  readonly requestId: string | null;
  /** `X-Interaction-Id` of the user action that it belongs to. */
  readonly interactionId: string | null;
  /** What the user asked, without the prompt around it, up to a limit. */
  readonly userText: string;
  readonly rounds: Round[];
  /** Calls that shortened the conversation during this turn. */
  readonly compactions: CallId[];
  /** Calls that served this turn: title, progress, commit message, … */
  readonly helpers: { readonly call: CallId; readonly kind: string }[];
}

export interface Conversation {
  /** From 1, in the order in which they began. */
  readonly number: number;
  /** Kind of its first call, e.g. `agent.turn`, `ask.turn`, `agent.subagent`. */
  readonly kind: string;
  /** The tool call that started it, for a subagent. */
  readonly parent?: { readonly conversation: number; readonly toolCallId: string };
  readonly turns: Turn[];
}

export interface Grouping {
  readonly conversations: readonly Conversation[];
  /** LLM calls that belong to no conversation: ghost text, edit suggestions, helpers of an unseen turn. */
  readonly loose: readonly { readonly call: CallId; readonly class: string; readonly kind?: string }[];
}
