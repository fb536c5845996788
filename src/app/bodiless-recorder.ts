// `--no-bodies --record`: what is recorded is the session made anew from its heads, with spaces in place of every body and
// message. So the file never holds one; sizes and times are as they were, models and usage are not in it.

import type { CaptureRecord, EngineEvent } from '../model/index.ts';
import { encodeRecord } from '../record/index.ts';
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

/** A recorder that must be told what the engine says about each record, right after the record. */
export interface BodilessRecorder extends Recorder {
  event(event: EngineEvent): void;
}

export function createBodilessRecorder(recorder: Recorder): BodilessRecorder {
  const rebuilder = new Rebuilder(BLANK, (record) => recorder.record(record, rawOf(record)));
  return {
    record: (record) => rebuilder.record(record),
    event: (event) => rebuilder.event(event),
    close: (): Promise<RecorderResult> => recorder.close(),
  };
}

/** The kernel's bytes; null for what user space makes. */
function rawOf(record: CaptureRecord): Uint8Array | null {
  switch (record.kind) {
    case 'process':
    case 'counters':
    case 'progress':
    case 'session':
      return null;
    default:
      return encodeRecord(record);
  }
}
