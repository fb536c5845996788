// `tracer info`: what a recording is, without decoding what it shows.

import type { Command } from 'commander';
import { type FileFacts, info, type RecordingInfo } from '../app/index.ts';
import { counted, exact, safeText, bytes as sizeOf } from '../app/start.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface InfoFlags extends AnalysisFlags {
  readonly quick?: true;
}

function sizeText({ bytes, contentBytes }: FileFacts): string {
  if (bytes === null) return 'from a pipe';
  if (contentBytes === null || contentBytes === 0) return sizeOf(bytes);
  return `${sizeOf(bytes)}, ${sizeOf(contentBytes)} before compression`;
}

/** Standard input has no name of its own. */
const nameOf = ({ path }: FileFacts): string => (path === '-' ? 'standard input' : path);

const fileLines = (file: FileFacts): string[] => [
  `${nameOf(file)}${file.part > 0 ? ` (part ${file.part})` : ''}`,
  `  format     ${file.formatVersion}, made by tracer ${file.toolVersion || '?'} on ${file.host || '?'}`,
  `  size       ${sizeText(file)}`,
  `  state      ${file.problem ?? file.state}${file.hasIndex ? '' : ', no index'}`,
];

function* lines({ files, from, to, durationMs, records, contents, summary }: RecordingInfo): Generator<string> {
  for (const file of files) yield* fileLines(file);
  yield `time       ${from} to ${to} (${(durationMs / 1000).toFixed(1)} s)`;
  if (contents === null) yield `records    ${exact(records)}`;
  else {
    yield `plaintext  ${sizeOf(contents.outBytes)} out, ${sizeOf(contents.inBytes)} in`;
    const kinds = Object.entries(contents.byKind).map(([kind, count]) => `${exact(count)} ${kind}`);
    yield `records    ${kinds.join(', ')}`;
  }
  if (summary === null) return;
  const { out, in: received } = summary.lost;
  yield `found      ${counted(summary.processes, 'process', 'processes')}, ${counted(summary.connections, 'connection')}, ${counted(summary.calls, 'call')}`;
  yield `lost       ${out + received === 0 ? 'nothing' : `${exact(out)} B out, ${exact(received)} B in`}`;
  for (const [name, count] of Object.entries(summary.callsByClass)) yield `  ${exact(count).padStart(6)}  ${name}`;
}

/** Host, version and classes are what the file says, and may be anything. */
function* safeLines(found: RecordingInfo): Generator<string> {
  for (const line of lines(found)) yield safeText(line);
}

export function addInfo(program: Command): void {
  const command = program
    .command('info')
    .summary('say what a recording is and holds')
    .description(
      'Prints format, size, times, kinds of records and calls by class. Shows nothing of what was said: safe to paste.',
    )
    .argument('<files...>', 'recordings; `-` is standard input')
    .option('--quick', 'by header and index alone, at once however large the file; without an index it is read')
    .addHelpText(
      'after',
      `
Examples:
  tracer info chat.trc
  tracer info --quick huge*.trc
  tracer info chat*.trc --json | jq .summary.callsByClass`,
    );
  addAnalysisOptions(command, 'one JSON object instead of lines').action(async (files: string[], flags: InfoFlags) => {
    await runAnalysis('info', flags, async (settings) => {
      const result = await info(files, { ...settings, quick: flags.quick === true });
      return { ...result, text: safeLines(result.info), json: [result.info] };
    });
  });
}
