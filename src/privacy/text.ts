// Free text with its secrets replaced: prompts, answers, tool arguments, error messages, names.
//
// LIMITS. A secret without a known shape and without a telling context (a bare password in prose) is not found. Unquoted
// assignments count only when the value has a digit. Encodings are undone twice at most.

import { maskByContext } from './contexts.ts';
import { maskEncoded } from './encoded.ts';
import type { Mask } from './fingerprint.ts';
import { maskPrivateKeys } from './private-keys.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** Shorter texts cannot hold a secret with its context. */
const MIN_LENGTH = 8;
const MAX_ENCODING_DEPTH = 2;

function maskTokens(text: string, mask: Mask): string {
  let out = text;
  for (const { kind, hints, pattern, minLength, accepts } of TOKEN_RULES) {
    if (!hints.some((hint) => out.includes(hint))) continue;
    out = out.replace(pattern, (match) =>
      match.length >= minLength && (accepts === undefined || accepts(match)) ? mask(match, kind) : match,
    );
  }
  return out;
}

/** Order: the most telling kind first; each later pass leaves alone what an earlier one has replaced. */
function maskAt(text: string, mask: Mask, depth: number): string {
  if (text.length < MIN_LENGTH) return text;
  const plain = maskByContext(maskTokens(maskPrivateKeys(text, mask), mask), mask);
  if (depth >= MAX_ENCODING_DEPTH) return plain;
  return maskEncoded(plain, mask, (decoded) => maskAt(decoded, mask, depth + 1) !== decoded);
}

export const maskText = (text: string, mask: Mask): string => maskAt(text, mask, 0);
