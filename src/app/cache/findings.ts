// What `tracer cache` found, before it is put into words or JSON.
import type { CacheStep, CostRow, PremiumUse, PriceTable } from '../../insight/index.ts';

/** A break with what it cost more than a hit would have. */
export interface CacheBreak {
  readonly step: CacheStep;
  readonly lostTokens: number;
  /** Estimate; absent without a price. */
  readonly dollars?: number;
}

export interface CacheFindings {
  readonly steps: readonly CacheStep[];
  /** The most expensive ones first. */
  readonly breaks: readonly CacheBreak[];
  readonly costs: readonly CostRow[];
  readonly premium: readonly PremiumUse[];
  readonly prices: PriceTable;
  readonly left: number;
}
