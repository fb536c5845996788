// Where the secrets of a text are. Redaction's own search, asked for positions instead of a new text, joined with a kept
// rule set from outside (docs/audit.md says which and why).

import type { Mask } from './fingerprint.ts';
import { createMemo } from './memo.ts';
import { isPlausible } from './plausible.ts';
import { maskText } from './text.ts';

/** A secret in a text. */
export interface Found {
  readonly kind: string;
  /** The secret itself, decoded when it stood in base64 or behind escapes: equal secrets are equal here. */
  readonly secret: string;
  /** Where it stands, UTF-16 units from the start; its written form may be longer than `secret`. */
  readonly offset: number;
  readonly length: number;
  /** True when it stood encoded. */
  readonly encoded: boolean;
}

/** Rules from outside: ranges of secrets in a text. Must not throw. */
export type KeptRules = (
  text: string,
) => readonly { readonly kind: string; readonly start: number; readonly end: number }[];

export const NO_KEPT_RULES: KeptRules = () => [];

/** Longer texts than any model takes are searched up to here: a hostile body must not hold up a capture. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

interface Hit {
  readonly kind: string;
  readonly secret: string;
}

/** What redaction would replace, in its order. Hits inside an encoded run come right before the run itself. */
function hitsOf(text: string): Hit[] {
  const hits: Hit[] = [];
  const collect: Mask = (secret, kind) => {
    hits.push({ kind, secret });
    return `<${kind} #00000000>`;
  };
  maskText(text, collect);
  return hits;
}

/** Joins hits with their places; the inner hit of an encoded run gives the run its kind and its secret. */
function* placed(text: string): Generator<Found> {
  let inner: Hit | null = null;
  const nextFrom = new Map<string, number>();
  for (const hit of hitsOf(text)) {
    const offset = text.indexOf(hit.secret, nextFrom.get(hit.secret) ?? 0);
    if (offset < 0) {
      // Of runs within runs the innermost says what it is.
      if (hit.kind !== 'encoded-secret') inner = hit;
      continue;
    }
    nextFrom.set(hit.secret, offset + hit.secret.length);
    const encoded = hit.kind === 'encoded-secret';
    const what = encoded ? inner : hit;
    inner = null;
    if (what !== null) yield { kind: what.kind, secret: what.secret, offset, length: hit.secret.length, encoded };
  }
}

const overlaps = (a: Found, b: Found): boolean => a.offset < b.offset + b.length && b.offset < a.offset + a.length;

/** All plausible secrets of `text`, by offset; where two rules find the same place, redaction's own wins. */
function search(text: string, kept: KeptRules): readonly Found[] {
  const whole = text.slice(0, MAX_TEXT_LENGTH);
  const own = [...placed(whole)].filter((found) => isPlausible(found.kind, found.secret));
  const others = kept(whole)
    .map(({ kind, start, end }): Found => {
      return { kind, secret: whole.slice(start, end), offset: start, length: end - start, encoded: false };
    })
    .filter((found) => isPlausible(found.kind, found.secret) && !own.some((mine) => overlaps(mine, found)));
  return [...own, ...others].sort((a, b) => a.offset - b.offset);
}

/** A search with a memory for long texts. */
export function createFinder(kept: KeptRules): (text: string) => readonly Found[] {
  return createMemo(
    (text) => search(text, kept),
    (found) => found.reduce((sum, { secret }) => sum + secret.length, 0),
  );
}
