// `tracer cut`: a part of recordings, or several as one.

import type { Command } from 'commander';
import { type CutTime, cut } from '../app/index.ts';
import { bytes, counted } from '../app/start.ts';
import { EXIT, TracerError } from '../errors.ts';
import { createLog, reportProblem } from './log.ts';
import { addLogOption, type LogFlags } from './options.ts';
import { progressLine } from './progress.ts';
import { stopOnSignals } from './run-capture.ts';
import { collectClasses, collectPids, parseMoment } from './values.ts';

interface CutFlags extends LogFlags {
  readonly from?: CutTime;
  readonly to?: CutTime;
  readonly conversation?: readonly number[];
  readonly class?: readonly string[];
}

export function addCut(program: Command): void {
  const command = program
    .command('cut')
    .summary('take a part of a recording, or join several')
    .description(
      'Writes a new recording with the connections that carry the chosen calls, each from its first byte (headers of HTTP/2 cannot be read otherwise) to the end of its last chosen call. Without a choice, everything: this joins files. Like every recording it holds secrets; mode 0600.',
    )
    .argument('<files...>', 'recordings, and at the end the file to write')
    .option('--from <time>', 'calls that begin at 2026-03-01T14:05:00Z or later; +90s: after the start', parseMoment)
    .option('--to <time>', 'calls that begin until then', parseMoment)
    .option(
      '--conversation <n>',
      'calls of this conversation (`tracer conversations`), may be given again',
      collectPids,
    )
    .option('--class <name>', 'calls of this class; `chat.*` for all that begin so; may be given again', collectClasses)
    .addHelpText(
      'after',
      `
Examples:
  tracer cut chat.trc one.trc --conversation 3
  tracer cut chat.trc minute.trc --from +5m --to +6m
  tracer cut chat.trc chats.trc --class 'chat.*'
  tracer cut chat*.trc whole.trc                 join the parts of a rotated session, or several sessions by time`,
    );
  addLogOption(command).action(async (paths: string[], flags: CutFlags) => {
    const output = paths.at(-1);
    const files = paths.slice(0, -1);
    const usage = (what: string): TracerError => new TracerError('E_CLI_USAGE', { what, command: 'cut' });
    if (output === undefined || files.length === 0) throw usage('name the recording and the file to write');
    if (files.includes('-')) throw usage('standard input cannot be read twice: give a file');
    const log = createLog(flags.logLevel);
    const progress = progressLine(process.stderr);
    const { from, to, conversation = [], class: classes = [] } = flags;
    const settings = { files, output, reveal: false, log, stop: stopOnSignals(), onProgress: progress.show };
    const selection = { from, to, conversations: conversation, classes };
    const result = await cut({ ...settings, selection }).finally(progress.clear);
    const along =
      result.others === 0
        ? ''
        : `, ${counted(result.others, 'other')} on the same ${result.connections === 1 ? 'connection' : 'connections'}`;
    log.info(
      `${output}: ${counted(result.calls, 'call')}${along}, ${counted(result.connections, 'connection')}, ${bytes(result.bytes)}`,
    );
    reportProblem(result.problem, flags);
    process.exitCode = result.problem?.exitCode ?? EXIT.ok;
  });
}
