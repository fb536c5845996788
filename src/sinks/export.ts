// What an export format is: a recording's events, exchanges and records in, a file or a service's input out. Everything but
// `record` is redacted by whoever calls. A format that takes records writes plaintext as captured, and must say so.

import type { CallEvent, CaptureRecord, ExchangeCopy, TraceEvent } from '../model/index.ts';

export interface ExportFile {
  write(data: string | Uint8Array): void;
  close(): void;
}

export interface ExportHost {
  /** Opens `path` for its owner alone. Throws when that cannot be. */
  readonly openFile: (path: string) => ExportFile;
  readonly warn: (text: string) => void;
  readonly toolVersion: string;
  /** Content (prompts, answers, tool arguments) may leave; formats without content ignore it. */
  readonly content: boolean;
}

/** A tool that an answer called. Times are monotonic nanoseconds. */
export interface ToolRun {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  /** Text of its result; absent when the capture saw none. */
  readonly resultText?: string;
  readonly startNs: bigint;
  /** Absent while no request brought a result. */
  readonly endNs?: bigint;
  readonly isError: boolean;
  /** Turn that it started, for a subagent. */
  readonly startedTurn?: string;
}

/** What one message of a user caused. */
export interface TurnFacts {
  /** `3.2`: second turn of the third conversation. */
  readonly id: string;
  readonly conversation: number;
  readonly kind: string;
  readonly asked: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Ids of its calls in order: rounds, attempts that failed, helpers. */
  readonly calls: readonly string[];
  readonly tools: readonly ToolRun[];
  readonly requestId: string | null;
}

export interface OpenExport {
  call?(call: CallEvent): void;
  event?(event: Exclude<TraceEvent, CallEvent>): void;
  exchange?(exchange: ExchangeCopy): void;
  /** As captured, secrets in place. Views. */
  record?(record: CaptureRecord): void;
  /** Once, behind the last call: what the calls were together. */
  turns?(turns: readonly TurnFacts[]): void;
  /** Waited for between blocks, by a format that sends. */
  ready?(): Promise<void>;
  end(): Promise<void>;
}

export interface ExportFormat {
  readonly name: string;
  /** Name of the option, and what stands behind it in the help: `har <file>`. */
  readonly flag: string;
  readonly argument: string;
  readonly description: string;
  /** What comes out is not redacted: asked for by `--raw` only. */
  readonly isRaw: boolean;
  open(target: string, host: ExportHost): Promise<OpenExport>;
}
