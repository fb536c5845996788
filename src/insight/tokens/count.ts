// How many tokens a text is. The counting itself is a library's work and is handed in (its tables are large and loaded only
// where they are needed); here is which table stands for which model, and a memory so that a prompt that is sent again is
// not counted again.
//
// Every number made here is an estimate: providers add tokens around messages and tools, and the tokenizers of Claude and
// Gemini are not public.

import { fingerprintText } from '../fingerprint.ts';
import { keep } from '../keep.ts';

/** Tables of the public tokenizers: o200k_base since GPT-4o, cl100k_base for GPT-4, GPT-3.5 and embeddings. */
export type Encoding = 'o200k_base' | 'cl100k_base';

export type CountTokens = (text: string, encoding: Encoding) => number;

/** What stands for a model's tokenizer. `own` is false when the model has another one and this is the nearest public. */
export interface TokenizerChoice {
  readonly encoding: Encoding;
  readonly own: boolean;
}

const CL100K = /^(gpt-4(-\d{4}|-32k|-turbo|$)|gpt-3\.5|gpt-35|text-embedding-)/;
const O200K = /^(gpt-|o\d|chatgpt-|copilot-|codex-)/;

/** `tokenizer` is what the model list said, when it was seen. */
export function tokenizerOf(model: string | null, tokenizer?: string): TokenizerChoice {
  if (tokenizer === 'o200k_base' || tokenizer === 'cl100k_base') return { encoding: tokenizer, own: true };
  const name = (model ?? '').toLowerCase();
  if (CL100K.test(name)) return { encoding: 'cl100k_base', own: true };
  return { encoding: 'o200k_base', own: O200K.test(name) };
}

/** Texts whose count is remembered: some megabytes of memory, all blocks of some dozen conversations. */
const MAX_KNOWN = 50_000;
/** Shorter texts are counted faster than they are looked up. */
const MIN_KNOWN_CHARS = 256;

/** Counts with a memory. */
export class TokenMeter {
  readonly #count: CountTokens;
  readonly #known = new Map<string, number>();

  constructor(count: CountTokens) {
    this.#count = count;
  }

  tokens(text: string, encoding: Encoding, fingerprint: string = fingerprintText(text)): number {
    if (text.length < MIN_KNOWN_CHARS) return this.#count(text, encoding);
    const key = `${encoding}.${text.length}.${fingerprint}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const tokens = this.#count(text, encoding);
    keep(this.#known, key, tokens, MAX_KNOWN);
    return tokens;
  }
}
