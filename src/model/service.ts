// What is kept of calls that are no LLM calls but say something about models, quotas, rules or files: typed, bounded, and
// never a credential. docs/insight.md is their manual. Every field but the discriminator is absent when it was not sent.

export interface ModelInfo {
  readonly id: string;
  readonly name?: string;
  readonly vendor?: string;
  readonly version?: string;
  readonly family?: string;
  /** `chat`, `completion`, `embeddings`, or what a later service says. */
  readonly type?: string;
  /** Service of the completions host that it answers for, e.g. `NESChat`. */
  readonly service?: string;
  readonly isDefault?: boolean;
  readonly isFallback?: boolean;
  readonly isPreview?: boolean;
  readonly isInPicker?: boolean;
  readonly isPremium?: boolean;
  /** Premium requests that one user request costs. */
  readonly multiplier?: number;
  readonly tokenizer?: string;
  readonly maxPromptTokens?: number;
  readonly maxOutputTokens?: number;
  readonly maxContextTokens?: number;
  readonly endpoints?: readonly string[];
  /** Names of what it supports: `vision`, `tool_calls`, … */
  readonly supports?: readonly string[];
  readonly policy?: string;
  readonly warnings?: readonly string[];
}

/** One quota as told at one moment. */
export interface QuotaInfo {
  /** Requests of the period; null when unlimited. */
  readonly entitlement: number | null;
  readonly percentRemaining: number | null;
  readonly overageUsed?: number;
  readonly isOverageAllowed?: boolean;
  /** Date of the next period, as sent. */
  readonly resets?: string;
}

export interface ModelsFacts {
  readonly facts: 'models';
  readonly models: readonly ModelInfo[];
}

/** Auto mode: which models a session may use. */
export interface AutoSessionFacts {
  readonly facts: 'auto-session';
  readonly hints?: readonly string[];
  readonly available?: readonly string[];
  readonly selected?: string;
  /** Unix seconds. */
  readonly expiresAt?: number;
  /** Part of the multiplier that is taken off, by model: 0.1 is ten percent. */
  readonly discounts?: Readonly<Record<string, number>>;
}

/** The router of Auto mode: a second copy of the user's question, and the model that it led to. */
export interface RouterFacts {
  readonly facts: 'router';
  readonly prompt?: string;
  readonly promptChars?: number;
  readonly available?: readonly string[];
  readonly turnNumber?: number;
  readonly sessionId?: string;
  readonly previousModel?: string;
  readonly referenceCount?: number;
  readonly hasImage?: boolean;
  readonly label?: string;
  readonly confidence?: number;
  readonly latencyMs?: number;
  readonly candidates?: readonly string[];
  readonly scores?: Readonly<Record<string, number>>;
  readonly chosen?: string;
  readonly isSticky?: boolean;
  readonly isFallback?: boolean;
  readonly fallbackReason?: string;
  readonly method?: string;
  readonly discounts?: Readonly<Record<string, number>>;
}

export interface AccountFacts {
  readonly facts: 'account';
  readonly plan?: string;
  readonly sku?: string;
  readonly quotas?: Readonly<Record<string, QuotaInfo>>;
  readonly quotaResets?: string;
  readonly organizations?: readonly string[];
}

/** What came with a Copilot token, without the token. */
export interface TokenFacts {
  readonly facts: 'token';
  readonly sku?: string;
  /** Unix seconds. */
  readonly expiresAt?: number;
  readonly refreshInSeconds?: number;
  readonly endpoints?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, boolean | string>>;
  /** Names of the fields inside the token; `rt` with value 1 means enhanced telemetry. */
  readonly fields?: readonly string[];
  readonly isEnhancedTelemetry?: boolean;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly quotaResets?: string;
  readonly error?: string;
}

export interface ExclusionRule {
  /** Repository that it was asked for, when the answer tells. */
  readonly repository?: string;
  /** Globs. */
  readonly paths: readonly string[];
  /** Regular expressions on a file's first bytes. */
  readonly ifNoneMatch?: readonly string[];
  readonly ifAnyMatch?: readonly string[];
  readonly source?: string;
}

export interface ExclusionFacts {
  readonly facts: 'exclusion';
  readonly repositories?: readonly string[];
  readonly rules: readonly ExclusionRule[];
}

/** Text that a service call carried away: a file, a prompt, code, a memory. */
export interface SentItem {
  readonly what: 'file' | 'prompt' | 'code' | 'memory' | 'event';
  readonly path?: string;
  readonly language?: string;
  /** Size of the whole text in UTF-8. */
  readonly bytes: number;
  /** Beginning of the text. */
  readonly text: string;
  /** False when `text` is not all of it. */
  readonly whole: boolean;
}

export interface SentFacts {
  readonly facts: 'sent';
  readonly items: readonly SentItem[];
  /** Items beyond the bound, counted only. */
  readonly left?: number;
}

export interface TelemetryFacts {
  readonly facts: 'telemetry';
  /** Events by name. */
  readonly events: Readonly<Record<string, number>>;
  /** Of these, names whose events carry prompts, answers or repository data. */
  readonly withText?: readonly string[];
}

export type ServiceFacts =
  | ModelsFacts
  | AutoSessionFacts
  | RouterFacts
  | AccountFacts
  | TokenFacts
  | ExclusionFacts
  | SentFacts
  | TelemetryFacts;
