// User-space records (process facts, counters, progress, session) to protobuf entries and back, without loss: what comes
// out of a recording equals what the engine saw live.

import protobuf from 'protobufjs/minimal.js';
import type {
  CallFactsRecord,
  CaptureRecord,
  CountersRecord,
  ProcessRecord,
  ProgressRecord,
  SessionRecord,
} from '../model/index.ts';
import { tracer } from './recording.gen.js';

const { Entry } = tracer.recording;
type EntryShape = tracer.recording.Entry.$Shape;
type Fixed64 = tracer.recording.Header.$Shape['monoNs'];

/** Records that user space makes; all others come from the kernel and are kept as raw bytes. */
export type UserRecord = ProcessRecord | CountersRecord | ProgressRecord | CallFactsRecord | SessionRecord;

const LOW_32 = 0xffffffffn;

/** A fixed64 field's value. protobufjs wants its own 64-bit class, which its types and the generated ones name differently. */
export const toFixed64 = (value: bigint): NonNullable<Fixed64> =>
  new protobuf.util.Long(Number(value & LOW_32), Number((value >> 32n) & LOW_32), true) as NonNullable<Fixed64>;

/** The bigint in a fixed64 field; an absent one is 0, as proto3 says. */
export function fromFixed64(value: Fixed64): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value === 'number') return BigInt(value);
  return (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);
}

/** One serialized entry of a user-space record. */
export function encodeUser(record: UserRecord): Uint8Array {
  switch (record.kind) {
    case 'process':
      return Entry.encode({ process: processFields(record) }).finish();
    case 'counters':
      return Entry.encode({ counters: countersFields(record) }).finish();
    case 'progress':
      return Entry.encode({ progress: progressFields(record) }).finish();
    case 'session':
      return Entry.encode({ session: sessionFields(record) }).finish();
    case 'call-facts':
      return Entry.encode({ callFacts: callFactsFields(record) }).finish();
  }
}

const processFields = (record: ProcessRecord) => ({
  tsNs: toFixed64(record.tsNs),
  pid: record.pid,
  startNs: toFixed64(record.startNs),
  parentPid: record.parentPid,
  comm: record.comm,
  exe: record.exe,
  args: [...record.args],
  role: record.role,
  tls: [...record.tls],
  stale: record.stale ?? false,
});

const countersFields = (record: CountersRecord) => ({
  tsNs: toFixed64(record.tsNs),
  counters: Object.entries(record.counters).map(([name, value]) => ({ name, value })),
});

const progressFields = (record: ProgressRecord) => ({
  tsNs: toFixed64(record.tsNs),
  pid: record.pid,
  startNs: toFixed64(record.startNs),
  ssl: toFixed64(record.ssl),
  generation: record.generation,
  outBytes: record.outBytes,
  inBytes: record.inBytes,
});

const callFactsFields = (record: CallFactsRecord) => ({
  tsNs: toFixed64(record.tsNs),
  pid: record.pid,
  startNs: toFixed64(record.startNs),
  ssl: toFixed64(record.ssl),
  generation: record.generation,
  ageNs: toFixed64(record.ageNs),
  exchange: record.exchange,
  ...(record.message === undefined ? {} : { message: record.message }),
  json: record.json,
});

const sessionFields = (record: SessionRecord) => ({
  tsNs: toFixed64(record.tsNs),
  phase: record.phase === 'start' ? tracer.recording.Phase.PHASE_START : tracer.recording.Phase.PHASE_END,
  wallNs: toFixed64(record.wallNs),
  host: record.host,
  toolVersion: record.toolVersion,
  reason: record.reason,
});

/** The user-space record in an entry, or null when the entry is of a kind that this version does not know. */
export function decodeUser(entry: EntryShape): CaptureRecord | null {
  if (entry.process) return toProcess(entry.process);
  if (entry.counters) return toCounters(entry.counters);
  if (entry.progress) return toProgress(entry.progress);
  if (entry.session) return toSession(entry.session);
  if (entry.callFacts) return toCallFacts(entry.callFacts);
  return null;
}

const toProcess = (p: tracer.recording.Process.$Shape): ProcessRecord => ({
  kind: 'process',
  tsNs: fromFixed64(p.tsNs),
  pid: p.pid ?? 0,
  startNs: fromFixed64(p.startNs),
  parentPid: p.parentPid ?? 0,
  comm: p.comm ?? '',
  exe: p.exe ?? '',
  args: [...(p.args ?? [])],
  role: p.role ?? '',
  ...(p.stale === true && { stale: true }),
  tls: (p.tls ?? []).map((t) => ({
    library: t.library ?? '',
    file: t.file ?? '',
    hooked: t.hooked ?? false,
    reason: t.reason ?? '',
    ...(t.hookedAfterMs != null && { hookedAfterMs: t.hookedAfterMs }),
    ...(t.mayHaveMissed != null && { mayHaveMissed: t.mayHaveMissed }),
  })),
});

const toCounters = (c: tracer.recording.Counters.$Shape): CountersRecord => ({
  kind: 'counters',
  tsNs: fromFixed64(c.tsNs),
  // Object.fromEntries defines own properties: a hostile name such as `__proto__` stays a plain key.
  counters: Object.fromEntries((c.counters ?? []).map(({ name, value }) => [name ?? '', value ?? 0])),
});

const toProgress = (p: tracer.recording.Progress.$Shape): ProgressRecord => ({
  kind: 'progress',
  tsNs: fromFixed64(p.tsNs),
  pid: p.pid ?? 0,
  startNs: fromFixed64(p.startNs),
  ssl: fromFixed64(p.ssl),
  generation: p.generation ?? 0,
  outBytes: p.outBytes ?? 0,
  inBytes: p.inBytes ?? 0,
});

const toCallFacts = (c: tracer.recording.CallFacts.$Shape): CallFactsRecord => ({
  kind: 'call-facts',
  tsNs: fromFixed64(c.tsNs),
  pid: c.pid ?? 0,
  startNs: fromFixed64(c.startNs),
  ssl: fromFixed64(c.ssl),
  generation: c.generation ?? 0,
  ageNs: fromFixed64(c.ageNs),
  exchange: c.exchange ?? 0,
  ...(c.message != null && { message: c.message }),
  json: c.json ?? '',
});

const toSession = (s: tracer.recording.Session.$Shape): SessionRecord => ({
  kind: 'session',
  tsNs: fromFixed64(s.tsNs),
  phase: s.phase === tracer.recording.Phase.PHASE_END ? 'end' : 'start',
  wallNs: fromFixed64(s.wallNs),
  host: s.host ?? '',
  toolVersion: s.toolVersion ?? '',
  reason: s.reason ?? '',
});
