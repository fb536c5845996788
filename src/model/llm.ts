// One provider-neutral conversation model. Every dialect decoder ends here. What a decoder does not know it keeps as
// `other` with its JSON, never drops.

export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'other';

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly cached?: boolean }
  | {
      readonly kind: 'image';
      readonly mediaType: string;
      readonly url?: string;
      readonly bytes?: number;
      readonly cached?: boolean;
    }
  | {
      readonly kind: 'document';
      readonly mediaType: string;
      readonly name?: string;
      readonly bytes?: number;
      readonly cached?: boolean;
    }
  | { readonly kind: 'thinking'; readonly text: string; readonly opaqueBytes?: number }
  | {
      readonly kind: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly argumentsText: string;
      readonly cached?: boolean;
    }
  | {
      readonly kind: 'tool-result';
      readonly callId: string;
      readonly parts: readonly Part[];
      readonly isError?: boolean;
      readonly cached?: boolean;
    }
  | {
      readonly kind: 'reference';
      readonly type: string;
      readonly id?: string;
      readonly data: unknown;
      readonly implicit?: boolean;
    }
  | { readonly kind: 'other'; readonly type: string; readonly json: unknown };

/** One message of a request. `cached` on a part (or on the message) marks a cache breakpoint set by the client. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly cached?: boolean;
  readonly name?: string;
}

/** A tool offered to the model. `deferred` tools are sent but not shown to the model until it searches for them. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  readonly deferred: boolean;
}

export interface LlmRequest {
  /** Name of the dialect that decoded it, e.g. `openai-chat`. */
  readonly dialect: string;
  readonly model: string | null;
  readonly stream: boolean;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolOffer[];
  /** Everything else that was set: temperature, max_tokens, reasoning, … as sent. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Responses dialect: the earlier response that this one continues. */
  readonly previousResponseId?: string;
  /** Completions dialects: text before and after the cursor. */
  readonly prompt?: string;
  readonly suffix?: string;
}

/** Token counts as reported by the provider. A field is absent when the provider did not report it. */
export interface Usage {
  /** All prompt tokens, cached ones included. */
  input?: number;
  /** Of these, read from the provider's cache. */
  cached?: number;
  /** Of these, written to the cache. */
  cacheWrite?: number;
  output?: number;
  reasoning?: number;
  acceptedPrediction?: number;
  rejectedPrediction?: number;
  total?: number;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Joined arguments as sent; usually JSON, possibly cut. */
  readonly argumentsText: string;
}

export interface LlmError {
  readonly code: string;
  readonly message: string;
}

/** One answer, joined from its stream. */
export interface LlmReply {
  readonly id: string | null;
  readonly model: string | null;
  /** Joined text of the first choice (the only one in practice); further choices are in `alternatives`. */
  readonly text: string;
  readonly alternatives: readonly string[];
  readonly thinking: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly finishReason: string | null;
  readonly error?: LlmError;
  /** What the provider said beside text: filters, annotations, citations, quota snapshots, unknown events. */
  readonly other: readonly { readonly type: string; readonly json: unknown }[];
  /** True when the stream reached its own end mark; false when it was cut or capture ended. */
  readonly complete: boolean;
}

/** What a reply decoder reports while the stream flows. */
export type ReplyDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly name: string; readonly argumentsText: string };
