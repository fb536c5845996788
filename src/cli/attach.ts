// `tracer attach`: trace processes that run already.

import type { Command } from 'commander';
import { attach } from '../app/index.ts';
import type { CaptureFlags, LogFlags, OutputFlags } from './options.ts';
import { addCaptureOptions, addLogOption, addOutputOptions, addPidOption } from './options.ts';
import { runCapture } from './run-capture.ts';

interface AttachFlags extends CaptureFlags, OutputFlags, LogFlags {
  readonly pid: readonly number[];
  readonly wait?: true;
  readonly resetConnections?: true;
}

export function addAttach(program: Command): void {
  const command = program
    .command('attach')
    .summary('trace running processes and their descendants')
    .description(
      'Attaches to running processes and all their descendants, prints each LLM call as it happens and a summary at the end.\nNeeds root; goes on with the rights of the invoking user. The targets are not stopped, changed or restarted.',
    )
    .option('--wait', 'attach even when no TLS library is loaded yet')
    .option(
      '--reset-connections',
      'close the connections that the targets have open, so that they reconnect and nothing is joined late',
    )
    .addHelpText(
      'after',
      `
Examples:
  sudo tracer attach --pid 4711                      watch an editor until Ctrl-C
  sudo tracer attach --pid 4711 -v                   with prompts and answers
  sudo tracer attach --pid 4711 --json | jq 'select(.type == "call") | .llm.usage'
  sudo tracer attach --pid 4711 --record chat.trc --duration 5m

Stops on Ctrl-C, when all targets have exited, after --duration or --max-calls.
Exit code 4: the capture is incomplete (the summary says what is missing); others: docs/errors.md.`,
    );
  addLogOption(addOutputOptions(addCaptureOptions(addPidOption(command))));
  command.action(async (flags: AttachFlags) => {
    await runCapture('attach', flags, (settings) =>
      attach({
        ...settings,
        pids: flags.pid,
        wait: flags.wait === true,
        resetConnections: flags.resetConnections === true,
      }),
    );
  });
}
