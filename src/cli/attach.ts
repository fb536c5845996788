// `tracer attach`: trace processes that run already.

import type { Command } from 'commander';
import { attach, chooseTargets } from '../app/index.ts';
import { askOnTerminal } from './choose-client.ts';
import { addNatsOptions } from './nats-options.ts';
import type { CaptureFlags, LogFlags, OutputFlags, TargetFlags } from './options.ts';
import { addCaptureOptions, addLogOption, addOutputOptions, addTargetOptions } from './options.ts';
import { runCapture } from './run-capture.ts';

interface AttachFlags extends CaptureFlags, OutputFlags, LogFlags, TargetFlags {
  readonly wait?: true;
  readonly resetConnections?: true;
}

export function addAttach(program: Command): void {
  const command = program
    .command('attach')
    .summary('trace running processes and their descendants')
    .description(
      'Attaches to running processes and all their descendants, prints each LLM call as it happens and a summary at the end.\nWithout a target it looks for a running editor or Copilot client and offers it.\nNeeds root; goes on with the rights of the invoking user. The targets are not stopped, changed or restarted.',
    )
    .addHelpText(
      'after',
      `
Examples:
  sudo tracer attach                                 offer what runs here
  sudo tracer attach --pid 4711                      watch an editor until Ctrl-C
  sudo tracer attach --name extension-host           by role, or by name: --name 'copilot*'
  sudo tracer attach --pid 4711 -v                   with prompts and answers
  sudo tracer attach --pid 4711 --json | jq 'select(.type == "call") | .llm.usage'
  sudo tracer attach --pid 4711 --record chat.trc --duration 5m

Stops on Ctrl-C, when all targets have exited, after --duration or --max-calls.
Exit code 4: the capture is incomplete (the summary says what is missing); others: docs/errors.md.`,
    );
  addTargetOptions(command)
    .option('--wait', 'attach even when no TLS library is loaded yet')
    .option(
      '--reset-connections',
      'close the connections that the targets have open, so that they reconnect and nothing is joined late',
    );
  addLogOption(addNatsOptions(addCaptureOptions(addOutputOptions(command))));
  command.action(async (flags: AttachFlags) => {
    const { pid = [], name, exe, all = false, yesAll = false, children } = flags;
    const selection = { pids: pid, name, exe, all, isAllConfirmed: yesAll, withChildren: children };
    const pids = await chooseTargets(selection, askOnTerminal());
    await runCapture('attach', flags, (settings) =>
      attach({
        ...settings,
        pids,
        wait: flags.wait === true || all,
        resetConnections: flags.resetConnections === true,
      }),
    );
  });
}
