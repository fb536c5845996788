// `tracer context`: what went into the prompts, and how it got there.

import type { Command } from 'commander';
import { Option } from 'commander';
import { type ContextBy, context } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface ContextFlags extends AnalysisFlags {
  readonly by: ContextBy;
  readonly workspace?: string;
}

export function addContext(program: Command): void {
  const command = program
    .command('context')
    .summary('list the files and texts that went out, and by which mechanism')
    .description(
      'Reads a recording and lists what the prompts were made of: which files went out, to which host and model, how often, and why (attached, read by a tool, pulled in by recent edits, …). Kinds and fields: docs/context.md.',
    )
    .argument('<file>', 'a file made with --record')
    .addOption(
      new Option('--by <what>', 'one block per file, kind or call').choices(['file', 'call', 'kind']).default('file'),
    )
    .option('--workspace <dir>', 'mark what is git-ignored, in .copilotignore or excluded by the organisation')
    .addHelpText(
      'after',
      `
Examples:
  tracer context chat.trc
  tracer context chat.trc --workspace ~/src/app | grep -A2 git-ignored
  tracer context chat.trc --json | jq -r 'select(.hidden) | [.path, .calls] | @tsv'`,
    );
  addAnalysisOptions(command, 'one JSON object per line: a file, kind or call').action(
    async (file: string, flags: ContextFlags) => {
      await runAnalysis('context', flags, (settings) =>
        context(file, { ...settings, by: flags.by, workspace: flags.workspace }),
      );
    },
  );
}
