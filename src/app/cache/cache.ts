// `tracer cache`: how much of each prompt could have been read from the provider's cache, how much was, what broke it, and
// what calls would cost at list prices.

import {
  CacheLog,
  type CacheStep,
  CostLog,
  costOfMiss,
  createCallGrouper,
  ModelsLog,
  NO_TEXTS,
  type PriceTable,
  priceOf,
  ratesFor,
  TokenMeter,
} from '../../insight/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import { callIdText } from '../call-events.ts';
import { createShown, type Shown } from '../shown.ts';
import { createTokenizer } from '../tokenizer.ts';
import type { SessionResult } from '../types.ts';
import type { CacheBreak, CacheFindings } from './findings.ts';
import { cacheText } from './text.ts';

export interface CacheSettings extends AnalysisSettings {
  readonly prices: PriceTable;
}

export interface CacheAnswer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

/** Collects what `cache` and `report` say about caching and cost. */
export class CacheAnalysis {
  readonly #cache: CacheLog;
  readonly #costs = new CostLog();
  readonly #models = new ModelsLog();

  constructor(meter: TokenMeter, safe: (text: string) => string) {
    this.#cache = new CacheLog({ meter, safe });
  }

  /** `conversation`: of which the call is a round. */
  accept({ raw }: AnalysedCall, conversation: number | undefined): void {
    this.#cache.accept(raw, conversation);
    this.#costs.accept(raw);
    this.#models.accept(raw);
  }

  findings(prices: PriceTable): CacheFindings {
    const { steps, left } = this.#cache;
    return {
      steps,
      left,
      breaks: steps.flatMap((step) => breakOf(step, prices) ?? []).sort((a, b) => worth(b) - worth(a)),
      costs: this.#costs.rows(prices),
      premium: this.#models.report().premium,
      prices,
    };
  }
}

/** Without a price by tokens, below everything that has one. */
const worth = ({ dollars, lostTokens }: CacheBreak): number => dollars ?? lostTokens / 1e12;

function breakOf(step: CacheStep, prices: PriceTable): CacheBreak | undefined {
  const lostTokens = step.compared?.lostTokens ?? 0;
  if (step.compared?.cause === undefined || lostTokens === 0) return undefined;
  const price = priceOf(prices, step.model);
  if (price === undefined) return { step, lostTokens };
  const rates = ratesFor(price, step.usage.input ?? step.tokens);
  return { step, lostTokens, dollars: costOfMiss(rates, lostTokens) };
}

export async function cache(file: string, settings: CacheSettings): Promise<CacheAnswer> {
  let parts: { readonly shown: Shown; readonly analysis: CacheAnalysis } | undefined;
  const { exitCode, problem } = await analyse(file, settings, (redactor) => {
    const shown = createShown(redactor);
    const analysis = new CacheAnalysis(new TokenMeter(createTokenizer()), shown.text);
    const grouper = createCallGrouper(NO_TEXTS);
    parts = { shown, analysis };
    return { call: (call: AnalysedCall) => analysis.accept(call, grouper.accept(call.call)) };
  });
  if (parts === undefined) throw new Error('the analysis made no visitor');
  const { shown, analysis } = parts;
  const findings = analysis.findings(settings.prices);
  return { text: cacheText(findings, shown), json: cacheJson(findings, shown), exitCode, problem };
}

/** One line per call, one per break, one per model, in this order. */
function* cacheJson({ steps, breaks, costs, premium, prices }: CacheFindings, shown: Shown): Generator<unknown> {
  for (const { call, startNs, ...step } of steps)
    yield { type: 'step', call: callIdText(call), tsNs: String(startNs), ...shown.value(step) };
  for (const { step, ...cost } of breaks)
    yield { type: 'break', call: callIdText(step.call), cause: step.compared?.cause, ...cost };
  const { asOf, source } = prices;
  for (const { priced = { asOf, source }, ...row } of costs)
    yield { type: 'cost', ...shown.value(row), estimate: true, prices: priced };
  for (const row of premium) yield { type: 'premium', ...shown.value(row) };
}
