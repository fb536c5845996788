// What the LLM calls of a recording would cost at list prices, by model. Calls whose provider reported
// no usage (ghost text mostly) add nothing, and the row counts them.

import type { CallCompleted, Usage } from '../../model/index.ts';
import { copyOf } from '../texts.ts';
import { dollarsOf, LONG_STEP_TOKENS, type PriceTable, priceOf } from './prices.ts';

export interface CostRow {
  readonly model: string;
  calls: number;
  /** Calls without reported usage: they add nothing to the sums. */
  unreported: number;
  readonly usage: Sums;
  /** Dollars, an estimate; absent when the table has no price for the model. */
  readonly dollars?: number;
  /** When and where the price was read; with `dollars`. */
  readonly priced?: { readonly asOf: string; readonly source: string };
}

type Sums = Required<Pick<Usage, 'input' | 'cached' | 'cacheWrite' | 'output' | 'reasoning'>>;

interface Kept extends Omit<CostRow, 'dollars' | 'priced'> {
  /** Sums by input tokens of the request in thousands, rounded up: providers bill long prompts at other rates. */
  readonly bySize: Map<number, Sums>;
}

/** Models of one recording; a client uses some tens. */
const MAX_MODELS = 500;
/** Sizes that are told apart: prompts of up to two million tokens. */
const MAX_SIZE = 2_000;

export class CostLog {
  readonly #rows = new Map<string, Kept>();

  accept({ llm, copyOf: original }: CallCompleted): void {
    if (llm === undefined || original !== undefined) return;
    const model = llm.model ?? 'unknown';
    const row = this.#rows.get(model) ?? fresh(model);
    if (!this.#rows.has(model) && this.#rows.size >= MAX_MODELS) return;
    this.#rows.set(row.model, row);
    row.calls += 1;
    if (llm.usage.input === undefined && llm.usage.output === undefined) row.unreported += 1;
    const size = Math.min(MAX_SIZE, Math.ceil((llm.usage.input ?? 0) / LONG_STEP_TOKENS));
    const sums = row.bySize.get(size) ?? nothing();
    row.bySize.set(size, sums);
    add(sums, llm.usage);
    add(row.usage, llm.usage);
  }

  /** The most expensive first, those without a price at the end. */
  rows(table: PriceTable): CostRow[] {
    return [...this.#rows.values()]
      .map((kept): CostRow => priced(kept, table))
      .sort((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1) || b.calls - a.calls);
  }
}

function priced({ bySize, ...row }: Kept, table: PriceTable): CostRow {
  const price = priceOf(table, row.model);
  if (price === undefined) return row;
  const [short, long] = [nothing(), nothing()];
  for (const [size, sums] of bySize)
    add(size * LONG_STEP_TOKENS > (price.long?.above ?? Infinity) ? long : short, sums);
  const dollars = dollarsOf(price, short) + dollarsOf(price.long ?? price, long);
  const { asOf = table.asOf, source = table.source } = price;
  return { ...row, dollars, priced: { asOf, source } };
}

function add(sums: Sums, usage: Usage): void {
  for (const name of Object.keys(sums) as (keyof Sums)[]) sums[name] += usage[name] ?? 0;
}

const nothing = (): Sums => ({ input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 });

const fresh = (model: string): Kept => ({
  model: copyOf(model),
  calls: 0,
  unreported: 0,
  usage: nothing(),
  bySize: new Map(),
});
