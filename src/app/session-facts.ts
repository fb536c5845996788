// What a reader must know before the first record of a part: the session's clock, and the processes that are alive. Each
// part of a rotated recording begins with it, so that it can be read alone.

import type { CaptureRecord, ProcessRecord, SessionRecord } from '../model/index.ts';

/** Processes that are remembered; an editor has dozens. Of more, the oldest are not repeated. */
const MAX_PROCESSES = 4096;

export class SessionFacts {
  #start: SessionRecord | null = null;
  readonly #processes = new Map<number, ProcessRecord>();

  learn(record: CaptureRecord): void {
    if (record.kind === 'session' && record.phase === 'start') this.#start = record;
    else if (record.kind === 'process') this.#add(record);
    else if (record.kind === 'exit') this.#processes.delete(record.pid);
  }

  #add(record: ProcessRecord): void {
    this.#processes.delete(record.pid);
    this.#processes.set(record.pid, record);
    const oldest = this.#processes.keys().next();
    if (this.#processes.size > MAX_PROCESSES && oldest.done !== true) this.#processes.delete(oldest.value);
  }

  /** The facts as records, the clock first. */
  records(): (SessionRecord | ProcessRecord)[] {
    return [...(this.#start === null ? [] : [this.#start]), ...this.#processes.values()];
  }
}
