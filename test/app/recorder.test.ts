import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecorder } from '../../src/app/recorder.ts';
import type { CaptureRecord, SessionRecord } from '../../src/model/index.ts';
import { createRecordingReader } from '../../src/record/index.ts';

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
  const reader = createRecordingReader({ onRecord: (record) => records.push(record) });
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
  expect(result).toEqual({ bytes: statSync(path).size, droppedBlocks: 0, error: null });
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
  await expect.poll(() => readAll(path).records.length, { timeout: 5000 }).toBe(1);
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

test('closing closes the descriptor', async () => {
  const path = join(dir(), 'a.trc');
  const before = openSync('/dev/null', 'r');
  closeSync(before);
  await openRecorder(path, 'me', facts, never).close();
  const after = openSync('/dev/null', 'r');
  closeSync(after);
  expect(after).toBe(before);
});
