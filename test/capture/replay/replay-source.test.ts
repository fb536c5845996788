import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReplay } from '../../../src/capture/index.ts';
import type { CaptureRecord, SessionRecord } from '../../../src/model/index.ts';
import { createRecordingWriter } from '../../../src/record/index.ts';
import { HANG_MS } from '../../kit/hang.ts';

const session = (phase: 'start' | 'end', reason = ''): SessionRecord => ({
  kind: 'session',
  tsNs: 7n,
  phase,
  wallNs: 8n,
  host: 'h',
  toolVersion: '1',
  reason,
});

const facts = { monoNs: 1n, wallNs: 2n, bootId: 'b', host: 'h', toolVersion: '9.9' };

function fileOf(bytes: Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tracer-replay-')), 'a.trc');
  writeFileSync(path, bytes);
  return path;
}

/** A recording with one block per record. */
function recordingOf(records: readonly SessionRecord[]): Uint8Array {
  const writer = createRecordingWriter();
  const blocks = records.flatMap((record) => {
    writer.addUser(record);
    const block = writer.takeBlock();
    return block === null ? [] : [writer.frame(block, null)];
  });
  return Buffer.concat([writer.header(facts), ...blocks]);
}

async function replayed(path: string) {
  const source = openReplay(path);
  const records: CaptureRecord[] = [];
  let waits = 0;
  const reason = await source.run(
    (record) => records.push(record),
    async () => {
      waits += 1;
    },
  );
  return { records, reason, waits, ending: source.ending() };
}

test('a recording gives its records and ends for the reason that the live run had', async () => {
  const result = await replayed(fileOf(recordingOf([session('start'), session('end', 'SIGINT')])));
  expect(result.records).toEqual([session('start'), session('end', 'SIGINT')]);
  expect(result.reason).toBe('SIGINT');
  expect(result.ending).toMatchObject({ end: { state: 'whole' }, error: null, malformed: 0 });
});

test('it waits for the sinks between reads', async () => {
  const { waits } = await replayed(fileOf(recordingOf([session('start'), session('end')])));
  expect(waits).toBe(1);
});

test('a file that ends early is replayed up to its last whole block, which is no error', async () => {
  const bytes = recordingOf([session('start'), session('end')]);
  const { records, ending } = await replayed(fileOf(bytes.subarray(0, bytes.length - 1)));
  expect(records).toEqual([session('start')]);
  expect(ending).toMatchObject({ end: { state: 'cut' }, error: null });
});

test('damage is E_RECORDING_CORRUPT with its offset; what came before it was replayed', async () => {
  const bytes = recordingOf([session('start'), session('end')]);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff;
  const { records, ending } = await replayed(fileOf(bytes));
  expect(records).toEqual([session('start')]);
  expect(ending?.error).toMatchObject({ code: 'E_RECORDING_CORRUPT', exitCode: 41 });
  expect(ending?.error?.message).toMatch(`is damaged at byte ${ending?.end.lastWholeOffset}: checksum mismatch`);
  expect(ending?.error?.message).not.toContain('at offset');
});

test('something else than a recording is E_RECORDING_CORRUPT', async () => {
  const path = fileOf(new TextEncoder().encode('{"type":"call"}\n'));
  expect((await replayed(path)).ending?.error).toMatchObject({
    code: 'E_RECORDING_CORRUPT',
    exitCode: 41,
    message: `${path} is not a recording`,
    hint: 'Give a whole file made with --record.',
  });
});

test.each([
  [0, 'is empty'],
  [5, 'ends before its first record'],
  [20, 'ends before its first record'],
])('of a file that ends after %i bytes nothing can be shown: it %s', async (lenBytes, what) => {
  const path = fileOf(recordingOf([session('start'), session('end')]).subarray(0, lenBytes));
  const { records, ending } = await replayed(path);
  expect(records).toEqual([]);
  expect(ending?.error).toMatchObject({ exitCode: 41, message: `${path} ${what}` });
});

test('a missing file and a directory are E_RECORDING_UNREADABLE', async () => {
  for (const path of ['/nonexistent/a.trc', tmpdir()]) {
    await expect(replayed(path)).rejects.toMatchObject({ code: 'E_RECORDING_UNREADABLE', exitCode: 40 });
  }
  await expect(replayed('/none.trc')).rejects.toThrow('cannot read /none.trc: there is no such file');
});

test('stop ends a replay for the given reason', async () => {
  const source = openReplay(fileOf(recordingOf([session('start'), session('end', 'SIGINT')])));
  source.stop('--max-calls reached');
  expect(
    await source.run(
      () => {},
      async () => {},
    ),
  ).toBe('--max-calls reached');
});

test('a speed changes when records come, not which', async () => {
  const at = (tsNs: bigint, phase: 'start' | 'end'): SessionRecord => ({ ...session(phase), tsNs });
  const path = fileOf(recordingOf([at(1_000_000_000n, 'start'), at(1_400_000_000n, 'end')]));
  const run = async (speed: number | undefined) => {
    const source = openReplay(path, { speed });
    const records: CaptureRecord[] = [];
    const startMs = performance.now();
    await source.run(
      (record) => records.push(record),
      async () => {},
    );
    return { records, ms: performance.now() - startMs };
  };
  const [live, double, max] = [await run(1), await run(2), await run(undefined)];
  expect(live.ms).toBeGreaterThanOrEqual(390);
  expect(double.ms).toBeGreaterThanOrEqual(190);
  // A busy machine may hold up one run, not every one.
  await expect.poll(async () => (await run(2)).ms, { timeout: HANG_MS }).toBeLessThan(390);
  expect([double.records, max.records]).toEqual([live.records, live.records]);
});

test('a replay that waits can be stopped', async () => {
  const at = (tsNs: bigint, phase: 'start' | 'end'): SessionRecord => ({ ...session(phase), tsNs });
  const source = openReplay(fileOf(recordingOf([at(1n, 'start'), at(3_600_000_000_000n, 'end')])), { speed: 1 });
  setTimeout(() => source.stop('SIGINT'), 50);
  expect(
    await source.run(
      () => {},
      async () => {},
    ),
  ).toBe('SIGINT');
});
