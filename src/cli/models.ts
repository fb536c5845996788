// `tracer models`: which models were there, which was chosen, which answered, and what that counted.

import type { Command } from 'commander';
import { models } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

export function addModels(program: Command): void {
  const command = program
    .command('models')
    .summary('show which models were offered, chosen and used')
    .description(
      'Model lists, Auto mode and what its router decided, which model really answered, refusals for limits, quota over time, and premium requests by model: user calls times multiplier. Fields: docs/insight.md.',
    )
    .argument('<file>', 'a file made with --record')
    .addHelpText(
      'after',
      `
Examples:
  tracer models chat.trc
  tracer models chat.trc --json | jq 'select(.type == "router") | {prompt, label, answer}'`,
    );
  addAnalysisOptions(command, 'one JSON object per line: a list, a model, a decision, a quota, …');
  command.action(async (file: string, flags: AnalysisFlags) => {
    await runAnalysis('models', flags, (settings, view) => models(file, settings, view));
  });
}
