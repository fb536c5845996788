// `tracer report`: one document about a session.

import type { Command } from 'commander';
import { Option } from 'commander';
import { type ReportFormat, readPriceFile, report } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface ReportFlags extends AnalysisFlags {
  readonly format: ReportFormat;
  readonly prices?: string;
}

export function addReport(program: Command): void {
  const command = program
    .command('report')
    .summary('write one document about a session, for someone who was not there')
    .description(
      'Makes one self-contained HTML file of a recording: calls over time, hosts, models, tokens and cost, what the prompts carried, conversations with their tools, cache breaks, findings, and what is missing. It loads nothing and runs no script. Secrets are redacted. See docs/report.md.',
    )
    .argument('<file>', 'a file made with --record')
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['html', 'md', 'json'])
        .default('html')
        .conflicts('json'),
    )
    .option('--prices <file>', 'a price table of your own (docs/cost.md)')
    .addHelpText(
      'after',
      `
Examples:
  tracer report chat.trc -o report.html
  tracer report chat.trc --format md | gh issue comment 7 --body-file -`,
    );
  addAnalysisOptions(command, 'the same as --format json').action(async (file: string, flags: ReportFlags) => {
    const prices = readPriceFile(flags.prices);
    await runAnalysis('report', flags, (settings) => report(file, { ...settings, format: flags.format, prices }));
  });
}
