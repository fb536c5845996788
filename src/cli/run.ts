// `tracer run`: start a program and trace it from its first byte.

import type { Command } from 'commander';
import { run } from '../app/index.ts';
import { addNatsOptions } from './nats-options.ts';
import type { CaptureFlags, LogFlags, OutputFlags } from './options.ts';
import { addCaptureOptions, addLogOption, addOutputOptions } from './options.ts';
import { runCapture } from './run-capture.ts';

interface RunFlags extends CaptureFlags, OutputFlags, LogFlags {}

export function addRun(program: Command): void {
  const command = program
    .command('run')
    .summary('start a program and trace it from its first byte')
    .description(
      'Starts a program as the invoking user (not as root) and traces it and its descendants from the first byte.\nThe program’s standard output goes to standard error, so that standard output holds the tracer’s lines alone; with --output FILE it is left as it is.',
    )
    .argument('<command...>', 'program and its arguments, after `--`')
    .addHelpText(
      'after',
      `
Examples:
  sudo tracer run -- curl -s https://api.githubcopilot.com/models
  sudo tracer run -o calls.txt -- copilot -p "explain this repository"
  sudo tracer run --json --record session.trc -- node agent.mjs > calls.ndjson

Exit code: as for attach; that of the program is in its \`process\` event (phase "exited").`,
    );
  addLogOption(addNatsOptions(addCaptureOptions(addOutputOptions(command))));
  command.action(async (words: string[], flags: RunFlags) => {
    await runCapture('run', flags, (settings) => run({ ...settings, words, keepStdout: flags.output !== undefined }));
  });
}
