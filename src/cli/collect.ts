// `tracer collect`: a fleet's events from the bus into files.

import type { Command } from 'commander';
import { collect } from '../app/index.ts';
import { createLog, reportProblem } from './log.ts';
import type { LogFlags } from './options.ts';
import { addLogOption } from './options.ts';
import { stopOnSignals } from './run-capture.ts';
import { addSourceOptions, readerSettings, type SourceFlags } from './tail.ts';
import { parseFilter } from './values.ts';

interface CollectFlags extends SourceFlags, LogFlags {
  readonly record: string;
}

export function addCollect(program: Command): void {
  const command = program
    .command('collect')
    .summary('write the events of a whole fleet to files')
    .description(
      'Writes events from the bus to DIR, one file per session (HOST.USER.SESSION.ndjson, mode 0600), one JSON object per line with its origin. With --jetstream it goes on where it stopped, and misses nothing that the stream still holds.',
    )
    .argument('[filter]', 'only events that it wants (docs/filters.md)', parseFilter)
    .requiredOption('--record <dir>', 'directory for the files, created when missing')
    .addHelpText(
      'after',
      `
Examples:
  tracer collect --nats nats://bus:4222 --jetstream --record /var/lib/tracer
  tracer collect --nats nats://bus:4222 --record calls "type:call"`,
    );
  addLogOption(addSourceOptions(command));
  command.action(async (filter: string | undefined, flags: CollectFlags) => {
    const log = createLog(flags.logLevel);
    const source = readerSettings(flags, { kind: 'all' });
    const result = await collect({ source, dir: flags.record, filter, log, stop: stopOnSignals() });
    process.exitCode = result.exitCode;
    reportProblem(result.problem, flags);
  });
}
