// `tracer info`: what a recording is, without decoding what it shows.

import type { Command } from 'commander';
import { type FileFacts, info, type RecordingInfo } from '../app/index.ts';
import { safeText } from '../app/start.ts';
import { type AnalysisFlags, addAnalysisOptions, runAnalysis } from './run-analysis.ts';

interface InfoFlags extends AnalysisFlags {
  readonly quick?: true;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function sizeText({ bytes, contentBytes }: FileFacts): string {
  if (bytes === null) return 'from a pipe';
  if (contentBytes === null || contentBytes === 0) return sizeOf(bytes);
  return `${sizeOf(bytes)}, ${sizeOf(contentBytes)} before compression`;
}

const fileLines = (file: FileFacts): string[] => [
  `${file.path}${file.part > 0 ? ` (part ${file.part})` : ''}`,
  `  format     ${file.formatVersion}, made by tracer ${file.toolVersion || '?'} on ${file.host || '?'}`,
  `  size       ${sizeText(file)}`,
  `  state      ${file.problem ?? file.state}${file.hasIndex ? '' : ', no index'}`,
];

function* lines({ files, from, to, durationMs, records, contents, summary }: RecordingInfo): Generator<string> {
  for (const file of files) yield* fileLines(file);
  yield `time       ${from} to ${to} (${(durationMs / 1000).toFixed(1)} s)`;
  if (contents === null) yield `records    ${records}`;
  else {
    yield `plaintext  ${sizeOf(contents.outBytes)} out, ${sizeOf(contents.inBytes)} in`;
    const kinds = Object.entries(contents.byKind).map(([kind, count]) => `${count} ${kind}`);
    yield `records    ${kinds.join(', ')}`;
  }
  if (summary === null) return;
  const { out, in: received } = summary.lost;
  yield `found      ${counted(summary.processes, 'process', 'processes')}, ${counted(summary.connections, 'connection')}, ${counted(summary.calls, 'call')}`;
  yield `lost       ${out + received === 0 ? 'nothing' : `${out} bytes out, ${received} bytes in`}`;
  for (const [name, count] of Object.entries(summary.callsByClass)) yield `  ${String(count).padStart(6)}  ${name}`;
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
