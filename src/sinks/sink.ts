// What a sink is: events in, output out. `accept` is synchronous and cheap; queues and their policies belong to the caller.
// All I/O goes through the host, so a sink is tested without a terminal or a file.

import type { TraceEvent } from '../model/index.ts';

/** One option of a sink; the command line's flag and help are made from it. */
export interface OptionSpec {
  /** Name of the value in `SinkOptions`, also the flag's name: `verbose` is `--verbose`. */
  readonly name: string;
  readonly kind: 'flag' | 'text' | 'number';
  readonly description: string;
}

export type SinkOptions = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SinkHost {
  /** Hands text over for output; must not block. A broken pipe is the host's to handle. */
  readonly write: (text: string) => void;
  /** Resolves when all text written so far has left, or at the deadline. */
  readonly drain: (deadlineMs: number) => Promise<void>;
  /** Width of the terminal now, or null when the output is not one: then nothing is shortened. */
  readonly columns: () => number | null;
  /** The host's decision from TTY and NO_COLOR. */
  readonly colour: boolean;
}

export interface Sink {
  readonly name: string;
  /** Flag that selects this sink, without dashes; null for the one that is used when none is selected. */
  readonly flag: string | null;
  readonly description: string;
  readonly options: readonly OptionSpec[];
  readonly open: (options: SinkOptions, host: SinkHost) => Promise<OpenSink>;
}

export interface OpenSink {
  accept(event: TraceEvent): void;
  /** Resolves when everything accepted has left, or at the deadline. */
  flush(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}
