// `tracer compare`: a recording beside the editor's own log.

import type { Command } from 'commander';
import { compare } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface CompareFlags extends AnalysisFlags {
  readonly debugLog: string;
}

export function addCompare(program: Command): void {
  const command = program
    .command('compare')
    .summary('set a recording beside the editor’s own log')
    .description(
      'Pairs the LLM calls of a recording with those that the Copilot extension logged itself (Agent Debug Log, or OTLP as JSON) and says what is in one and not in the other, and where models and tokens differ. See docs/evidence.md.',
    )
    .argument('<file>', 'a file made with --record')
    .requiredOption('--debug-log <log>', 'main.jsonl of the Agent Debug Log or its folder, or spans as OTLP-JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 both say the same; 5 they differ; 4 they agree, but the capture is incomplete.',
    );
  addAnalysisOptions(command, 'one JSON object per line: pairs, then what is in one only').action(
    async (file: string, flags: CompareFlags) => {
      await runAnalysis('compare', flags, (settings) => compare(file, { ...settings, debugLog: flags.debugLog }));
    },
  );
}
