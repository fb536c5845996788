// Compares a request with the one before it in its conversation: how much of its beginning is the same, and what ended that.

import { utf8Bytes } from '../../copilot/index.ts';
import type { PromptBlock } from './blocks.ts';
import { type Difference, firstDifference, sharedPrefix } from './difference.ts';

/** Why a beginning could not be reused. */
export type BreakCause =
  | 'tools-added'
  | 'tools-removed'
  | 'tools-reordered'
  | 'tool-changed'
  | 'timestamp'
  | 'id'
  | 'system-changed'
  | 'compaction'
  | 'history-cut'
  | 'history-changed'
  | 'model'
  | 'thinking';

export const CAUSES: Readonly<Record<BreakCause, string>> = {
  'tools-added': 'tools were added',
  'tools-removed': 'tools were removed',
  'tools-reordered': 'the same tools came in another order',
  'tool-changed': 'a tool’s description or schema changed',
  timestamp: 'a date or time in the text changed',
  id: 'an identifier or number in the text changed',
  'system-changed': 'the system text changed',
  compaction: 'the history was replaced by a summary',
  'history-cut': 'earlier messages were left out',
  'history-changed': 'an earlier message changed',
  model: 'another model was asked: caches belong to one model',
  thinking: 'the thinking setting changed',
};

/** A block of the earlier request; its text may be gone by now. */
export type KeptBlock = Omit<PromptBlock, 'text'> & { readonly text?: string };

export interface Comparison {
  /** Equal beginning; inside the block that differs, as far as the earlier text was kept. */
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
  /** Of the earlier request, not reused. */
  readonly lostTokens: number;
  readonly cause?: BreakCause;
  /** The block where it ended. */
  readonly at?: string;
  readonly difference?: Difference;
}

/** `safe` removes secrets: the difference is shown. */
export function comparePrompts(
  old: readonly KeptBlock[],
  fresh: readonly PromptBlock[],
  safe: (text: string) => string,
): Comparison {
  let shared = 0;
  while (shared < old.length && old[shared]?.fingerprint === fresh[shared]?.fingerprint) shared += 1;
  const prefix = sums(fresh.slice(0, shared));
  const oldBlock = old[shared];
  if (oldBlock === undefined) return { ...prefix, lostTokens: 0 };
  const freshBlock = fresh[shared];
  const inside = insideBlock(oldBlock, freshBlock);
  const difference = differenceOf(oldBlock, freshBlock, safe);
  return {
    bytes: prefix.bytes + inside.bytes,
    tokens: prefix.tokens + inside.tokens,
    lostTokens: Math.max(0, sums(old.slice(shared)).tokens - inside.tokens),
    cause: causeOf(old, fresh, shared, difference),
    at: oldBlock.section === 'tools' ? `tool ${oldBlock.label}` : oldBlock.label,
    ...(difference === undefined ? {} : { difference }),
  };
}

const sums = (blocks: readonly KeptBlock[]): { readonly bytes: number; readonly tokens: number } => ({
  bytes: blocks.reduce((sum, block) => sum + block.bytes, 0),
  tokens: blocks.reduce((sum, block) => sum + block.tokens, 0),
});

/** Equal beginning of the two blocks that differ; tokens by their share of the bytes. */
function insideBlock(
  old: KeptBlock,
  fresh: PromptBlock | undefined,
): { readonly bytes: number; readonly tokens: number } {
  if (fresh === undefined || old.text === undefined || old.section !== fresh.section) return { bytes: 0, tokens: 0 };
  const bytes = utf8Bytes(old.text.slice(0, sharedPrefix(old.text, fresh.text)));
  return { bytes, tokens: old.bytes === 0 ? 0 : Math.floor((old.tokens * bytes) / old.bytes) };
}

/** Longer blocks are not searched for a difference: it would be found at the cost of a long wait. */
const MAX_DIFF_CHARS = 4 * 1024 * 1024;

function differenceOf(
  old: KeptBlock,
  fresh: PromptBlock | undefined,
  safe: (text: string) => string,
): Difference | undefined {
  if (old.text === undefined || fresh === undefined || old.section !== fresh.section) return undefined;
  if (old.text.length + fresh.text.length > MAX_DIFF_CHARS) return undefined;
  return firstDifference(safe(old.text), safe(fresh.text));
}

function causeOf(
  old: readonly KeptBlock[],
  fresh: readonly PromptBlock[],
  shared: number,
  difference: Difference | undefined,
): BreakCause {
  const section = old[shared]?.section;
  const tools = toolCause(old, fresh);
  if (section === 'tools' || (tools !== undefined && fresh[shared]?.section === 'tools'))
    return tools ?? 'tool-changed';
  if (section === 'messages' && isCompacted(old, fresh)) return 'compaction';
  const small = difference === undefined ? undefined : smallCause(difference);
  if (section === 'system') return small ?? 'system-changed';
  if (fresh[shared] === undefined || isSubsequence(fresh, old, shared)) return 'history-cut';
  return small ?? 'history-changed';
}

function toolCause(old: readonly KeptBlock[], fresh: readonly PromptBlock[]): BreakCause | undefined {
  const names = (blocks: readonly KeptBlock[]) =>
    blocks.filter(({ section }) => section === 'tools').map(({ label }) => label);
  const [before, after] = [names(old), names(fresh)];
  if (after.some((name) => !before.includes(name))) return 'tools-added';
  if (before.some((name) => !after.includes(name))) return 'tools-removed';
  if (before.join('\n') !== after.join('\n')) return 'tools-reordered';
  return undefined;
}

const SUMMARY = /<conversation-summary>|<summary>/;

const isCompacted = (old: readonly KeptBlock[], fresh: readonly PromptBlock[]): boolean => {
  const known = new Set(old.map(({ fingerprint }) => fingerprint));
  return fresh.some(({ fingerprint, text }) => !known.has(fingerprint) && SUMMARY.test(text.slice(0, 64 * 1024)));
};

/** What comes after the break was all there before, only more of it: messages were left out. */
function isSubsequence(fresh: readonly PromptBlock[], old: readonly KeptBlock[], from: number): boolean {
  const later = new Set(old.slice(from + 1).map(({ fingerprint }) => fingerprint));
  const next = fresh[from];
  return next !== undefined && later.has(next.fingerprint);
}

const TIME =
  /\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(:\d{2})?|\b(January|February|March|April|May|June|July|August|September|October|November|December|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b|\b1[6-9]\d{8}(\d{3})?\b/;
const ID = /^[\w.:-]*\d[\w.:-]*$/;

/** A small change in the middle of a text that otherwise stays. */
function smallCause({ removed, added }: Difference): BreakCause | undefined {
  if (TIME.test(removed) && TIME.test(added)) return 'timestamp';
  return ID.test(removed) && ID.test(added) ? 'id' : undefined;
}
