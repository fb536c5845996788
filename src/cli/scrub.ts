// `tracer scrub`: a recording that can be shown to others.

import type { Command } from 'commander';
import { scrub, userName } from '../app/index.ts';
import { counted } from '../app/start.ts';
import { createLog, reportProblem } from './log.ts';
import { addLogOption, type LogFlags } from './options.ts';
import { stopOnSignals } from './run-capture.ts';

async function run(input: string, output: string, flags: LogFlags): Promise<void> {
  const log = createLog(flags.logLevel);
  const result = await scrub({ files: [input], outputFile: output, user: userName(), log, stop: stopOnSignals() });
  reportProblem(result.problem, flags);
  log.info(
    `${output}: ${counted(result.secrets, 'secret')} replaced; look through it before you share it (docs/security.md)`,
  );
  process.exitCode = result.exitCode;
}

export function addScrub(program: Command): void {
  const command = program
    .command('scrub')
    .summary('make a recording that can be shared')
    .description(
      'Writes a recording anew with every secret that redaction finds replaced by a placeholder of the same length and shape: it replays to the same calls. Prompts and answers stay: only secrets in them go.',
    )
    .argument('<in>', 'a file made with --record')
    .argument('<out>', 'the file to write, mode 0600')
    .addHelpText(
      'after',
      `
Examples:
  tracer scrub chat.trc shared.trc
  tracer replay shared.trc -v                        look through it before you share it`,
    );
  addLogOption(command).action(run);
}
