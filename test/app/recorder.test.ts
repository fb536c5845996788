import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openRecorder, partPath } from '../../src/app/recorder.ts';
import { openReplay } from '../../src/capture/index.ts';
import type { CaptureRecord, SessionRecord } from '../../src/model/index.ts';
import { createRecordingReader, encodeRecord, type KernelRecord } from '../../src/record/index.ts';
import { HANG_MS } from '../kit/hang.ts';
import { Script } from '../kit/records.ts';
import { kernelRecord } from '../record/kernel-record.ts';

const facts = { monoNs: 1n, wallNs: 2n, bootId: 'b', host: 'h', toolVersion: '1' };
const dir = (): string => mkdtempSync(join(tmpdir(), 'tracer-recorder-'));
const never = (): void => expect.fail('no error expected');

const session = (phase: 'start' | 'end'): SessionRecord => ({
  kind: 'session',
  tsNs: 7n,
  phase,
  wallNs: 8n,
  host: 'h',
  toolVersion: '1',
  reason: phase,
});

function readAll(path: string) {
  const records: unknown[] = [];
  const unpack = (packed: Uint8Array, maxOutputLength: number) => brotliDecompressSync(packed, { maxOutputLength });
  const reader = createRecordingReader({ onRecord: (record) => records.push(record) }, unpack);
  reader.push(new Uint8Array(readFileSync(path)));
  return { records, end: reader.end() };
}

test('what was recorded is read back in order, from a file that only its owner may read', async () => {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never);
  recorder.record(session('start'), null);
  recorder.record(session('end'), null);
  const result = await recorder.close();
  expect(readAll(path)).toMatchObject({ records: [session('start'), session('end')], end: { state: 'whole' } });
  expect(result).toEqual({ bytes: statSync(path).size, droppedRecords: 0, droppedBytes: 0, error: null });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an existing file that others could read is closed to them', async () => {
  const path = join(dir(), 'a.trc');
  writeFileSync(path, 'old');
  chmodSync(path, 0o644);
  await openRecorder(path, 'me', facts, never).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a small recording reaches the file while the capture goes on: kill -9 costs at most a moment', async () => {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never);
  recorder.record(session('start'), null);
  await expect.poll(() => readAll(path).records.length, { timeout: HANG_MS }).toBe(1);
  await recorder.close();
});

test('a path that cannot be written is refused with E_FILE_UNWRITABLE, and a symbolic link is not followed', () => {
  const base = dir();
  symlinkSync('/etc/passwd', join(base, 'link'));
  for (const path of [join(base, 'missing', 'a.trc'), join(base, 'link'), base]) {
    expect(() => openRecorder(path, 'me', facts, never)).toThrow(
      expect.objectContaining({ code: 'E_FILE_UNWRITABLE' }),
    );
  }
});

test('a full disk is reported once as E_FILE_FULL and does not stop the capture', async () => {
  const codes: string[] = [];
  const recorder = openRecorder('/dev/full', 'me', facts, (error) => codes.push(error.code));
  recorder.record(session('start'), null);
  const result = await recorder.close();
  expect(codes).toEqual(['E_FILE_FULL']);
  expect(result.error?.exitCode).toBe(31);
});

test('a kernel record must come with its raw bytes: recording only what we understood would defeat re-decoding', async () => {
  const recorder = openRecorder(join(dir(), 'a.trc'), 'me', facts, never);
  const exec: CaptureRecord = { kind: 'exec', tsNs: 1n, pid: 1, startNs: 1n, file: '/bin/x' };
  expect(() => recorder.record(exec, null)).toThrow('recorded raw');
  await recorder.close();
});

/** What this process has open, by name; a descriptor that goes while it is looked at has none. */
const openFiles = (): (string | null)[] =>
  readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return null;
    }
  });

test('closing closes the descriptor', async () => {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never);
  expect(openFiles()).toContain(path);
  await recorder.close();
  expect(openFiles()).not.toContain(path);
});

test('blocks are compressed, and the file ends with an index', async () => {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never);
  const raw = kernelRecord({ kind: 1, payload: 'the same prompt again and again. '.repeat(400) });
  for (let i = 0; i < 100; i++) recorder.record({ ...session('start'), kind: 'exec' } as never, raw);
  recorder.record(session('end'), null);
  await recorder.close();
  expect(statSync(path).size).toBeLessThan((100 * raw.length) / 10);
  expect(readAll(path)).toMatchObject({ end: { state: 'whole', hasIndex: true, records: 101 } });
});

