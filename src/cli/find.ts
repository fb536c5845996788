// `tracer find`: did this text or file leave the machine?

import type { Command } from 'commander';
import { find, readNeedle } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface FindFlags extends AnalysisFlags {
  readonly file?: string;
  readonly sha256?: string;
}

export function addFind(program: Command): void {
  const command = program
    .command('find')
    .summary('say whether a text or a file left the machine: yes, no or unknown')
    .description(
      'Searches everything that a recording holds, through JSON escapes, streamed pieces, compression, base64, diffs and changed white space. The text is never printed. What can be found and what hides a text: docs/evidence.md.',
    )
    .argument('<recording>', 'a file made with --record')
    .argument('[text]', 'what to look for; `-` reads it from standard input, so that it stands in no shell history')
    .option('--file <path>', 'look for the content of this file, whole or in parts')
    .option('--sha256 <hash>', 'look for a text whose SHA-256 is this, without having it')
    .addHelpText(
      'after',
      `
Exit code: 0 yes, it left the machine; 5 no; 4 unknown: it was not found, but not everything could be searched.

Examples:
  tracer find chat.trc --file ~/src/app/.env
  pass show db/prod | tracer find chat.trc -`,
    );
  addAnalysisOptions(command, 'the answer as one JSON object').action(
    async (recording: string, text: string | undefined, flags: FindFlags) => {
      const needle = readNeedle({ text, file: flags.file, sha256: flags.sha256 });
      await runAnalysis('find', flags, (settings) => find(recording, { ...settings, needle }));
    },
  );
}
