// `tracer curl`: a call as a shell command.

import type { Command } from 'commander';
import { curl } from '../app/index.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

export function addCurl(program: Command): void {
  const command = program
    .command('curl')
    .summary('print a curl command that repeats a call')
    .description(
      'Prints a shell script that sends the request of a call again. Secrets are not in it: each is a variable that must be set first, named by the kind of secret. Calls inside a WebSocket cannot be repeated by curl.',
    )
    .argument('<file>', 'a file made with --record')
    .argument('<call>', 'id of the call, e.g. c3.5')
    .addHelpText(
      'after',
      `
Examples:
  tracer curl chat.trc c3.5
  tracer curl chat.trc c3.5 > again.sh && COPILOT_TOKEN=… sh again.sh`,
    );
  addAnalysisOptions(command, 'one JSON object with the lines').action(
    async (file: string, call: string, flags: AnalysisFlags) => {
      await runAnalysis('curl', flags, async (settings) => {
        const result = await curl(file, call, settings);
        return { ...result, text: result.lines, json: [{ call, lines: result.lines }] };
      });
    },
  );
}
