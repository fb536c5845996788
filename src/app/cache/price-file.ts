// `--prices FILE`: a price table of the user's own in the place of the built-in one.

import { readFileSync } from 'node:fs';
import { readingReason, TracerError } from '../../errors.ts';
import { LIST_PRICES, type PriceTable, readPrices } from '../../insight/index.ts';

/** Throws E_PRICES_INVALID. No file: the built-in list prices. */
export function readPriceFile(path: string | undefined): PriceTable {
  if (path === undefined) return LIST_PRICES;
  const { table, problem } = readPrices(parse(path));
  if (table === undefined) throw new TracerError('E_PRICES_INVALID', { path, reason: problem ?? 'unreadable' });
  return table;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    // The parser's own message quotes the file.
    const reason = cause instanceof SyntaxError ? 'no valid JSON' : readingReason(cause);
    throw new TracerError('E_PRICES_INVALID', { path, reason }, { cause });
  }
}
