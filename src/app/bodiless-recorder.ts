// `--no-bodies --record`: what is recorded is the session made anew from its heads, with spaces in place of every body and
// message. So the file never holds one; sizes and times are as they were, names, models and usage of calls stand beside.

import type {
  CallCompleted,
  CallFactsRecord,
  CaptureRecord,
  ConnectionId,
  ConnectionKey,
  EngineEvent,
} from '../model/index.ts';
import { encodeRecord } from '../record/index.ts';
import { factsRecordOf } from './call-facts.ts';
import { type Changes, Rebuilder } from './rebuild/rebuilder.ts';
import type { Recorder, RecorderResult } from './recorder.ts';

const SPACE = 0x20;
const blank = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes.length).fill(SPACE);

const BLANK: Changes = {
  requestHead: (head) => head,
  responseHead: (head) => head,
  body: (_id, _side, bytes) => blank(bytes),
  message: (_id, _side, bytes) => blank(bytes),
  record: (record) => record,
};

/** A recorder that must be told what the engine says about each record, and which calls it completed, right after the record. */
export interface BodilessRecorder extends Recorder {
  event(event: EngineEvent): void;
  call(call: CallCompleted): void;
}

/**
 * What is made of one record is held until the next: facts of the calls that it completed must stand before it, since a replay
 * says a call when it ends.
 */
class HoldingRecorder implements BodilessRecorder {
  readonly #recorder: Recorder;
  readonly #rebuilder: Rebuilder;
  readonly #keys = new Map<ConnectionId, ConnectionKey>();
  readonly #closed: ConnectionId[] = [];
  #facts: CallFactsRecord[] = [];
  #held: CaptureRecord[] = [];

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.#rebuilder = new Rebuilder(BLANK, (record) => this.#held.push(owned(record)));
  }

  record(record: CaptureRecord): void {
    this.#flush();
    this.#rebuilder.record(record);
  }

  event(event: EngineEvent): void {
    if (event.type === 'ConnectionOpened') this.#keys.set(event.connection, event.key);
    if (event.type === 'ConnectionClosed') this.#closed.push(event.connection);
    this.#rebuilder.event(event);
  }

  call(call: CallCompleted): void {
    const key = this.#keys.get(call.id.connection);
    const record = key === undefined ? null : factsRecordOf(call, key);
    if (record !== null) this.#facts.push(record);
  }

  close(): Promise<RecorderResult> {
    this.#flush();
    return this.#recorder.close();
  }

  #flush(): void {
    for (const record of [...this.#facts, ...this.#held]) this.#recorder.record(record, rawOf(record));
    for (const connection of this.#closed) this.#keys.delete(connection);
    this.#facts = [];
    this.#held = [];
    this.#closed.length = 0;
  }
}

/** Bytes of a record are views that end with its callback. */
const owned = (record: CaptureRecord): CaptureRecord =>
  record.kind === 'data' ? { ...record, bytes: record.bytes.slice() } : record;

export const createBodilessRecorder = (recorder: Recorder): BodilessRecorder => new HoldingRecorder(recorder);

/** The kernel's bytes; null for what user space makes. */
function rawOf(record: CaptureRecord): Uint8Array | null {
  switch (record.kind) {
    case 'process':
    case 'counters':
    case 'progress':
    case 'call-facts':
    case 'session':
      return null;
    default:
      return encodeRecord(record);
  }
}
