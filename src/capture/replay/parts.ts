// Several recordings as one stream of records. Parts of one rotated session follow each other in their order; recordings of
// different sessions are merged by time, as if one tracer had seen them all: their clocks are brought onto that of the one
// that began first, their counters are added, and there is one start and one end.
//
// Within one session the order of the file stays as it is, even where times step back a little: what lies on one connection
// must never be reordered.

import { TracerError } from '../../errors.ts';
import type { CountersRecord, SessionRecord } from '../../model/index.ts';
import { type DecodedRecord, RECORD_LAYOUT } from '../../record/index.ts';
import type { Entry, EntryStream, RecordingFile } from './recording-file.ts';

const sessionKey = ({ header, path }: RecordingFile): string =>
  header === null ? path : `${header.bootId} ${header.monoNs} ${header.wallNs}`;

const partOf = (file: RecordingFile): number => file.header?.part ?? 0;

/** Files by session, each session's parts in order. Throws E_RECORDING_SAME when one is given twice. */
export function groupParts(files: readonly RecordingFile[]): RecordingFile[][] {
  const groups = new Map<string, RecordingFile[]>();
  for (const file of files) {
    const group = groups.get(sessionKey(file)) ?? [];
    const twin = group.find((other) => partOf(other) === partOf(file));
    if (twin !== undefined) throw new TracerError('E_RECORDING_SAME', { path: file.path, other: twin.path });
    group.push(file);
    groups.set(sessionKey(file), group);
  }
  return [...groups.values()].map((group) => group.sort((a, b) => partOf(a) - partOf(b)));
}

/** Parts that are missing between or before those given, in words. */
export function missingParts(groups: readonly (readonly RecordingFile[])[]): string[] {
  return groups.flatMap((group) =>
    group.flatMap((file, i) => {
      const before = i === 0 ? 0 : partOf(group[i - 1] ?? file);
      const missing = partOf(file) - before - 1;
      return missing > 0 ? [`${file.path} is part ${partOf(file)}, ${missing} before it not given`] : [];
    }),
  );
}

/** The parts of one session, one behind the other. */
export class PartChain implements EntryStream {
  readonly #parts: readonly RecordingFile[];
  #at = 0;

  constructor(parts: readonly RecordingFile[]) {
    this.#parts = parts;
  }

  async next(): Promise<readonly Entry[] | null> {
    for (; this.#at < this.#parts.length; this.#at++) {
      const batch = (await this.#parts[this.#at]?.next()) ?? null;
      if (batch === null) continue;
      const fresh = this.#at === 0 ? batch : batch.filter((entry) => !entry.repeated);
      if (fresh.length > 0) return fresh;
    }
    return null;
  }
}

/** A session among others: what of its next batch has not been given yet, and how its clock differs. */
interface Lane {
  readonly stream: EntryStream;
  /** To be added to its times. */
  readonly shiftNs: bigint;
  batch: readonly Entry[];
  at: number;
}

const timeOf = (lane: Lane): bigint => {
  const record = lane.batch[lane.at]?.record;
  return record === undefined || record.kind === 'malformed' ? 0n : record.tsNs + lane.shiftNs;
};

function shifted(entry: Entry, shiftNs: bigint): Entry {
  const { record, raw, repeated } = entry;
  if (shiftNs === 0n || record.kind === 'malformed') return entry;
  const moved = { ...record, tsNs: record.tsNs + shiftNs } as DecodedRecord;
  if (raw === null) return { record: moved, raw, repeated };
  const bytes = raw.slice();
  new DataView(bytes.buffer).setBigUint64(RECORD_LAYOUT.tsNs, record.tsNs + shiftNs, true);
  return { record: moved, raw: bytes, repeated };
}

/** Several sessions, merged by time. */
export class SessionMerge implements EntryStream {
  readonly #lanes: Lane[];
  readonly #latest = new Map<Lane, Readonly<Record<string, number>>>();
  #sawStart = false;
  /** The latest end so far; given when all sessions have ended. */
  #end: SessionRecord | null = null;

  /** `clocks`: UTC minus monotonic time of each session; the first one's clock is that of the result. */
  constructor(streams: readonly EntryStream[], clocks: readonly bigint[]) {
    this.#lanes = streams.map((stream, i) => ({
      stream,
      shiftNs: (clocks[i] ?? 0n) - (clocks[0] ?? 0n),
      batch: [],
      at: 0,
    }));
  }

  async next(): Promise<readonly Entry[] | null> {
    for (;;) {
      await this.#refill();
      if (this.#lanes.length === 0) return this.#last();
      const out = this.#drain();
      if (out.length > 0) return out;
    }
  }

  async #refill(): Promise<void> {
    for (const lane of [...this.#lanes]) {
      if (lane.at < lane.batch.length) continue;
      const batch = await lane.stream.next();
      if (batch === null) this.#lanes.splice(this.#lanes.indexOf(lane), 1);
      else Object.assign(lane, { batch, at: 0 });
    }
  }

  /** In order of time until one lane has nothing left: what comes next in it is not known yet. */
  #drain(): Entry[] {
    const out: Entry[] = [];
    for (;;) {
      let first = this.#lanes[0];
      for (const lane of this.#lanes) if (first === undefined || timeOf(lane) < timeOf(first)) first = lane;
      if (first === undefined) return out;
      this.#take(first, out);
      if (first.at >= first.batch.length) return out;
    }
  }

  #take(lane: Lane, out: Entry[]): void {
    const entry = lane.batch[lane.at++];
    if (entry === undefined) return;
    const moved = shifted(entry, lane.shiftNs);
    const { record } = moved;
    if (record.kind === 'session' && record.phase === 'end') {
      this.#end = record;
      return;
    }
    if (record.kind === 'session' && this.#sawStart) return;
    if (record.kind === 'session') this.#sawStart = true;
    out.push(record.kind === 'counters' ? { ...moved, record: this.#sum(lane, record) } : moved);
  }

  /** Counters are cumulative per session: the sum of every session's latest. */
  #sum(lane: Lane, record: CountersRecord): CountersRecord {
    this.#latest.set(lane, record.counters);
    const sum = new Map<string, number>();
    for (const counters of this.#latest.values()) {
      for (const [name, value] of Object.entries(counters)) sum.set(name, (sum.get(name) ?? 0) + value);
    }
    return { ...record, counters: Object.fromEntries(sum) };
  }

  #last(): readonly Entry[] | null {
    const end = this.#end;
    this.#end = null;
    return end === null ? null : [{ record: end, raw: null, repeated: false }];
  }
}
