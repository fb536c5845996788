// Follows every conversation of a recording and says of each call how much of its prompt a provider could have reused, how
// much it said that it reused, and what broke the reuse. Of the latest request of a conversation the blocks are kept, their
// texts only within a budget: when it is spent, the texts of the conversation that was silent longest go first.

import type { CallCompleted, CallId, Usage } from '../../model/index.ts';
import { copyOf } from '../texts.ts';
import { type TokenMeter, tokenizerOf } from '../tokens/count.ts';
import { blocksOf, type PromptBlock } from './blocks.ts';
import { type BreakCause, type Comparison, comparePrompts, type KeptBlock } from './compare.ts';

export interface CacheStep {
  readonly call: CallId;
  /** Number of the conversation, as the grouping has it. */
  readonly conversation: number;
  readonly startNs: bigint;
  readonly kind: string;
  readonly model: string | null;
  readonly host: string | null;
  /** As reported. */
  readonly usage: Usage;
  /** The whole prompt. */
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
  readonly ownTokenizer: boolean;
  /** Since the end of the answer before; absent for the first call of a conversation. */
  readonly idleMs?: number;
  /** Against the request before. Absent for the first call of a conversation. */
  readonly compared?: Comparison;
  /** The provider read far less from its cache than was there to reuse. */
  readonly unserved?: true;
  /** The request continues a response that the provider holds: only what is new was sent. */
  readonly chained?: true;
}

interface Kept {
  readonly blocks: readonly KeptBlock[];
  readonly model: string | null;
  readonly thinking: string;
  readonly endNs: bigint;
  /** Characters of the texts among the blocks. */
  readonly chars: number;
}

/** Texts of all conversations that are kept to compare. JavaScript takes one or two bytes for a character. */
const MAX_KEPT_CHARS = 8 * 1024 * 1024;
/** Conversations whose blocks are kept. */
const MAX_CONVERSATIONS = 2_000;
/** Steps that are kept; a working week has some ten thousand. */
const MAX_STEPS = 50_000;
/** Below this providers do not cache at all. */
const MIN_CACHED_TOKENS = 1_024;

export interface CacheLogOptions {
  readonly meter: TokenMeter;
  /** Removes secrets from a text that is shown. */
  readonly safe: (text: string) => string;
}

export class CacheLog {
  readonly #options: CacheLogOptions;
  readonly #kept = new Map<number, Kept>();
  readonly #steps: CacheStep[] = [];
  #left = 0;

  constructor(options: CacheLogOptions) {
    this.#options = options;
  }

  get steps(): readonly CacheStep[] {
    return this.#steps;
  }

  /** Calls beyond the bound, counted only. */
  get left(): number {
    return this.#left;
  }

  /** The call as captured, and the conversation of which it is a round. */
  accept(call: CallCompleted, conversation: number | undefined): void {
    const request = call.llm?.request;
    if (request === undefined || conversation === undefined) return;
    if (this.#steps.length >= MAX_STEPS) {
      this.#left += 1;
      return;
    }
    const { encoding, own } = tokenizerOf(request.model);
    const sent = blocksOf(request, this.#options.meter, encoding);
    const before = this.#kept.get(conversation);
    const isChained = request.previousResponseId !== undefined && before !== undefined;
    const blocks = isChained ? [...before.blocks, ...sent] : sent;
    const thinking = thinkingOf(request.parameters);
    const compared = before === undefined ? undefined : this.#compare(before, sent, isChained, call, thinking);
    this.#steps.push({
      call: call.id,
      conversation,
      startNs: call.startNs,
      kind: call.kind ?? call.class,
      model: call.llm?.model == null ? null : copyOf(call.llm.model),
      host: call.host === null ? null : copyOf(call.host),
      usage: call.llm?.usage ?? {},
      bytes: sum(blocks, 'bytes'),
      tokens: sum(blocks, 'tokens'),
      ownTokenizer: own,
      ...(before === undefined ? {} : { idleMs: Number((call.startNs - before.endNs) / 1_000_000n) }),
      ...(compared === undefined ? {} : { compared }),
      ...(compared !== undefined && isUnserved(compared, call.llm?.usage ?? {}) ? { unserved: true } : {}),
      ...(isChained ? { chained: true } : {}),
    });
    this.#keep(conversation, { blocks, model: call.llm?.model ?? null, thinking, endNs: call.tsNs });
  }

  #compare(
    before: Kept,
    sent: readonly PromptBlock[],
    isChained: boolean,
    call: CallCompleted,
    thinking: string,
  ): Comparison {
    const known = sum(before.blocks, 'tokens');
    if (isChained) return { bytes: sum(before.blocks, 'bytes'), tokens: known, lostTokens: 0 };
    const compared = comparePrompts(before.blocks, sent, this.#options.safe);
    // A cache belongs to one model: whatever the texts share, nothing of it can be reused.
    if (before.model !== (call.llm?.model ?? null)) return overruled(compared, 'model', known);
    if (compared.cause === undefined && before.thinking !== thinking) return overruled(compared, 'thinking', known);
    return compared;
  }

  /** Newest last; texts beyond the budget are dropped, oldest conversation first. */
  #keep(conversation: number, kept: Omit<Kept, 'chars'>): void {
    const chars = kept.blocks.reduce((total, { text }) => total + (text?.length ?? 0), 0);
    this.#kept.delete(conversation);
    this.#kept.set(conversation, { ...kept, chars, blocks: kept.blocks.map(copied) });
    let left = MAX_KEPT_CHARS;
    for (const [number, entry] of [...this.#kept].reverse()) {
      left -= entry.chars;
      if (left < 0 && entry.chars > 0) {
        this.#kept.set(number, { ...entry, chars: 0, blocks: entry.blocks.map(withoutText) });
      }
    }
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > MAX_CONVERSATIONS && oldest.done !== true) this.#kept.delete(oldest.value);
  }
}

const overruled = (compared: Comparison, cause: BreakCause, lostTokens: number): Comparison => ({
  ...compared,
  cause,
  lostTokens,
});

const sum = (blocks: readonly KeptBlock[], what: 'bytes' | 'tokens'): number =>
  blocks.reduce((total, block) => total + block[what], 0);

const withoutText = ({ text: _, ...block }: KeptBlock): KeptBlock => block;

const copied = (block: KeptBlock): KeptBlock => ({ ...block, label: copyOf(block.label) });

/** Settings of thinking, whatever the wire calls them. */
const thinkingOf = (parameters: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([
    parameters['thinking'],
    parameters['reasoning'],
    parameters['thinking_budget'],
    parameters['output_config'],
  ]);

/** Half of what is reusable: providers cache in steps, and the estimate is not exact. */
const isUnserved = ({ tokens, cause }: Comparison, { cached }: Usage): boolean =>
  cached !== undefined &&
  cause !== 'model' &&
  cause !== 'thinking' &&
  tokens > MIN_CACHED_TOKENS &&
  cached < tokens / 2;
