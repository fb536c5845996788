// `tracer cache`: prompt caching and cost.

import type { Command } from 'commander';
import { cache, readPriceFile } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface CacheFlags extends AnalysisFlags {
  readonly prices?: string;
}

export function addCache(program: Command): void {
  const command = program
    .command('cache')
    .summary('show what prompt caching saved, what broke it, and what calls would cost')
    .description(
      'Reads a recording and compares every request with the one before it in its conversation: how much of the prompt was the same, how much the provider says it read from its cache, and what broke the reuse. Then the cost at list prices, which is an estimate. Fields, price file: docs/cost.md.',
    )
    .argument('<file>', 'a file made with --record')
    .option('--prices <file>', 'a price table of your own (JSON) instead of the built-in list prices')
    .addHelpText(
      'after',
      `
Examples:
  tracer cache chat.trc
  tracer cache chat.trc --json | jq -r 'select(.type == "break") | [.call, .cause, .lostTokens] | @tsv'`,
    );
  addAnalysisOptions(command, 'one JSON object per line: steps, breaks, costs').action(
    async (file: string, flags: CacheFlags) => {
      const prices = readPriceFile(flags.prices);
      await runAnalysis('cache', flags, (settings) => cache(file, { ...settings, prices }));
    },
  );
}
