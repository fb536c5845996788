// What the commands that ask about a recording share at the edge: their flags, progress on a terminal, where the answer
// goes, and the exit code.

import type { Command } from 'commander';
import { Option } from 'commander';
import {
  type AnalysisSettings,
  type AnswerSettings,
  readRulesFile,
  type SessionResult,
  safeJson,
  writeAnswer,
} from '../app/index.ts';
import { createLog, reportProblem, warnIfRevealed } from './log.ts';
import type { LogFlags } from './options.ts';
import { addLogOption, RULES } from './options.ts';
import { progressLine } from './progress.ts';
import { stopOnSignals, useColor } from './run-capture.ts';

export interface AnalysisFlags extends LogFlags {
  readonly json?: true;
  readonly output?: string;
  readonly reveal?: true;
  readonly rules?: string;
  readonly color: 'auto' | 'always' | 'never';
}

/** `json` says what the command's `--json` prints. */
export function addAnalysisOptions(command: Command, json: string): Command {
  command
    .option('--json', json)
    .option('-o, --output <file>', 'write there instead of to standard output')
    .option('--reveal', 'show secrets as they are (default: kind and fingerprint only)')
    .option('--rules <file>', RULES)
    .addOption(new Option('--color <when>', 'colour the text').choices(['auto', 'always', 'never']).default('auto'));
  return addLogOption(command);
}

/** What a command says: text for people, or values of which each becomes one line of JSON. */
export interface Answer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

export interface AnswerView {
  readonly columns: number | null;
  readonly color: boolean;
}

/** Runs the analysis `ask`, writes what it answers, sets the exit code. */
export async function runAnalysis(
  command: string,
  flags: AnalysisFlags,
  ask: (settings: AnalysisSettings, view: AnswerView) => Promise<Answer>,
): Promise<void> {
  const log = createLog(flags.logLevel);
  warnIfRevealed(log, flags.reveal);
  const progress = progressLine(process.stderr);
  const color = useColor(flags);
  const columns = flags.output === undefined && process.stdout.isTTY ? process.stdout.columns : null;
  const stop = stopOnSignals();
  const settings = {
    reveal: flags.reveal === true,
    rules: readRulesFile(flags.rules),
    log,
    stop,
    onProgress: progress.show,
  };
  const answer = await ask(settings, { columns, color }).finally(progress.clear);
  const target: AnswerSettings = { command, outputFile: flags.output, log };
  await writeAnswer(target, flags.json === true ? jsonLines(answer.json) : textLines(answer.text));
  process.exitCode = answer.exitCode;
  reportProblem(answer.problem, flags);
}

function* jsonLines(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield `${safeJson(value)}\n`;
}

function* textLines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}
