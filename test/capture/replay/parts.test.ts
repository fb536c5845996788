import { expect, test } from 'vitest';
import { SessionMerge } from '../../../src/capture/replay/parts.ts';
import type { Entry, EntryStream } from '../../../src/capture/replay/recording-file.ts';
import type { CaptureRecord, SessionRecord } from '../../../src/model/index.ts';
import { decodeRecord } from '../../../src/record/index.ts';
import { kernelRecord } from '../../record/kernel-record.ts';

const user = (record: CaptureRecord): Entry => ({ record, raw: null, repeated: false });
const session = (phase: 'start' | 'end', tsNs: bigint, reason = ''): Entry => {
  const record: SessionRecord = { kind: 'session', tsNs, phase, wallNs: 0n, host: 'h', toolVersion: '1', reason };
  return user(record);
};
const close = (tsNs: bigint, pid: number): Entry => {
  const raw = kernelRecord({ kind: 2, tsNs, pid });
  return { record: decodeRecord(raw), raw, repeated: false };
};
const counters = (tsNs: bigint, calls: number): Entry => user({ kind: 'counters', tsNs, counters: { calls } });

/** One batch per entry: the merge must wait for what is not there yet. */
const streamOf = (entries: readonly Entry[]): EntryStream => {
  const left = [...entries];
  return {
    next: async () => {
      const entry = left.shift();
      return entry === undefined ? null : [entry];
    },
  };
};

async function merged(streams: readonly EntryStream[], clocks: readonly bigint[]): Promise<Entry[]> {
  const merge = new SessionMerge(streams, clocks);
  const out: Entry[] = [];
  for (let batch = await merge.next(); batch !== null; batch = await merge.next()) out.push(...batch);
  return out;
}

test('two sessions come out by UTC, on the clock of the first, raw bytes included', async () => {
  const first = streamOf([session('start', 10n), close(20n, 1), close(40n, 1), session('end', 50n, 'one')]);
  const second = streamOf([session('start', 5n), close(25n, 2), session('end', 55n, 'two')]);
  const out = await merged([first, second], [1000n, 1005n]);
  const seen = out.map(({ record, raw }) => [
    record.kind,
    record.kind === 'malformed' ? 0n : record.tsNs,
    raw === null ? null : new DataView(raw.buffer).getBigUint64(0, true),
  ]);
  expect(seen).toEqual([
    ['session', 10n, null],
    ['close', 20n, 20n],
    ['close', 30n, 30n],
    ['close', 40n, 40n],
    ['session', 60n, null],
  ]);
  expect(out.at(-1)?.record).toMatchObject({ phase: 'end', reason: 'two' });
});

test('the order within a session stays, even where its times step back', async () => {
  const first = streamOf([close(30n, 1), close(29n, 1), close(31n, 1)]);
  const second = streamOf([close(30n, 2)]);
  const out = await merged([first, second], [0n, 0n]);
  const times = out.flatMap(({ record }) => (record.kind === 'close' && record.pid === 1 ? [record.tsNs] : []));
  expect(times).toEqual([30n, 29n, 31n]);
});

test('counters are the sum of each session’s latest', async () => {
  const first = streamOf([counters(1n, 5), counters(3n, 7)]);
  const second = streamOf([counters(2n, 100), counters(4n, 200)]);
  const out = await merged([first, second], [0n, 0n]);
  expect(out.map(({ record }) => (record.kind === 'counters' ? record.counters['calls'] : 0))).toEqual([
    5, 105, 107, 207,
  ]);
});
