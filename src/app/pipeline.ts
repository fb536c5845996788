// The way of the data, in one place: record → engine → calls → events. Synchronous and deterministic: what comes out is a
// function of the records that went in, so that a replay prints what the live run printed. Redaction and sinks follow.

import { createHash } from 'node:crypto';
import { type CallTracker, type CallTrackerOptions, createCallTracker } from '../copilot/index.ts';
import { type BodyHash, createEngine, type Engine } from '../engine/index.ts';
import { CopyFinder } from '../insight/index.ts';
import type {
  CallCompleted,
  CallFact,
  CallFactsRecord,
  CaptureRecord,
  ConnectionId,
  ConnectionKey,
  EngineEvent,
  ProcessEvent,
  TraceEvent,
} from '../model/index.ts';
import { toTraceEvent } from './call-events.ts';
import { KeptCallFacts } from './call-facts.ts';
import { createClock } from './clock.ts';
import { type KnownProcess, Registry } from './registry.ts';
import { type LiveCost, Tally } from './tally.ts';

export interface PipelineHost {
  /** `fact` is what a `call` event was made from. */
  emit(event: TraceEvent, fact?: CallCompleted): void;
  /** A connection speaks nothing that is decoded: its bytes need not be copied any more. */
  onOpaque(key: ConnectionKey): void;
  /** What the engine says, before calls are made of it. Views. */
  onEngineEvent?(event: EngineEvent): void;
}

/** How calls are named and what of them is kept. */
export type PipelineOptions = Pick<CallTrackerOptions, 'rules' | 'keepBodies' | 'limits'>;

export class Pipeline {
  readonly #host: PipelineHost;
  readonly #clock = createClock();
  readonly #registry = new Registry();
  readonly #tally = new Tally();
  readonly #engine: Engine;
  readonly #tracker: CallTracker;
  /** Open connections of which bytes were lost. */
  readonly #lossy = new Set<ConnectionId>();
  readonly #copies = new CopyFinder();
  readonly #kept = new KeptCallFacts();
  #firstNs: bigint | null = null;
  #lastNs = 0n;

