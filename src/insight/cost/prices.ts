// List prices of models, and what a call would cost at them. A table has a date and can be replaced; what it does not name
// has no price, and none is guessed. What a subscription really pays is another matter: see docs/cost.md.

import { isObject, type JsonObject, listOf, numberOrNone, textOrNone } from '../../dialects/index.ts';
import type { Usage } from '../../model/index.ts';

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  /** Input read from the provider's cache. Absent: as `input`. */
  readonly cached?: number;
  /** Input written to the cache. Absent: as `input`. */
  readonly cacheWrite?: number;
  readonly output: number;
}

export interface ModelPrice extends Rates {
  /** Names that it is for; `*` at the end stands for anything. */
  readonly models: readonly string[];
  /** Rates of the whole request when its input has more than `above` tokens, a whole number of thousands. */
  readonly long?: Rates & { readonly above: number };
  /** When and where this row was read, where that is not the table's. */
  readonly asOf?: string;
  readonly source?: string;
}

/** Sums by model are kept in steps of so many input tokens, so that a bound between short and long can be told later. */
export const LONG_STEP_TOKENS = 1_000;

export interface PriceTable {
  /** When the prices held, e.g. `2025-11`. */
  readonly asOf: string;
  readonly source: string;
  readonly prices: readonly ModelPrice[];
}

/** The most telling row: an exact name before a pattern, a longer pattern before a shorter one. */
export function priceOf(table: PriceTable, model: string | null): ModelPrice | undefined {
  if (model === null) return undefined;
  const name = plainName(model);
  let best: ModelPrice | undefined;
  let bestLength = -1;
  for (const price of table.prices) {
    for (const pattern of price.models) {
      const length = matchLength(pattern, name);
      if (length > bestLength) [best, bestLength] = [price, length];
    }
  }
  return best;
}

/** A vendor in front (`anthropic/claude-…`) is no part of the name; dashes stand for dots in some names. */
const plainName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/(\d)-(\d{1,2})(?!\d)/g, '$1.$2');

/** Patterns are written as names are: dates in them lose their dashes in the same way. */
function matchLength(pattern: string, name: string): number {
  if (!pattern.endsWith('*')) return plainName(pattern) === name ? 1_000 : -1;
  return name.startsWith(plainName(pattern.slice(0, -1))) ? pattern.length : -1;
}

/** What a request of so many input tokens is billed at. */
export const ratesFor = (price: ModelPrice, inputTokens: number): Rates =>
  price.long !== undefined && inputTokens > price.long.above ? price.long : price;

/** Dollars of one call. `usage.input` holds cached and written tokens too. */
export const costOf = (price: ModelPrice, usage: Usage): number => dollarsOf(ratesFor(price, usage.input ?? 0), usage);

/** Dollars of tokens that are all billed at the same rates. */
export function dollarsOf(price: Rates, usage: Usage): number {
  const cached = usage.cached ?? 0;
  const written = usage.cacheWrite ?? 0;
  const fresh = Math.max(0, (usage.input ?? 0) - cached - written);
  const perMillion =
    fresh * price.input +
    cached * (price.cached ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    (usage.output ?? 0) * price.output;
  return perMillion / 1_000_000;
}

/** Dollars more that `tokens` cost when they are not read from the cache. */
export const costOfMiss = (price: Rates, tokens: number): number =>
  (tokens * (price.input - (price.cached ?? price.input))) / 1_000_000;

export interface PricesRead {
  readonly table?: PriceTable;
  readonly problem?: string;
}

/** A table of the user's own, as JSON that was parsed already. */
export function readPrices(json: unknown): PricesRead {
  if (!isObject(json)) return { problem: 'expected an object with asOf, source and prices' };
  const asOf = textOrNone(json['asOf']);
  if (asOf === undefined) return { problem: 'asOf is missing: when did these prices hold?' };
  const prices: ModelPrice[] = [];
  for (const [at, row] of listOf(json['prices']).entries()) {
    const price = readPrice(row);
    if (typeof price === 'string') return { problem: `prices[${at}]: ${price}` };
    prices.push(price);
  }
  if (prices.length === 0) return { problem: 'prices is empty or missing' };
  return { table: { asOf, source: textOrNone(json['source']) ?? 'own table', prices } };
}

function readPrice(row: unknown): ModelPrice | string {
  if (!isObject(row)) return 'expected an object';
  const models = listOf(row['models']).filter((name) => typeof name === 'string');
  if (models.length === 0) return 'models must be a list of names';
  const rates = readRates(row);
  if (rates === undefined) return 'input and output must be numbers: dollars per million tokens';
  if (row['long'] === undefined) return { models, ...rates };
  const long = readLong(row['long']);
  if (long === undefined) return 'long must hold input, output and above, a number of tokens in whole thousands';
  return { models, ...rates, long };
}

function readLong(given: unknown): ModelPrice['long'] {
  const rates = isObject(given) ? readRates(given) : undefined;
  const above = isObject(given) ? numberOrNone(given['above']) : undefined;
  if (rates === undefined || above === undefined || above <= 0 || above % LONG_STEP_TOKENS !== 0) return undefined;
  return { above, ...rates };
}

function readRates(row: JsonObject): Rates | undefined {
  const [input, output] = [numberOrNone(row['input']), numberOrNone(row['output'])];
  if (input === undefined || output === undefined || input < 0 || output < 0) return undefined;
  const cached = numberOrNone(row['cached']);
  const cacheWrite = numberOrNone(row['cacheWrite']);
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
