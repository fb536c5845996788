// Counts tokens with the kept library's tables. A table takes 160 ms and 60 MB to load, so that each is loaded when the
// first text needs it, and never by a live capture.

import { createRequire } from 'node:module';
import type { CountTokens, Encoding } from '../insight/index.ts';

interface Table {
  clearMergeCache(): void;
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

/** Texts that look like control tokens are ordinary text in a prompt. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/** The library's time grows with the square of a run without a boundary: longer ones are cut, which costs one token each. */
const MAX_RUN_CHARS = 512;
const LONG_RUN = new RegExp(`(\\S{${MAX_RUN_CHARS}}|\\s{${MAX_RUN_CHARS}})`);

/**
 * The library remembers words as slices of the texts that they came from, which keeps those texts alive: it is made to
 * forget after so many characters.
 */
const FORGET_CHARS = 2 * 1024 * 1024;

export function createTokenizer(): CountTokens {
  const require = createRequire(import.meta.url);
  const tables = new Map<Encoding, Table>();
  const tableOf = (encoding: Encoding): Table => {
    const known = tables.get(encoding);
    if (known !== undefined) return known;
    const table = require(`gpt-tokenizer/encoding/${encoding}`) as Table;
    tables.set(encoding, table);
    return table;
  };
  let chars = 0;
  return (text, encoding) => {
    const table = tableOf(encoding);
    chars += text.length;
    if (chars > FORGET_CHARS) {
      table.clearMergeCache();
      chars = text.length;
    }
    const pieces = LONG_RUN.test(text) ? text.split(LONG_RUN) : [text];
    return pieces.reduce((sum, piece) => sum + (piece === '' ? 0 : table.countTokens(piece, PLAIN)), 0);
  };
}
