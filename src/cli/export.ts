// `tracer export`: a recording in the formats of other tools. The options are made from the table of formats.

import { type Command, Option } from 'commander';
import { exportFormats, exportRecordings, readRulesFile } from '../app/index.ts';
import { TracerError } from '../errors.ts';
import { createLog, reportProblem, warnIfRevealed } from './log.ts';
import { addLogOption, type LogFlags, RULES } from './options.ts';
import { progressLine } from './progress.ts';
import { stopOnSignals } from './run-capture.ts';

interface ExportFlags extends LogFlags {
  readonly filter?: string;
  readonly raw?: true;
  readonly reveal?: true;
  readonly content?: true;
  readonly revealToOtlp?: true;
  readonly rules?: string;
  /** Targets, by the name of the format. */
  readonly [format: string]: unknown;
}

function targetsOf(flags: ExportFlags): ReadonlyMap<string, string> {
  const chosen = exportFormats().flatMap((format) => {
    const target = flags[format.name];
    return typeof target === 'string' ? [{ format, target }] : [];
  });
  const usage = (what: string): TracerError => new TracerError('E_CLI_USAGE', { what, command: 'export' });
  if (chosen.length === 0) throw usage('no format chosen');
  const raw = chosen.find(({ format }) => format.isRaw);
  if (raw !== undefined && flags.raw !== true)
    throw usage(`--${raw.format.flag} writes plaintext with all its secrets: say --raw as well`);
  // Secrets leave this machine only when that was asked for twice.
  if (flags.reveal === true && chosen.some(({ format }) => format.name === 'otlp') && flags.revealToOtlp !== true)
    throw usage('--reveal with --otlp would send secrets: add --reveal-to-otlp if that is what you want');
  return new Map(chosen.map(({ format, target }) => [format.name, target]));
}

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .summary('write a recording in the formats of other tools')
    .description(
      'Decodes recordings and writes them in one or more formats. Secrets are replaced as everywhere; what goes out, and what each format leaves out: docs/exports.md.',
    )
    .argument('<files...>', 'recordings; `-` is standard input');
  for (const format of exportFormats())
    command.addOption(new Option(`--${format.flag} <${format.argument}>`, format.description));
  command
    .option(
      '--filter <text>',
      'only calls that it wants (docs/filters.md), e.g. "class:chat.* status>=400"; not --pcapng',
    )
    .option('--content', 'with --otlp: prompts, answers, tool arguments and results, too')
    .option('--raw', 'allow formats that hold plaintext as captured, secrets included')
    .option('--reveal', 'show secrets as they are (default: kind and fingerprint only)')
    .option('--reveal-to-otlp', 'with --reveal: send secrets as they are, too')
    .option('--rules <file>', RULES)
    .addHelpText(
      'after',
      `
Examples:
  tracer export chat.trc --har chat.har                   open it in a browser’s network panel
  tracer export chat.trc --sqlite chat.db && sqlite3 chat.db 'select class, count(*) from calls group by 1'
  tracer export chat.trc --har bad.har --filter 'status>=400'
  tracer export chat.trc --otlp http://localhost:4318     spans with GenAI attributes, no content
  tracer export chat.trc --raw --pcapng chat.pcapng       for Wireshark; holds all secrets`,
    );
  addLogOption(command).action(async (files: string[], flags: ExportFlags) => {
    const targets = targetsOf(flags);
    const log = createLog(flags.logLevel);
    warnIfRevealed(log, flags.reveal);
    if (flags.raw === true) log.warn('a raw export holds all secrets that crossed the wire: keep it private');
    const progress = progressLine(process.stderr);
    const settings = {
      files,
      targets,
      filter: flags.filter,
      content: flags.content === true,
      reveal: flags.reveal === true,
      rules: readRulesFile(flags.rules),
      log,
      stop: stopOnSignals(),
      onProgress: progress.show,
    };
    const { exitCode, problem } = await exportRecordings(settings).finally(progress.clear);
    process.exitCode = exitCode;
    reportProblem(problem, flags);
  });
}
