// `tracer conversations`: what a recording holds, one line per conversation.

import type { Command } from 'commander';
import { conversations } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

export function addConversations(program: Command): void {
  const command = program
    .command('conversations')
    .summary('list the conversations of a recording')
    .description(
      'Groups the calls of a recording into conversations, turns and rounds, subagents linked to what started them, and shows how the editor started. `tracer show` prints a conversation as a transcript. Fields: docs/insight.md.',
    )
    .argument('<file>', 'a file made with --record')
    .addHelpText(
      'after',
      `
Examples:
  tracer conversations chat.trc
  tracer show chat.trc --list          every call with its id, those beside conversations as well
  tracer conversations chat.trc --json | jq -r 'select(.type == "conversation") | [.number, .rounds, .turns[0].asked] | @tsv'`,
    );
  addAnalysisOptions(command, 'one JSON object per line: a start of the editor, a conversation, what ran beside them');
  command.action(async (file: string, flags: AnalysisFlags) => {
    await runAnalysis('conversations', flags, (settings, view) => conversations(file, settings, view));
  });
}
