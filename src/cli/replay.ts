// `tracer replay`: a recording through the same code as a live capture, offline and without root.

import type { Command } from 'commander';
import { replay } from '../app/index.ts';
import type { LogFlags, OutputFlags } from './options.ts';
import { addLogOption, addOutputOptions } from './options.ts';
import { withOutput } from './run-capture.ts';

interface ReplayFlags extends OutputFlags, LogFlags {}

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .summary('show a recording again, without root')
    .description(
      'Feeds a recording through the same code path as a live capture and prints the same calls: same ids, same times.\nA file that was cut (the tracer was killed, the disk was full) is replayed up to its last whole block.',
    )
    .argument('<file>', 'a file made with --record')
    .addHelpText(
      'after',
      `
Examples:
  tracer replay chat.trc -v
  tracer replay chat.trc --json | jq -r 'select(.llm) | [.time, .class, .llm.model] | @tsv'`,
    );
  addLogOption(addOutputOptions(command));
  command.action(async (file: string, flags: ReplayFlags) => {
    await withOutput('replay', flags, (settings) => replay({ ...settings, file }));
  });
}
