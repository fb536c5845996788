// `tracer cut`: a part of recordings as a new recording. What is kept is chosen by calls, but cut by connections: HTTP/2
// compresses a header by those before it (RFC 7541), so a connection is kept from its first byte to the end of its last
// chosen call, and everything behind that is left out. Other calls on that stretch come along; the result says how many.

import { type Entry, Recordings } from '../capture/index.ts';
import { TracerError } from '../errors.ts';
import { createCallGrouper, type Grouping } from '../insight/index.ts';
import type { CallId, CaptureRecord, ConnectionKey } from '../model/index.ts';
import { createRecordingWriter, type UserRecord } from '../record/index.ts';
import { type AnalysisSettings, analyse } from './analysis.ts';
import { callIdText } from './call-events.ts';
import { PrivateFile } from './private-file.ts';
import { packBlock } from './recorder.ts';
import { userName } from './user-name.ts';

export interface CutSelection {
  /** UTC milliseconds, or milliseconds after the start of the first session. */
  readonly from?: CutTime | undefined;
  readonly to?: CutTime | undefined;
  /** Numbers as `tracer conversations` shows them; their subagents belong to them. */
  readonly conversations: readonly number[];
  /** Classes; a `*` at the end stands for any rest. */
  readonly classes: readonly string[];
}

export type CutTime = { readonly utcMs: number } | { readonly afterMs: number };

export interface CutSettings extends AnalysisSettings {
  readonly files: readonly string[];
  readonly output: string;
  readonly selection: CutSelection;
}

export interface CutResult {
  /** Calls that were chosen, and those that came along. */
  readonly calls: number;
  readonly others: number;
  readonly connections: number;
  readonly bytes: number;
  /** Damage in what was read: everything before it was cut. */
  readonly problem: TracerError | null;
}

interface KnownCall {
  readonly id: string;
  readonly connection: number;
  readonly class: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly wallMs: number;
}

/** What pass one learned. */
interface Survey {
  readonly calls: readonly KnownCall[];
  readonly keys: ReadonlyMap<number, string>;
  readonly grouping: Grouping;
  readonly startMs: number;
  readonly problem: TracerError | null;
}

const keyText = ({ pid, startNs, ssl, generation }: ConnectionKey): string => `${pid} ${startNs} ${ssl} ${generation}`;

async function survey({ files, ...settings }: CutSettings): Promise<Survey> {
  const calls: KnownCall[] = [];
  const keys = new Map<number, string>();
  const grouper = createCallGrouper();
  let startMs = Number.NaN;
  const { problem } = await analyse(files, settings, (_, session) => ({
    record(record) {
      if (Number.isNaN(startMs) && record.kind === 'session') startMs = Number(record.wallNs / 1_000_000n);
    },
    engine(event) {
      if (event.type === 'ConnectionOpened') keys.set(event.connection, keyText(event.key));
    },
    call({ call }) {
      grouper.accept(call);
      const { id, class: name, startNs, tsNs } = call;
      const wallMs = Date.parse(session.stamp(startNs).time);
      calls.push({ id: callIdText(id), connection: id.connection, class: name, startNs, endNs: tsNs, wallMs });
    },
  }));
  return { calls, keys, grouping: grouper.grouping, startMs, problem };
}

const matchesClass = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Ids of the calls of these conversations and of the subagents that they started. */
function callsOfConversations({ conversations }: Grouping, numbers: readonly number[]): ReadonlySet<string> {
  const chosen = new Set(numbers);
  // A subagent's conversation comes behind its parent's.
  for (const { number, parent } of conversations) if (parent && chosen.has(parent.conversation)) chosen.add(number);
  const ids = conversations
    .filter(({ number }) => chosen.has(number))
    .flatMap(({ turns }) => turns)
    .flatMap(({ rounds, compactions, helpers, router }): (CallId | undefined)[] => [
      ...rounds.flatMap((round) => [round.call, ...round.failed.map((attempt) => attempt.call)]),
      ...[...compactions, ...helpers].map(({ call }) => call),
      router,
    ]);
  return new Set(ids.flatMap((id) => (id === undefined ? [] : [callIdText(id)])));
}

