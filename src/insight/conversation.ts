// What calls are grouped into. A conversation is what a user (or, for a subagent, another agent) leads with a model; a
// turn is what one message caused; a round is one request of a turn with its answer, repeated attempts included.

import type { CallId, LlmError, Usage } from '../model/index.ts';
import type { KeptText } from './texts.ts';
import type { ToolPermission } from './tools.ts';

/** A tool call of an answer, with what became of it. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly permission: ToolPermission;
  /** MCP server that the tool belongs to. */
  readonly server?: string;
  /** As sent by the model. */
  readonly arguments: KeptText;
  /** From the end of the answer to the request that brought the result; absent while none did. */
  durationNs?: bigint;
  result?: KeptText;
  isError?: boolean;
  /** Number of the conversation that this call started, for a subagent. */
  subagent?: number;
}

/** A request that failed or was cut, and was then repeated. */
export interface Attempt {
  readonly call: CallId;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Error code, status, or how it ended. */
  readonly reason: string;
}

export interface Round {
  /** The attempt that counts: the last one. */
  readonly call: CallId;
  /** Earlier attempts of the same request. */
  readonly failed: readonly Attempt[];
  readonly class: string;
  readonly kind: string | undefined;
  readonly host: string | null;
  readonly status: number | null;
  /** When the first attempt began. */
  readonly startNs: bigint;
  /** When the attempt that counts began. */
  readonly sentNs: bigint;
  readonly endNs: bigint;
  readonly model: string | null;
  /** Model that the answer names. */
  readonly answeredBy: string | undefined;
  readonly thought: KeptText | undefined;
  readonly said: KeptText | undefined;
  readonly tools: readonly ToolUse[];
  readonly usage: Usage;
  readonly finishReason: string | null;
  readonly error: LlmError | undefined;
  /** False when the answer has no end, or the capture lost a part of it. */
  readonly isWhole: boolean;
}

/** A call that replaced the history of a conversation by a summary. */
export interface Compaction {
  readonly call: CallId;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly summary: KeptText;
  readonly usage: Usage;
  /** Number of rounds that the turn had before it. */
  readonly afterRound: number;
}

/** A call that served a turn: title, progress, commit message, … */
export interface Helper {
  readonly call: CallId;
  readonly kind: string;
  readonly said: KeptText | undefined;
}

export interface TurnRouting {
  readonly label?: string;
  readonly chosen?: string;
  readonly isFallback?: boolean;
}

export interface Turn {
  /** `X-Request-Id` of its calls, when they have one. */
  readonly requestId: string | null;
  /** `X-Interaction-Id` of the user action that it belongs to. */
  readonly interactionId: string | null;
  /** What the user asked, without the prompt around it. */
  readonly asked: KeptText;
  /** The router's call that chose the model for this question. */
  readonly router: CallId | undefined;
  /** What it decided; present when `router` is. */
  readonly routing?: TurnRouting | undefined;
  readonly rounds: Round[];
  readonly compactions: Compaction[];
  readonly helpers: Helper[];
}

export interface Conversation {
  /** From 1, in the order in which they began. */
  readonly number: number;
  /** Kind of its first call, e.g. `agent.turn`, `ask.turn`, `agent.subagent`; `chat` when it has none. */
  readonly kind: string;
  /** The tool call that started it, for a subagent. */
  readonly parent?: { readonly conversation: number; readonly toolCallId: string };
  readonly turns: Turn[];
}

/** LLM calls of one class and kind that belong to no conversation. */
export interface Loose {
  readonly class: string;
  readonly kind: string | undefined;
  readonly count: number;
  /** The first of them. */
  readonly calls: readonly CallId[];
}

export interface Grouping {
  readonly conversations: readonly Conversation[];
  /** Ghost text, edit suggestions, embeddings, helpers of an unseen turn. */
  readonly loose: readonly Loose[];
}
