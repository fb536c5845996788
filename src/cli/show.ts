// `tracer show`: a conversation, a turn or a call as text to read.

import type { Command } from 'commander';
import { show } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface ShowFlags extends AnalysisFlags {
  readonly explain?: true;
  readonly list?: true;
}

export function addShow(program: Command): void {
  const command = program
    .command('show')
    .summary('print a conversation as a transcript, or one call whole')
    .description(
      'Prints what the user asked and, round by round, what the model thought, said and called, what the tools answered and how long they took; retries, compactions, to-do lists, memory, subagents and helpers where they happened.',
    )
    .argument('<file>', 'a file made with --record')
    .argument('[what]', 'a conversation (2), a turn (2.1) or a call (c3.5); default: all conversations')
    .option(
      '--list',
      'one line per call instead, of a conversation or turn or of all: its id, its place, class, model, sizes',
    )
    .option('--explain', 'show which rule named each call, and how sure it is')
    .addHelpText(
      'after',
      `
Examples:
  tracer show chat.trc                 every conversation
  tracer show chat.trc 1.2             the second turn of the first one
  tracer show chat.trc --list          every call with its id
  tracer show chat.trc c3.5            one call with its headers and its whole prompt
  tracer show chat.trc 1 --json | jq '.turns[].rounds[].tools[] | [.name, .durationMs]'`,
    );
  addAnalysisOptions(
    command,
    'the same as JSON, one object per conversation or listed call (docs/insight.md), or the call as in docs/events.md',
  );
  command.action(async (file: string, what: string | undefined, flags: ShowFlags) => {
    await runAnalysis('show', flags, (settings, view) =>
      show(file, { ...settings, what, explain: flags.explain === true, list: flags.list === true }, view),
    );
  });
}
