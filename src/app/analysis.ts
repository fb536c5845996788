// What every command that asks about a recording rests on: the recording through the same pipeline as a replay, each
// completed call handed to a visitor, nothing kept. A visitor keeps hashes and what it shows, never whole calls: prompts
// are sent again with every round, so that a recording of 1 GB would not fit into memory.

import { openReplay, type ReplayEnding, type ReplaySource } from '../capture/index.ts';
import type { ClassRule } from '../copilot/index.ts';
import { EXIT } from '../errors.ts';
import type { CallCompleted, CallEvent, CaptureRecord, EngineEvent, SummaryEvent, TraceEvent } from '../model/index.ts';
import { createRedactor, type Redactor } from '../privacy/index.ts';
import { provideCodecs } from './codecs.ts';
import { createTidier } from './heap.ts';
import { installationKey } from './installation-key.ts';
import { createKeptRules } from './kept-rules.ts';
import { Pipeline } from './pipeline.ts';
import { redactedCall } from './redacted-call.ts';
import { warnOf } from './replay.ts';
import type { Log, SessionResult } from './types.ts';

/** One completed call in its three forms. Valid during the visit only, as far as memory is concerned. */
export interface AnalysedCall {
  /** As sinks see it: plain values, redacted. */
  readonly event: CallEvent;
  /** The same with numeric ids and monotonic times, redacted: what the insight room takes. */
  readonly call: CallCompleted;
  /** As captured, secrets in place, and with `bodies` when they were asked for. To search and to hash, never to show. */
  readonly raw: CallCompleted;
}

export interface AnalysisVisitor {
  call?(call: AnalysedCall): void;
  /** Every other event, redacted: processes, connections, losses, the summary at the end. No deltas, no starts. */
  event?(event: Exclude<TraceEvent, CallEvent>): void;
  /** The wire, as captured, secrets in place; views. An exchange's end comes before its call. */
  engine?(event: EngineEvent): void;
  /** What the capture delivered, before anything is made of it. Views. */
  record?(record: CaptureRecord): void;
  /** Waited for between blocks. */
  ready?(): Promise<void>;
}

/** Who and when, for visitors of `engine` and `record`. */
export interface AnalysedSession {
  stamp(tsNs: bigint): { readonly time: string; readonly tsNs: string };
  roleOf(connection: number): { readonly pid: number; readonly role: string };
}

export interface AnalysisSettings {
  readonly reveal: boolean;
  /** Rules of the user's own, tried before the table. */
  readonly rules?: readonly ClassRule[] | undefined;
  /** True: `raw.bodies` holds both bodies of every call as text. */
  readonly keepBodies?: boolean | undefined;
  /** Key of the fingerprints of secrets; absent: this installation's. */
  readonly key?: Uint8Array | undefined;
  readonly log: Log;
  /** Aborted when the user wants to stop. */
  readonly stop: AbortSignal;
  /** Told after every block; `totalBytes` is null when the input has no size. */
  onProgress?(position: { readonly readBytes: number; readonly totalBytes: number | null }): void;
}

export interface AnalysisResult extends SessionResult {
  readonly summary: SummaryEvent | null;
  /** Each file as it was found, in the order given. */
  readonly files: readonly ReplayEnding[];
}

/** Events of which a live view is made; whoever analyses gets the completed call. */
const PASSING: ReadonlySet<TraceEvent['type']> = new Set(['call.delta', 'call.started']);

function visit(redactor: Redactor, visitor: AnalysisVisitor, event: TraceEvent, raw: CallCompleted | undefined): void {
  for (const safe of redactor.event(event)) {
    if (safe.type !== 'call') visitor.event?.(safe);
    else if (raw !== undefined) visitor.call?.({ event: safe, call: redactedCall(raw, safe), raw });
  }
}

/**
 * Streams recordings (`-`: standard input) to `visitor`. Throws E_RECORDING_UNREADABLE when it cannot be
 * opened, and what is wrong with it when not one record can be read; damage after that ends the analysis and is the
 * result's `problem`.
 */
export async function analyse(
  files: string | readonly string[],
  settings: AnalysisSettings,
  visitorOf: AnalysisVisitor | ((redactor: Redactor, session: AnalysedSession) => AnalysisVisitor),
): Promise<AnalysisResult> {
  provideCodecs();
  const source = openReplay(files);
  const redactor = createRedactor({
    key: settings.key ?? installationKey().key,
    reveal: settings.reveal,
    kept: createKeptRules(),
  });
  let summary: SummaryEvent | null = null;
  const session: AnalysedSession = {
    stamp: (tsNs) => pipeline.stamp(tsNs),
    roleOf: (connection) => pipeline.roleOf(connection),
  };
  const visitor = typeof visitorOf === 'function' ? visitorOf(redactor, session) : visitorOf;
  const emit = (event: TraceEvent, raw?: CallCompleted): void => {
    if (event.type === 'summary') summary = event;
    if (!PASSING.has(event.type)) visit(redactor, visitor, event, raw);
  };
  const { rules, keepBodies } = settings;
  const pipeline = new Pipeline(
    { emit, onOpaque: () => {}, ...(visitor.engine && { onEngineEvent: (event) => visitor.engine?.(event) }) },
    { ...(rules && { rules }), ...(keepBodies && { keepBodies }) },
  );
  const records = await run(source, pipeline, settings, visitor);
  const problem = source.ending()?.error;
  if (records === 0 && problem) throw problem;
  return resultOf(source, settings, summary);
}

/** Resolves with the number of records. */
async function run(
  source: ReplaySource,
  pipeline: Pipeline,
  settings: AnalysisSettings,
  visitor: AnalysisVisitor,
): Promise<number> {
  const stop = (): void => source.stop(String(settings.stop.reason ?? 'stopped'));
  if (settings.stop.aborted) stop();
  settings.stop.addEventListener('abort', stop, { once: true });
  const tidy = createTidier();
  let records = 0;
  const reason = await source.run(
    (record) => {
      records++;
      visitor.record?.(record);
      pipeline.accept(record);
    },
    async () => {
      tidy.read(source.position().readBytes);
      settings.onProgress?.(source.position());
      await visitor.ready?.();
    },
  );
  settings.stop.removeEventListener('abort', stop);
  pipeline.end(reason, null, source.endsEarly());
  tidy.done();
  return records;
}

function resultOf(source: ReplaySource, { log }: AnalysisSettings, summary: SummaryEvent | null): AnalysisResult {
  warnOf(source, log);
  const problem = source.ending()?.error ?? null;
  const files = source.endings();
  return {
    summary,
    problem,
    files,
    exitCode: problem?.exitCode ?? (summary?.complete === true ? EXIT.ok : EXIT.incomplete),
  };
}