test('a burst is stored as it is rather than lost, and reads like any other', async () => {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never);
  const raw = kernelRecord({ kind: 1, payload: new Uint8Array(16_384).fill(0x61) });
  const records = (40 * 1024 * 1024) / 16_384;
  for (let i = 0; i < records; i++) recorder.record({ kind: 'exec' } as never, raw);
  recorder.record(session('end'), null);
  const { droppedRecords } = await recorder.close();
  expect(droppedRecords).toBe(0);
  const size = statSync(path).size;
  expect(size).toBeGreaterThan(20 * 1024 * 1024);
  expect(size).toBeLessThan(28 * 1024 * 1024);
  expect(readAll(path).end).toMatchObject({ state: 'whole', records: records + 1 });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Twice: what the first collection finds is freed by another thread, for which the second waits. */
function heldBytes(): number {
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('what a disk that stands still cannot take is left out, counted to the byte, and shows as such in the replay', async () => {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never);
  const script = new Script();
  const connection = script.connection();
  // Nothing is written before the loop has ended: to the recorder the disk stands still for 200 MiB.
  const bytes = new Uint8Array(16_000).fill(0x61);
  for (let i = 0; i < (200 * 1024 * 1024) / bytes.length; i++) connection.data('in', bytes);
  connection.close();
  recorder.record(session('start'), null);
  const before = heldBytes();
  for (const record of script.records) recorder.record(record, encodeRecord(record as KernelRecord));
  expect(heldBytes() - before).toBeLessThan(195 * 1024 * 1024);
  recorder.record(session('end'), null);
  const { droppedBytes, droppedRecords, error } = await recorder.close();
  expect([error, droppedBytes]).toEqual([null, droppedRecords * bytes.length]);
  expect(droppedBytes).toBeGreaterThan(70 * 1024 * 1024);
  const { records, endings } = await replayed([path]);
  const kept = records
    .filter((record) => record.kind === 'data')
    .reduce((sum, { bytes: { length } }) => sum + length, 0);
  expect([kept + droppedBytes, endings]).toEqual([connection.offset.in, ['whole']]);
  // How the connection ended was kept: it has bytes that no record has.
  expect(records.at(-2)).toMatchObject({ kind: 'close', inBytes: connection.offset.in });
});

test('parts have names that sort and that one pattern matches', () => {
  expect([1, 2, 12_345].map((part) => partPath('/d.d/chat.trc', part))).toEqual([
    '/d.d/chat.trc',
    '/d.d/chat.0002.trc',
    '/d.d/chat.12345.trc',
  ]);
  expect(partPath('/d.d/chat', 2)).toBe('/d.d/chat.0002');
});

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A session of three processes' worth of records, rotated as often as it can be. */
async function rotated(): Promise<string[]> {
  const path = join(dir(), 'a.trc');
  const recorder = openRecorder(path, 'me', facts, never, { maxBytes: 1 });
  recorder.record(session('start'), null);
  recorder.record(EDITOR, null);
  const noise = Uint8Array.from({ length: 16_384 }, (_, i) => (i * 7919) ^ (i >> 3));
  for (let i = 0; i < 60; i++) {
    recorder.record({ kind: 'exec' } as never, kernelRecord({ kind: 1, payload: noise, offset: BigInt(i * 16_384) }));
    // A part has its header once it takes records, and can then be followed by the next.
    const next = partPath(path, 2 + Math.floor(i / 20));
    if (i % 20 === 19 && i < 40) await expect.poll(() => sizeOf(next), { timeout: HANG_MS }).toBeGreaterThan(0);
  }
  recorder.record(session('end'), null);
  const { error } = await recorder.close();
  expect(error).toBeNull();
  return [1, 2, 3, 4, 5, 6].map((part) => partPath(path, part)).filter((part) => existsSync(part));
}

const EDITOR = {
  kind: 'process',
  tsNs: 8n,
  pid: 42,
  startNs: 1n,
  parentPid: 1,
  comm: 'code',
  exe: '/usr/bin/code',
  args: ['code'],
  role: 'extension-host',
  tls: [],
} as const;

async function replayed(paths: readonly string[]) {
  const source = openReplay(paths);
  const records: CaptureRecord[] = [];
  const reason = await source.run(
    (record) => records.push(record.kind === 'data' ? { ...record, bytes: record.bytes.slice() } : record),
    async () => {},
  );
  return { reason, records, endings: source.endings().map(({ end }) => end.state), warnings: source.warnings() };
}

test('a rotated session replays as one, in whatever order its parts are given; a missing part is told', async () => {
  const parts = await rotated();
  expect(parts.length).toBeGreaterThan(2);
  for (const path of parts) expect(statSync(path).mode & 0o777).toBe(0o600);
  const { records, reason, endings, warnings } = await replayed([...parts].reverse());
  expect(records.map((record) => record.kind)).toEqual(['session', 'process', ...Array(60).fill('data'), 'session']);
  expect(records.flatMap((record) => (record.kind === 'data' ? [record.offset] : []))).toEqual(
    Array.from({ length: 60 }, (_, i) => i * 16_384),
  );
  expect([reason, new Set(endings), warnings]).toEqual(['end', new Set(['whole']), []]);
  expect((await replayed(parts.slice(1))).warnings).toEqual([`${parts[1]} is part 2, 1 before it not given`]);
});

test('a part alone begins with the clock and the processes that were alive', async () => {
  const parts = await rotated();
  const { records } = await replayed(parts.slice(1, 2));
  expect(records.slice(0, 2)).toEqual([session('start'), EDITOR]);
});
