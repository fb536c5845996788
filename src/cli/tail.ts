// `tracer tail`: a fleet's events as they come over the bus.

import type { Command } from 'commander';
import { type ReadFrom, tail } from '../app/index.ts';
import { addNatsServerOptions, DEFAULT_STREAM, type NatsServerFlags, serverSettings } from './nats-options.ts';
import type { LogFlags, OutputFlags } from './options.ts';
import { addLogOption, addViewOptions } from './options.ts';
import { withOutput } from './run-capture.ts';
import { parseDuration, parseFilter } from './values.ts';

export interface SourceFlags extends NatsServerFlags {
  readonly jetstream?: true | string;
  readonly since?: ReadFrom;
  readonly host?: string;
  readonly user?: string;
}

interface TailFlags extends Pick<OutputFlags, 'json' | 'output' | 'verbose' | 'color'>, SourceFlags, LogFlags {}

/** `all`, or an age. */
const parseSince = (text: string): ReadFrom =>
  text === 'all' ? { kind: 'all' } : { kind: 'since', ageMs: parseDuration(text) };

/** Where the events come from: tail and collect. */
export function addSourceOptions(command: Command): Command {
  return addNatsServerOptions(command)
    .option(
      '--jetstream [stream]',
      `read from a JetStream stream (default: ${DEFAULT_STREAM}) instead of what is sent just now`,
    )
    .option('--since <age>', 'with --jetstream: begin this far back, e.g. 1h, or "all"', parseSince)
    .option('--host <name>', 'only events of this machine')
    .option('--user <name>', 'only events of this user');
}

/** `from` is where a stream is read from when the user does not say. */
export function readerSettings(flags: SourceFlags, from: ReadFrom) {
  const name = flags.jetstream === true ? DEFAULT_STREAM : flags.jetstream;
  const stream = name === undefined ? null : { name, from: flags.since ?? from };
  return { ...serverSettings(flags), stream, host: flags.host, user: flags.user };
}

export function addTail(program: Command): void {
  const command = program
    .command('tail')
    .summary('watch the events of a whole fleet')
    .description(
      'Prints the events that tracers on other machines publish with --nats, in the same view as attach, each line with its origin.',
    )
    .argument('[filter]', 'only events that it wants (docs/filters.md)', parseFilter)
    .addHelpText(
      'after',
      `
Examples:
  tracer tail --nats nats://bus:4222
  tracer tail --nats nats://bus:4222 --jetstream --since 1h "status>=400 or finding:secret"
  tracer tail --nats tls://bus:4222 --nats-creds watcher.creds --json | jq .origin.host`,
    );
  addLogOption(addSourceOptions(addViewOptions(command)));
  command.action(async (filter: string | undefined, flags: TailFlags) => {
    const source = readerSettings(flags, { kind: 'new' });
    const view = {
      ...(flags.json && { json: flags.json }),
      ...(flags.output !== undefined && { output: flags.output }),
    };
    const shown = {
      ...view,
      ...(flags.verbose && { verbose: flags.verbose }),
      color: flags.color,
      logLevel: flags.logLevel,
    };
    await withOutput('tail', shown, (settings) => tail({ ...settings, filter, source }));
  });
}
