// One session, live or replayed: a source's records through recorder and pipeline to the sinks, until it ends; then the
// summary, and an exit code that says whether anything is missing.

import type { CaptureSource } from '../capture/index.ts';
import { EXIT, type TracerError } from '../errors.ts';
import type { CallCompleted, ConnectionKey, EngineEvent, SummaryEvent, TraceEvent } from '../model/index.ts';
import { createRedactor, withoutBodies } from '../privacy/index.ts';
import { counted, exact } from '../sinks/index.ts';
import { createAlert } from './alert.ts';
import { type BodilessRecorder, createBodilessRecorder } from './bodiless-recorder.ts';
import { failedOutput } from './failed-output.ts';
import { Fanout } from './fanout.ts';
import { createKeptRules } from './kept-rules.ts';
import { callAfter } from './long-timer.ts';
import { openOutputs } from './output.ts';
import { Pipeline } from './pipeline.ts';
import type { Recorder } from './recorder.ts';
import { redactedCall } from './redacted-call.ts';
import { createSelection } from './selection.ts';
import { toSessionEvent } from './session-event.ts';
import type { LiveCost } from './tally.ts';
import type { OutputSettings, SessionResult } from './types.ts';

export interface SessionParts {
  readonly source: CaptureSource;
  readonly settings: OutputSettings;
  /** User as whom files are written, for messages. */
  readonly user: string;
  /** Key of the fingerprints that redacted secrets carry. */
  readonly key: Uint8Array;
  readonly recorder: Recorder | null;
  readonly maxCalls?: number | undefined;
  readonly durationMs?: number | undefined;
  onOpaque(key: ConnectionKey): void;
  /** Asked once, at the end; null in a replay. */
  cost(): LiveCost | null;
  /** Damage that the source met, known once it has ended. */
  problem(): TracerError | null;
  /** The source ended before its session did; absent: it cannot. */
  endsEarly?(): boolean;
}

/** Time that sinks get for their last lines. */
const FLUSH_DEADLINE_MS = 5000;

class Session {
  readonly #parts: SessionParts;
  readonly #fanout: Fanout;
  readonly #pipeline: Pipeline;
  /** Between the capture and the recorder when no body may be recorded. */
  readonly #bodiless: BodilessRecorder | null;
  #summary: SummaryEvent | null = null;
  #records = 0;
  /** Why the output takes no more. */
  readonly #outputError: () => TracerError | null;

  constructor(parts: SessionParts, fanout: Fanout, outputError: () => TracerError | null) {
    this.#outputError = outputError;
    this.#parts = parts;
    this.#fanout = fanout;
    const kept = createKeptRules();
    const redactor = createRedactor({ key: parts.key, reveal: parts.settings.reveal, kept });
    const alert = createAlert(parts.settings.alert, parts.key, kept);
    const select = createSelection(parts.settings.filter);
    const emit = (event: TraceEvent, fact?: CallCompleted): void => {
      if (event.type === 'summary') this.#summary = event;
      if (fact !== undefined) this.#bodiless?.call(fact);
      const safe = redactor.event(event);
      if (fact !== undefined && fanout.wantsFacts) {
        for (const one of safe) if (one.type === 'call') fanout.fact(redactedCall(fact, one));
      }
      const findings = alert(event, fact).flatMap((finding) => redactor.event(finding));
      for (const wanted of select([...safe, ...findings])) {
        const shown = noBodies ? withoutBodies(wanted) : wanted;
        if (shown !== null) this.#fanout.accept(shown);
      }
    };
    const { rules = [], noBodies = false } = parts.settings;
    const keepBodies = parts.settings.alert !== undefined;
    this.#bodiless = noBodies && parts.recorder !== null ? createBodilessRecorder(parts.recorder) : null;
    const onEngineEvent = (event: EngineEvent): void => this.#bodiless?.event(event);
    const host = { emit, onEngineEvent, onOpaque: (key: ConnectionKey) => parts.onOpaque(key) };
    const { maxBodyBytes } = parts.settings;
    const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes };
    this.#pipeline = new Pipeline(host, { rules, keepBodies, limits });
  }

  async run(): Promise<SessionResult> {
    const { source, recorder, settings } = this.#parts;
    const stop = (): void => source.stop(String(settings.stop.reason ?? 'stopped'));
    if (settings.stop.aborted) stop();
    settings.stop.addEventListener('abort', stop, { once: true });
    const cancelTimer = this.#startTimer();
    const reason = await source.run(
      (record, raw) => {
        this.#records += 1;
        (this.#bodiless ?? recorder)?.record(record, raw);
        if (record.kind === 'session' && record.phase === 'start') {
          this.#fanout.begin(toSessionEvent(record, this.#parts.user, settings));
        }
        if (record.kind === 'counters') this.#fanout.counters(record.counters);
        this.#pipeline.accept(record);
        this.#stopAtMaxCalls();
      },
      () => this.#fanout.ready(),
    );
    cancelTimer();
    // Of what is no recording at all there is nothing to sum up: the problem says what it is.
    if (this.#records > 0 || this.#parts.problem() === null)
      this.#pipeline.end(reason, this.#parts.cost(), this.#parts.endsEarly?.() ?? false);
    return this.#finish();
  }

  #startTimer(): () => void {
    const { durationMs, source } = this.#parts;
    return durationMs === undefined ? () => {} : callAfter(durationMs, () => source.stop('--duration is over'));
  }

  #stopAtMaxCalls(): void {
    const { maxCalls, source } = this.#parts;
    if (maxCalls !== undefined && this.#pipeline.calls >= maxCalls) source.stop('--max-calls reached');
  }

  async #finish(): Promise<SessionResult> {
    const { recorder, settings } = this.#parts;
    const recorded = (await (this.#bodiless ?? recorder)?.close()) ?? null;
    await this.#fanout.close(FLUSH_DEADLINE_MS);
    for (const [sink, events] of Object.entries(this.#fanout.dropped())) {
      settings.log.warn(
        `${counted(events, 'event')} dropped: the ${sink} output was too slow or its space was used up`,
      );
    }
    if (recorded !== null && recorded.droppedRecords > 0) {
      const { droppedBytes, droppedRecords } = recorded;
      settings.log.warn(
        `${exact(droppedBytes)} B (${counted(droppedRecords, 'record')}) left out of the recording because the disk was too slow; a replay shows where`,
      );
    }
    const problem = recorded?.error ?? this.#outputError() ?? this.#parts.problem();
    const isWhole =
      this.#summary?.complete === true &&
      Object.keys(this.#fanout.dropped()).length === 0 &&
      (recorded?.droppedRecords ?? 0) === 0;
    return { exitCode: problem?.exitCode ?? (isWhole ? EXIT.ok : EXIT.incomplete), problem };
  }
}

/** Opens the output, runs the session to its end. Throws only for what prevents it from starting, and for bugs. */
export async function runSession(parts: SessionParts): Promise<SessionResult> {
  let failure: TracerError | null = null;
  const sinks = await openOutputs(parts.settings, parts.user, (error) => {
    // A closed pipe (`| head`) is the reader's way to say enough; anything else is the session's problem.
    if (error.code !== 'EPIPE') failure = failedOutput(parts.settings.outputFile, error);
    parts.source.stop(error.code === 'EPIPE' ? 'the output was closed' : 'the output failed');
  });
  return new Session(parts, new Fanout(sinks), () => failure).run();
}
