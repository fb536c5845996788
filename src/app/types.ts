// What the command line hands to the app and gets back: settings as plain values, so that the app knows no flag.

import type { ClassRule } from '../copilot/index.ts';
import type { TracerError } from '../errors.ts';
import type { Severity } from '../privacy/index.ts';
import type { NatsSinkSettings } from '../sinks/index.ts';
import type { Encryption } from './encrypted-file.ts';
import type { SuppliedSettings } from './supplied.ts';

/** Messages for people. `debug` is shown on request. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

export interface AlertSettings {
  readonly least: Severity;
  /** Hosts allowed beside the built-in list; `*.example.com` for all below one. */
  readonly allowHosts: readonly string[];
}

export interface OutputSettings {
  /** Name of the command, for hints in errors. */
  readonly command: string;
  readonly format: 'terminal' | 'ndjson';
  /** Undefined: standard output. */
  readonly outputFile: string | undefined;
  readonly verbose: boolean;
  /** Show which rule named each call. */
  readonly explain?: boolean;
  /** Rules of the user's own, tried before the table. */
  readonly rules?: readonly ClassRule[];
  readonly color: boolean;
  /** Width of the terminal, undefined when the output is none. */
  readonly columns: number | undefined;
  readonly reveal: boolean;
  /** Heads, sizes, models and usage only; a recording made so holds no body. */
  readonly noBodies?: boolean | undefined;
  /** Bytes of one body, content decoded, that are kept to be read; absent: docs/limits.md. */
  readonly maxBodyBytes?: number | undefined;
  /** Findings of this severity or worse become events; absent: nothing is looked for. */
  readonly alert?: AlertSettings | undefined;
  /** Only what this filter wants goes out (docs/filters.md). */
  readonly filter?: string | undefined;
  /** Publish events on a bus as well. */
  readonly nats?: NatsSinkSettings | undefined;
  /** Send spans and metrics to a collector as well; `content`: prompts, answers, arguments and results, too. */
  readonly otlp?: { readonly url: string; readonly content: boolean } | undefined;
  /** Metrics for a scraper on this machine; `tokenFile` undefined: the token is made up and printed. */
  readonly metrics?: { readonly port: number; readonly tokenFile: string | undefined } | undefined;
  readonly log: Log;
  /** Aborted when the user wants to stop; its reason is the signal's name. */
  readonly stop: AbortSignal;
}

export interface CaptureSettings extends OutputSettings {
  readonly recordFile: string | undefined;
  /** Absent: the recording is in the clear. */
  readonly encryption?: Encryption | undefined;
  /** When a new file of the recording begins; null: never. */
  readonly rotation: { readonly maxBytes?: number; readonly maxAgeMs?: number } | null;
  readonly durationMs: number | undefined;
  readonly maxCalls: number | undefined;
  readonly ringBytes: number;
  readonly user: string | undefined;
  readonly followChildren: boolean;
  /** Find out the addresses of each connection. */
  readonly peers: boolean;
  readonly stats: boolean;
  /** What the user adds to discovery. */
  readonly supplied?: SuppliedSettings;
}

export interface SessionResult {
  readonly exitCode: number;
  /** What went wrong without stopping the session, e.g. a full disk; null when nothing did. */
  readonly problem: TracerError | null;
}