  constructor(host: PipelineHost, options: PipelineOptions = {}) {
    this.#host = host;
    this.#tracker = createCallTracker({ ...options, emit: (fact) => this.#acceptCall(fact) });
    this.#engine = createEngine({
      emit: (event) => this.#acceptEngine(event),
      onOpaque: (key) => host.onOpaque(key),
      newHash: sha256,
    });
  }

  /** Complete calls so far. */
  get calls(): number {
    return this.#tally.calls;
  }

  /** UTC and text of a record's time. */
  stamp(tsNs: bigint): { readonly time: string; readonly tsNs: string } {
    return this.#clock.stamp(tsNs);
  }

  roleOf(connection: ConnectionId): { readonly pid: number; readonly role: string } {
    return this.#registry.roleOf(connection);
  }

  accept(record: CaptureRecord): void {
    if (record.tsNs > this.#lastNs) this.#lastNs = record.tsNs;
    if (record.kind === 'session') this.#acceptSession(record);
    this.#learn(record);
    if (record.kind === 'call-facts') this.#acceptFacts(record);
    this.#engine.accept(record);
  }

  /** Ends everything that is still open and emits the summary. */
  end(reason: string, cost: LiveCost | null, endsEarly = false): void {
    this.#engine.end(this.#lastNs);
    const durationMs = Number((this.#lastNs - (this.#firstNs ?? this.#lastNs)) / 1_000_000n);
    const summary = this.#tally.summary(this.#clock.stamp(this.#lastNs), reason, durationMs, cost, endsEarly);
    this.#host.emit(summary);
  }

  #emit(event: TraceEvent, fact?: CallCompleted): void {
    this.#tally.add(event);
    this.#host.emit(event, fact);
  }

  /** Of a recording without bodies: messages of a WebSocket cannot be told from each other there, they come as they were. */
  #acceptFacts(record: CallFactsRecord): void {
    const call = this.#kept.accept(record);
    if (call === undefined) return;
    const { type: _, ...facts } = call;
    this.#acceptCall({ ...facts, type: 'CallStarted', requestHeaders: [], model: call.llm?.model ?? null });
    this.#acceptCall(call);
  }

  #acceptCall(fact: CallFact): void {
    if (fact.type !== 'CallDelta' && this.#kept.isSocket(fact.id)) return;
    if (fact.type === 'CallStarted') this.#copies.started(fact);
    if (fact.type === 'CallCompleted') this.#acceptCompleted(fact);
    else this.#emit(toTraceEvent(fact, this.#clock, this.#registry));
  }

  #acceptCompleted(completed: CallCompleted): void {
    const plain = this.#kept.complete(completed);
    if (this.#isIncomplete(plain)) this.#tally.addIncomplete();
    const copyOf = this.#copies.completed(plain);
    const fact = copyOf === undefined ? plain : { ...plain, copyOf };
    this.#emit(toTraceEvent(fact, this.#clock, this.#registry), fact);
  }

  /** What a call lacks because it was joined late is no loss of the capture, unless its connection lost bytes as well. */
  #isIncomplete({ captured, joinedLate, id }: CallCompleted): boolean {
    return captured === 'partly' && (!joinedLate || this.#lossy.has(id.connection));
  }

  #acceptSession(record: Extract<CaptureRecord, { kind: 'session' }>): void {
    if (record.phase !== 'start') return;
    this.#clock.set(record.tsNs, record.wallNs);
    this.#firstNs = record.tsNs;
  }

  /** Processes are known before the engine speaks of their connections. */
  #learn(record: CaptureRecord): void {
    switch (record.kind) {
      case 'process': {
        const phase = this.#registry.process(record.pid)?.startNs === record.startNs ? 'exec' : 'found';
        this.#emitProcess(phase, this.#registry.learnProcess(record), record.tsNs);
        return;
      }
      case 'fork': {
        const { pid, startNs } = record.child;
        this.#emitProcess('forked', this.#registry.forkProcess(record.parentPid, pid, startNs), record.tsNs);
        return;
      }
      case 'exit': {
        const known = this.#registry.process(record.pid);
        if (known !== undefined) this.#emitProcess('exited', known, record.tsNs, record.code);
        this.#registry.exitProcess(record.pid);
        return;
      }
      case 'counters':
        this.#tally.setCounters(record.counters);
        return;
      default:
        return;
    }
  }

  #emitProcess(phase: ProcessEvent['phase'], known: KnownProcess, tsNs: bigint, exitCode?: number): void {
    const { startNs: _, ...facts } = known;
    this.#emit({
      type: 'process',
      phase,
      ...this.#clock.stamp(tsNs),
      ...facts,
      ...(exitCode !== undefined && { exitCode: waitStatus(exitCode) }),
    });
  }

  #acceptEngine(event: EngineEvent): void {
    this.#host.onEngineEvent?.(event);
    switch (event.type) {
      case 'ConnectionOpened':
        this.#registry.openConnection(event.connection, event.key);
        this.#kept.opened(event.connection, event.key);
        this.#emitConnection('opened', event.connection, event.tsNs, {});
        break;
      case 'ConnectionIdentified': {
        const { protocol, detail, sni, local, remote, peerEvidence, joinedLate } = event;
        const { tlsVersion, tlsCipher, alpn, tlsEvidence } = event;
        this.#emitConnection('identified', event.connection, event.tsNs, {
          ...(protocol !== undefined && { protocol }),
          ...(detail !== undefined && { detail }),
          ...(sni !== undefined && { sni }),
          ...(local !== undefined && { local }),
          ...(remote !== undefined && { remote }),
          ...(peerEvidence !== undefined && { peerEvidence }),
          ...(tlsVersion !== undefined && { tlsVersion }),
          ...(tlsCipher !== undefined && { tlsCipher }),
          ...(alpn !== undefined && { alpn }),
          ...(tlsEvidence !== undefined && { tlsEvidence }),
          ...(joinedLate !== undefined && { joinedLate }),
        });
        break;
      }
      case 'GapSeen':
        this.#lossy.add(event.connection);
        // It was told when the hole was met; this only says whose body it may have hit.
        if (event.lostBytes === 0) break;
        this.#emit({
          type: 'loss',
          ...this.#clock.stamp(event.tsNs),
          connection: `c${event.connection}`,
          dir: event.dir,
          bytes: event.lostBytes,
          cause: 'not captured',
        });
        break;
      default:
        break;
    }
    this.#tracker.accept(event);
    if (event.type === 'ConnectionClosed') this.#closeConnection(event);
  }

  #closeConnection(event: Extract<EngineEvent, { type: 'ConnectionClosed' }>): void {
    const { outBytes, inBytes, lostOutBytes, lostInBytes } = event;
    this.#emitConnection('closed', event.connection, event.tsNs, { outBytes, inBytes, lostOutBytes, lostInBytes });
    this.#registry.closeConnection(event.connection);
    this.#kept.closed(event.connection);
    this.#lossy.delete(event.connection);
  }

  #emitConnection(
    phase: 'opened' | 'identified' | 'closed',
    connection: number,
    tsNs: bigint,
    facts: Omit<
      Extract<TraceEvent, { type: 'connection' }>,
      'type' | 'phase' | 'time' | 'tsNs' | 'id' | 'pid' | 'role'
    >,
  ): void {
    const who = this.#registry.roleOf(connection);
    this.#emit({ type: 'connection', phase, ...this.#clock.stamp(tsNs), id: `c${connection}`, ...who, ...facts });
  }
}

/** Exit status as a shell reports it: 128 + signal for a signal (wait(2): low 7 bits signal, next 8 bits status). */
const waitStatus = (code: number): number => ((code & 0x7f) === 0 ? (code >> 8) & 0xff : 128 + (code & 0x7f));

/** For bodies that are described instead of shown. */
function sha256(): BodyHash {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
}