function choose({ calls, grouping, startMs }: Survey, selection: CutSelection): readonly KnownCall[] {
  const { from, to, classes, conversations } = selection;
  const at = (time: CutTime): number => ('utcMs' in time ? time.utcMs : startMs + time.afterMs);
  const ids = conversations.length === 0 ? null : callsOfConversations(grouping, conversations);
  return calls.filter(
    (call) =>
      (from === undefined || call.wallMs >= at(from)) &&
      (to === undefined || call.wallMs <= at(to)) &&
      (ids === null || ids.has(call.id)) &&
      (classes.length === 0 || classes.some((pattern) => matchesClass(call.class, pattern))),
  );
}

/** Until when each connection is kept; null: everything is. */
type Until = ReadonlyMap<string, bigint> | null;

function untilOf({ keys }: Survey, chosen: readonly KnownCall[]): ReadonlyMap<string, bigint> {
  const until = new Map<string, bigint>();
  for (const { connection, endNs } of chosen) {
    const key = keys.get(connection) ?? '';
    if (endNs > (until.get(key) ?? 0n)) until.set(key, endNs);
  }
  return until;
}

function isKept(record: CaptureRecord, until: Until): boolean {
  if (until === null) return true;
  switch (record.kind) {
    case 'data':
    case 'sni':
    case 'close':
    case 'progress':
    case 'call-facts':
    case 'peer':
    case 'facts':
      return record.tsNs <= (until.get(keyText(record)) ?? -1n);
    default:
      return true;
  }
}

const isAll = ({ from, to, classes, conversations }: CutSelection): boolean =>
  from === undefined && to === undefined && classes.length === 0 && conversations.length === 0;

/** Throws E_RECORDING_UNREADABLE, E_RECORDING_CORRUPT (nothing to read), E_RECORDING_SAME, E_RECORDING_NOTHING, E_FILE_UNWRITABLE, E_FILE_FULL. */
export async function cut(settings: CutSettings): Promise<CutResult> {
  const { files, selection, log } = settings;
  const known = await survey(settings);
  if (known.keys.size === 0) {
    if (known.problem !== null) throw known.problem;
    log.warn(`no connection was captured in ${files.join(' ')}: there is none to keep`);
  }
  const chosen = choose(known, selection);
  if (chosen.length === 0 && !isAll(selection)) throw new TracerError('E_RECORDING_NOTHING', { path: files.join(' ') });
  const until = isAll(selection) ? null : untilOf(known, chosen);
  const bytes = await copy(settings, until);
  const ids = new Set(chosen.map(({ id }) => id));
  const along = known.calls.filter(({ id, connection, startNs }) => {
    const key = known.keys.get(connection) ?? '';
    return !ids.has(id) && startNs <= (until?.get(key) ?? -1n);
  });
  const connections = until?.size ?? known.keys.size;
  return { calls: chosen.length, others: along.length, connections, bytes, problem: known.problem };
}

async function copy({ files, output }: CutSettings, until: Until): Promise<number> {
  const recordings = await Recordings.open(files);
  const file = new PrivateFile(output, userName());
  try {
    await copyTo(recordings, file, until);
  } finally {
    file.close();
    await recordings.close();
  }
  return file.writtenBytes;
}

async function copyTo(recordings: Recordings, file: PrivateFile, until: Until): Promise<void> {
  const writer = createRecordingWriter();
  const flush = async (): Promise<void> => {
    const block = writer.takeBlock();
    if (block !== null) await file.write(writer.frame(block, await packBlock(block)));
  };
  const { header } = recordings;
  if (header === null) return;
  await file.write(writer.header(header));
  for (let batch = await recordings.next(); batch !== null; batch = await recordings.next()) {
    for (const entry of batch) {
      add(entry);
      if (writer.isFull()) await flush();
    }
  }
  await flush();
  await file.write(writer.finish(false));

  function add({ record, raw }: Entry): void {
    if (record.kind === 'malformed' || !isKept(record, until)) return;
    if (raw !== null) writer.addKernel(raw);
    // Without the kernel's bytes it is one that user space made.
    else writer.addUser(record as UserRecord);
  }
}
