// Options of the bus: which server and who we are to it (everything that speaks NATS), and how events are published
// (attach, run, replay). Secrets are named by file or environment, never given on the command line.

import { type Command, Option } from 'commander';
import { checkServerUrl, type NatsServerSettings, type NatsSinkSettings } from '../app/index.ts';
import { TracerError } from '../errors.ts';
import { parseDuration, parseSize } from './values.ts';

export interface NatsServerFlags {
  readonly nats?: readonly string[];
  readonly natsCreds?: string;
  readonly natsNkey?: string;
  readonly natsLogin?: string;
  readonly natsCa?: string;
  readonly natsCert?: string;
  readonly natsKey?: string;
}

export interface NatsFlags extends NatsServerFlags {
  readonly natsEncoding?: 'protobuf' | 'json';
  readonly jetstream?: true | string;
  readonly streamMaxAge?: number;
  readonly streamMaxBytes?: number;
  readonly natsSpool?: string;
  readonly natsSpoolSize?: number;
  readonly revealToNats?: true;
}

export const DEFAULT_STREAM = 'TRACER';
const DEFAULT_MAX_AGE_MS = 7 * 24 * 3_600_000;
const DEFAULT_MAX_BYTES = 10 * 1024 ** 3;
const DEFAULT_SPOOL_BYTES = 256 * 1024 ** 2;

/** `--nats a,b --nats c`. */
function collectServers(text: string, before: readonly string[] = []): readonly string[] {
  const urls = text.split(',').map((url) => url.trim());
  for (const url of urls) checkServerUrl(url);
  return [...before, ...urls];
}

const NATS = 'NATS server, nats://host:4222 or tls://…; may be given again: they are tried in turn';

function addLoginOptions(command: Command): Command {
  return command
    .option('--nats-creds <file>', 'log in with a .creds file')
    .option('--nats-nkey <file>', 'log in with an nkey seed')
    .option('--nats-login <file>', 'log in with user and password (two lines) or a token (one line)')
    .option('--nats-ca <file>', 'certificates that the server is checked against')
    .option('--nats-cert <file>', 'our own certificate')
    .option('--nats-key <file>', 'and its key');
}

/** For commands that read from the bus. */
export const addNatsServerOptions = (command: Command): Command =>
  addLoginOptions(command.addOption(new Option('--nats <url>', NATS).argParser(collectServers).makeOptionMandatory()));

/** For commands that may publish. */
export function addNatsOptions(command: Command): Command {
  command.optionsGroup('NATS:');
  return addLoginOptions(command.option('--nats <url>', `publish events (docs/nats.md): ${NATS}`, collectServers))
    .addOption(
      new Option('--nats-encoding <encoding>', 'payload of messages')
        .choices(['protobuf', 'json'] as const)
        .default('protobuf'),
    )
    .option(
      '--jetstream [stream]',
      `store events in a JetStream stream, created when missing (default: ${DEFAULT_STREAM})`,
    )
    .addOption(
      new Option('--stream-max-age <time>', 'of a stream that is created')
        .argParser(parseDuration)
        .default(DEFAULT_MAX_AGE_MS, '168h'),
    )
    .addOption(
      new Option('--stream-max-bytes <size>', 'of a stream that is created')
        .argParser(parseSize)
        .default(DEFAULT_MAX_BYTES, '10G'),
    )
    .option(
      '--nats-spool <dir>',
      'where events wait while the server is away (default: below ~/.local/state/ebpf-tracer)',
    )
    .addOption(
      new Option('--nats-spool-size <size>', 'its bound; beyond it the oldest events go')
        .argParser(parseSize)
        .default(DEFAULT_SPOOL_BYTES, '256M'),
    )
    .option('--reveal-to-nats', 'with --reveal: publish secrets as they are, too');
}

export const serverSettings = (flags: NatsServerFlags): NatsServerSettings => ({
  urls: flags.nats ?? [],
  credsFile: flags.natsCreds,
  nkeyFile: flags.natsNkey,
  loginFile: flags.natsLogin,
  caFile: flags.natsCa,
  certFile: flags.natsCert,
  keyFile: flags.natsKey,
});

/** Undefined without --nats. Throws E_CLI_USAGE when secrets would leave this machine without having been asked for twice. */
export function natsSettings(
  command: string,
  flags: NatsFlags & { readonly reveal?: true },
): NatsSinkSettings | undefined {
  if (flags.nats === undefined) return undefined;
  if (flags.reveal === true && flags.revealToNats !== true) {
    const what = '--reveal with --nats would publish secrets: add --reveal-to-nats if that is what you want';
    throw new TracerError('E_CLI_USAGE', { what, command });
  }
  const { jetstream, streamMaxAge = DEFAULT_MAX_AGE_MS, streamMaxBytes = DEFAULT_MAX_BYTES } = flags;
  const name = jetstream === true ? DEFAULT_STREAM : jetstream;
  return {
    ...serverSettings(flags),
    encoding: flags.natsEncoding ?? 'protobuf',
    stream: name === undefined ? null : { name, maxAgeMs: streamMaxAge, maxBytes: streamMaxBytes },
    spoolDir: flags.natsSpool,
    spoolBytes: flags.natsSpoolSize ?? DEFAULT_SPOOL_BYTES,
  };
}
