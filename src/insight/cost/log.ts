// What the LLM calls of a recording would cost at list prices, by model. Calls whose provider reported
// no usage (ghost text mostly) add nothing, and the row counts them.

import type { CallCompleted, Usage } from '../../model/index.ts';
import { copyOf } from '../texts.ts';
import { costOf, type PriceTable, priceOf } from './prices.ts';

export interface CostRow {
  readonly model: string;
  calls: number;
  /** Calls without reported usage: they add nothing to the sums. */
  unreported: number;
  readonly usage: Required<Pick<Usage, 'input' | 'cached' | 'cacheWrite' | 'output' | 'reasoning'>>;
  /** Dollars, an estimate; absent when the table has no price for the model. */
  readonly dollars?: number;
}

/** Models of one recording; a client uses some tens. */
const MAX_MODELS = 500;

export class CostLog {
  readonly #rows = new Map<string, Omit<CostRow, 'dollars'>>();

  accept({ llm }: CallCompleted): void {
    if (llm === undefined) return;
    const model = llm.model ?? 'unknown';
    const row = this.#rows.get(model) ?? fresh(model);
    if (!this.#rows.has(model) && this.#rows.size >= MAX_MODELS) return;
    this.#rows.set(row.model, row);
    row.calls += 1;
    if (llm.usage.input === undefined && llm.usage.output === undefined) row.unreported += 1;
    for (const name of Object.keys(row.usage) as (keyof typeof row.usage)[]) row.usage[name] += llm.usage[name] ?? 0;
  }

  /** The most expensive first, those without a price at the end. */
  rows(table: PriceTable): CostRow[] {
    return [...this.#rows.values()]
      .map((row) => {
        const price = priceOf(table, row.model);
        return price === undefined ? row : { ...row, dollars: costOf(price, row.usage) };
      })
      .sort((a, b) => ((b as CostRow).dollars ?? -1) - ((a as CostRow).dollars ?? -1) || b.calls - a.calls);
  }
}

const fresh = (model: string): Omit<CostRow, 'dollars'> => ({
  model: copyOf(model),
  calls: 0,
  unreported: 0,
  usage: { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 },
});
