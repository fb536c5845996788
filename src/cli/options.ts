// Options that several commands share, each defined once. A command takes the groups it needs.

import { type Command, Option } from 'commander';
import type { GivenOffset } from '../app/index.ts';
import type { NatsFlags } from './nats-options.ts';
import { collectFiles, collectOffsets } from './offset-values.ts';
import {
  collectHosts,
  collectPids,
  parseCount,
  parseDuration,
  parseFilter,
  parsePort,
  parseRingSize,
  parseRotate,
  parseSize,
  type RotateLimit,
} from './values.ts';

export const RULES = 'name calls by rules of your own, from a YAML or JSON file (docs/rules.md)';

/** Where and how events are shown: attach, run, replay. */
export interface OutputFlags extends NatsFlags {
  readonly json?: true;
  readonly output?: string;
  readonly verbose?: true;
  readonly explain?: true;
  readonly rules?: string;
  readonly reveal?: true;
  readonly bodies?: boolean;
  readonly maxBody?: number;
  readonly filter?: string;
  readonly alert?: true | 'low' | 'medium' | 'high';
  readonly allowHost?: readonly string[];
  readonly color: 'auto' | 'always' | 'never';
}

/** How events are shown: everything that prints them. */
export function addViewOptions(command: Command): Command {
  return command
    .option('--json', 'one JSON object per line (docs/events.md) instead of the table')
    .option('-o, --output <file>', 'write there instead of to standard output')
    .option('-v, --verbose', 'show prompts, answers and tool calls below each line')
    .addOption(
      new Option('--color <when>', 'colour the table').choices(['auto', 'always', 'never'] as const).default('auto'),
    );
}

export function addOutputOptions(command: Command): Command {
  return addViewOptions(command.optionsGroup('What is shown:'))
    .option('--explain', 'show below each line which rule named the call, and how sure it is')
    .option('--rules <file>', RULES)
    .option(
      '--filter <text>',
      'only events that it wants (docs/filters.md), e.g. "class:chat.* status>=400"',
      parseFilter,
    )
    .option('--reveal', 'show secrets as they are (default: kind and fingerprint only)')
    .option('--no-bodies', 'heads, sizes, models and usage only; a recording made so holds no body')
    .option('--max-body <size>', 'bytes of one body that are read (default 16M); its length is told in full', parseSize)
    .addOption(
      new Option(
        '--alert [severity]',
        'print findings: secrets that were sent, tokens at foreign hosts, … (docs/audit.md); medium when no severity is given',
      ).choices(['low', 'medium', 'high'] as const),
    )
    .option(
      '--allow-host <host>',
      'with --alert: a host that may be talked to; *.example.com for all below',
      collectHosts,
    );
}

/** How long to trace and what to keep: attach, run. */
export interface CaptureFlags {
  readonly record?: string;
  readonly recordEncrypt?: true | string;
  readonly rotate?: RotateLimit;
  readonly duration?: number;
  readonly maxCalls?: number;
  readonly ringSize: number;
  readonly user?: string;
  readonly children: boolean;
  readonly peer: boolean;
  readonly stats?: true;
  readonly metrics?: number;
  readonly metricsToken?: string;
  readonly otlp?: string;
  readonly otlpContent?: true;
  readonly revealToOtlp?: true;
  readonly symbols?: readonly string[];
  readonly offset?: readonly GivenOffset[];
}

export const DEFAULT_RING_BYTES = 16 * 1024 * 1024;

export function addCaptureOptions(command: Command): Command {
  return command
    .optionsGroup('What is kept:')
    .option('--record <file>', 'also keep the raw capture for `tracer replay` (holds secrets; mode 0600)')
    .option(
      '--record-encrypt [recipient]',
      'with --record: encrypt it for an age recipient (age1…), or by a passphrase (TRACER_PASSPHRASE, or asked for)',
    )
    .option('--rotate <size|time>', 'with --record: begin a new file at this size (500M) or age (1h)', parseRotate)
    .optionsGroup('How it runs:')
    .option('--duration <time>', 'stop after this time, e.g. 30s or 5m', parseDuration)
    .option('--max-calls <n>', 'stop after this many complete calls', parseCount)
    .addOption(
      new Option('--ring-size <size>', 'kernel ring buffer, a power of two')
        .argParser(parseRingSize)
        .default(DEFAULT_RING_BYTES, '16M'),
    )
    .option('--user <name>', 'go on as this user once attached (default: who called sudo, else the target’s owner)')
    .option('--no-children', 'trace just the given processes, not their descendants')
    .option('--no-peer', 'do not find out addresses and TLS version of connections (saves a look at each send)')
    .option('--stats', 'print what tracing costs every 5 seconds, on standard error')
    .optionsGroup('Where functions are, in a stripped program:')
    .option('--symbols <file>', 'Breakpad or ELF symbols of a stripped program; may be given again', collectFiles)
    .option(
      '--offset <function=offset>',
      'where a TLS function begins in the program file, or [file:]function=offset; may be given again',
      collectOffsets,
    )
    .optionsGroup('Prometheus and OpenTelemetry:')
    .option('--metrics <port>', 'Prometheus metrics on 127.0.0.1 (docs/exports.md), with a token', parsePort)
    .option('--metrics-token <file>', 'file with the token that a scraper must send (default: made up, and printed)')
    .option(
      '--otlp <url>',
      'spans and metrics to an OpenTelemetry collector, http://host:4318 or grpc://host:4317 (docs/exports.md)',
    )
    .option('--otlp-content', 'with --otlp: prompts, answers, tool arguments and results, too')
    .option('--reveal-to-otlp', 'with --reveal: send secrets as they are, too');
}

export interface LogFlags {
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

export function addLogOption(command: Command): Command {
  return command
    .optionsGroup('Options:')
    .addOption(
      new Option('--log-level <level>', 'messages on standard error')
        .choices(['silent', 'error', 'warn', 'info', 'debug'] as const)
        .default('info'),
    );
}

/** Which processes: attach. */
export interface TargetFlags {
  readonly pid?: readonly number[];
  readonly name?: string;
  readonly exe?: string;
  readonly all?: true;
  readonly yesAll?: true;
}

export function addTargetOptions(command: Command): Command {
  return command
    .optionsGroup('Targets:')
    .addOption(
      new Option('-p, --pid <pid>', 'process to attach to; may be given again')
        .argParser(collectPids)
        .conflicts(['name', 'exe', 'all']),
    )
    .option('--name <glob>', 'processes whose name, program or role (`tracer ps`) matches')
    .option('--exe <path>', 'processes that run this program file')
    .addOption(new Option('--all', 'every process of this machine').conflicts(['name', 'exe']))
    .option('--yes-all', 'confirms --all');
}
