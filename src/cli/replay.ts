// `tracer replay`: a recording through the same code as a live capture, offline and without root.

import { type Command, Option } from 'commander';
import { replay } from '../app/index.ts';
import { addNatsOptions } from './nats-options.ts';
import type { LogFlags, OutputFlags } from './options.ts';
import { addLogOption, addOutputOptions } from './options.ts';
import { progressLine } from './progress.ts';
import { withOutput } from './run-capture.ts';
import { parseSpeed } from './values.ts';

interface ReplayFlags extends OutputFlags, LogFlags {
  readonly speed?: number;
}

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .summary('show a recording again, without root')
    .description(
      'Feeds a recording through the same code path as a live capture and prints the same calls: same ids, same times.\nA file that was cut (the tracer was killed, the disk was full) is replayed up to its last whole block.',
    )
    .argument(
      '<files...>',
      'made with --record: one, the parts of a rotated session, or several; `-` is standard input',
    )
    .addOption(
      new Option('--speed <factor>', '1x: as it happened, 10x: ten times as fast, max: at once')
        .argParser(parseSpeed)
        .default(undefined, 'max'),
    )
    .addHelpText(
      'after',
      `
Examples:
  tracer replay chat.trc -v
  tracer replay chat*.trc                       a rotated session, or several sessions merged by time
  ssh host cat chat.trc | tracer replay -       from a pipe
  tracer replay --speed 10x chat.trc            as a live view, ten times as fast
  tracer replay chat.trc --json | jq -r 'select(.llm) | [.time, .class, .llm.model] | @tsv'`,
    );
  addLogOption(addNatsOptions(addOutputOptions(command)));
  command.action(async (files: string[], flags: ReplayFlags) => {
    // A table that appears on the terminal is progress enough; output that goes elsewhere leaves the terminal silent.
    const isElsewhere = flags.output !== undefined || process.stdout.isTTY !== true;
    const { show, clear } = progressLine({
      isTTY: isElsewhere && process.stderr.isTTY === true,
      write: (text) => process.stderr.write(text),
    });
    await withOutput('replay', flags, (settings) =>
      replay({ ...settings, files, speed: flags.speed, onProgress: show }).finally(clear),
    );
  });
}
