// Properties of the whole decoder over recorded connections: splits, late joins, holes, damage.
// TRACER_FUZZ_CASES sets the number of cases of each property (the long suite uses 10,000).

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequestHead, ResponseHead } from '../../../src/model/index.ts';
import { CASES, RECORDINGS } from './corpus.ts';
import { type ExchangeSeen, fold, run, type Segment, type SideSeen } from './kit.ts';

const recording = fc.constantFrom(...RECORDINGS);
/** Positions in a recording, as fractions. */
const cuts = (max: number) => fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: max });
const TIMEOUT_MS = 60_000 + CASES * 60;
const options = { numRuns: CASES };

/** Splits every segment at the given fractions. */
const split = (segments: readonly Segment[], at: readonly number[]): Segment[] =>
  segments.flatMap(({ dir, bytes }) => {
    const points = [...new Set([0, ...at.map((f) => Math.floor(f * bytes.length)), bytes.length])].sort(
      (a, b) => a - b,
    );
    return points.slice(1).map((end, n) => ({ dir, bytes: bytes.subarray(points[n], end) }));
  });

/** Removes `skip[dir]` bytes from the start of each direction. */
function cutPrefix(segments: readonly Segment[], skip: Record<'out' | 'in', number>): Segment[] {
  const left = { ...skip };
  return segments.flatMap(({ dir, bytes }) => {
    const drop = Math.min(left[dir], bytes.length);
    left[dir] -= drop;
    return drop < bytes.length ? [{ dir, bytes: bytes.subarray(drop) }] : [];
  });
}

/** Number of the first segment that lies wholly behind both cuts. */
function firstUncut(segments: readonly Segment[], skip: Record<'out' | 'in', number>): number {
  const seen = { out: 0, in: 0 };
  const touched = segments.map(({ dir, bytes }) => {
    const isTouched = seen[dir] < skip[dir];
    seen[dir] += bytes.length;
    return isTouched;
  });
  return touched.lastIndexOf(true) + 1;
}

const totalBytes = (segments: readonly Segment[], dir: 'out' | 'in'): number =>
  segments.reduce((sum, s) => sum + (s.dir === dir ? s.bytes.length : 0), 0);

/** What was decoded agrees with the truth: all that is known is right, all that is missing is marked. */
function expectHeadAgrees(got: SideSeen, truth: SideSeen): void {
  const head = got.head as (RequestHead & ResponseHead) | undefined;
  const full = truth.head as (RequestHead & ResponseHead) | undefined;
  if (head === undefined) return;
  for (const key of ['method', 'scheme', 'authority', 'path', 'status'] as const) {
    if (head[key] !== null && head[key] !== undefined) expect([key, head[key]]).toEqual([key, full?.[key]]);
  }
  let from = 0;
  for (const field of head.headers) {
    const at =
      full?.headers.findIndex(([name, value], n) => n >= from && name === field[0] && value === field[1]) ?? -1;
    expect([field, at >= 0]).toEqual([field, true]);
    from = at + 1;
  }
  if (!got.joinedLate) expect(head).toEqual(full);
}

/** Every byte shown is a byte of the true body, in order; with nothing lost it is the whole of it or its tail. */
function expectBodyAgrees(got: SideSeen, truth: SideSeen, isTail: boolean): void {
  expect(got.body.length).toBeLessThanOrEqual(truth.body.length);
  if (isTail) expect(truth.body.subarray(truth.body.length - got.body.length).equals(got.body)).toBe(true);
  expect(got.body.length + got.lostBytes).toBeLessThanOrEqual(truth.body.length);
}

function expectAgrees(
  got: ReadonlyMap<number, ExchangeSeen>,
  truth: ReadonlyMap<number, ExchangeSeen>,
  isTail: boolean,
): void {
  for (const [id, exchange] of got) {
    const full = truth.get(id);
    if (full === undefined) throw new Error(`stream ${id} does not exist`);
    for (const side of ['request', 'response'] as const) {
      expectHeadAgrees(exchange[side], full[side]);
      expectBodyAgrees(exchange[side], full[side], isTail);
      if (exchange[side].trailers !== undefined) {
        expect(full[side].trailers ?? []).toEqual(expect.arrayContaining([...(exchange[side].trailers ?? [])]));
      }
    }
    if (exchange.reset !== undefined) expect(exchange.reset).toBe(full.reset);
  }
}

describe.each(RECORDINGS)('$name', ({ segments }) => {
  test('decodes from the preface without a complaint, every exchange complete', () => {
    const events = run(segments);
    expect(events.filter(({ type }) => type === 'wire-error')).toEqual([]);
    for (const exchange of fold(events).values()) {
      if (exchange.reset === undefined) expect([exchange.request.ended, exchange.response.ended]).toEqual([true, true]);
      expect(exchange.request.joinedLate || exchange.response.joinedLate).toBe(false);
    }
  });

  test('gives the same events byte by byte', () => {
    const bytewise = segments.flatMap(({ dir, bytes }) =>
      [...bytes].map((byte) => ({ dir, bytes: Uint8Array.of(byte) })),
    );
    expect(run(bytewise)).toEqual(run(segments));
  });
});

test('any split of the input gives the same events', { timeout: TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(recording, cuts(12), ({ segments }, at) => {
      expect(run(split(segments, at))).toEqual(run(segments));
    }),
    options,
  );
});

test('joined late anywhere, all that is decoded is right or marked unknown', { timeout: TIMEOUT_MS }, () => {
  let decoded = 0;
  fc.assert(
    fc.property(recording, cuts(1), cuts(1), ({ segments }, [outAt], [inAt]) => {
      const skip = {
        out: Math.floor((outAt ?? 0) * totalBytes(segments, 'out')),
        in: Math.floor((inAt ?? 0) * totalBytes(segments, 'in')),
      };
      const late = cutPrefix(segments, skip);
      const got = fold(run(late, { outWhole: skip.out === 0, inWhole: skip.in === 0 }));
      const truth = fold(run(segments));
      decoded += got.size;
      expectAgrees(got, truth, true);
      expectProgress(got, truth, segments, firstUncut(segments, skip));
    }),
    options,
  );
  expect(decoded).toBeGreaterThan(CASES);
});

test('joined between two calls, later requests are not blocked and are paired', { timeout: TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(recording, cuts(1), ({ segments }, [at]) => {
      const calls = perFrame(segments);
      const start = Math.floor((at ?? 0) * calls.length);
      const truth = fold(run(segments));
      const late = calls.slice(start);
      const got = fold(run(late, { outWhole: false, inWhole: false }));
      expectAgrees(got, truth, true);
      expectProgress(got, truth, calls, start);
    }),
    options,
  );
});

/** One segment a frame, as an endpoint that writes each frame by itself. */
function perFrame(segments: readonly Segment[]): Segment[] {
  const at = { out: 0, in: 0 };
  const ends = { out: frameEnds(segments, 'out'), in: frameEnds(segments, 'in') };
  return segments.flatMap(({ dir, bytes }) => {
    const start = at[dir];
    at[dir] += bytes.length;
    const points = [start, ...ends[dir].filter((end) => end > start && end < at[dir]), at[dir]];
    return points
      .slice(1)
      .map((end, n) => ({ dir, bytes: bytes.subarray((points[n] as number) - start, end - start) }));
  });
}

/** Offsets in a direction at which a frame (or the preface) ends. */
function frameEnds(segments: readonly Segment[], dir: 'out' | 'in'): number[] {
  const bytes = Buffer.concat(segments.filter((s) => s.dir === dir).map((s) => s.bytes));
  const ends: number[] = bytes.subarray(0, 3).toString() === 'PRI' ? [24] : [];
  for (let at = ends[0] ?? 0; at + 9 <= bytes.length; ) {
    at += 9 + bytes.readUIntBE(at, 3);
    ends.push(at);
  }
  return ends;
}

/** Exchanges that began at or after segment `start` are decoded in full. */
function expectProgress(
  got: ReadonlyMap<number, ExchangeSeen>,
  truth: ReadonlyMap<number, ExchangeSeen>,
  segments: readonly Segment[],
  start: number,
): void {
  for (const id of startedAfter(segments, start)) {
    const { request, response } = truth.get(id) as ExchangeSeen;
    const bodies = [got.get(id)?.request.body, got.get(id)?.response.body];
    expect([id, ...bodies.map((body) => body?.toString())]).toEqual([
      id,
      request.body.toString(),
      response.body.toString(),
    ]);
  }
}

/** Odd streams whose request head arrives at or after segment `start`. */
function startedAfter(segments: readonly Segment[], start: number): number[] {
  const before = new Set(fold(run(segments.slice(0, start))).keys());
  return [...fold(run(segments)).keys()].filter((id) => id % 2 === 1 && !before.has(id));
}

test('a hole of any size costs what it hid, and nothing else becomes wrong', { timeout: TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(recording, cuts(6), fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }), ({ segments }, at, holes) => {
      const parts = split(segments, at);
      const lost = new Set(holes.map((n) => n % parts.length));
      const steps = parts.map((part, n) =>
        lost.has(n) && part.bytes.length > 0 ? { dir: part.dir, lostBytes: part.bytes.length } : part,
      );
      const truth = fold(run(segments));
      const got = fold(run(steps));
      expectAgrees(got, truth, false);
      expectProgress(got, truth, parts, nextSegment(segments, parts, Math.max(...lost)));
    }),
    options,
  );
});

/** Number of the first part that begins a segment after part `after`. */
function nextSegment(segments: readonly Segment[], parts: readonly Segment[], after: number): number {
  const starts = new Set(segments.map(({ bytes }) => bytes));
  const isStart = ({ bytes }: Segment): boolean =>
    [...starts].some((whole) => whole.buffer === bytes.buffer && whole.byteOffset === bytes.byteOffset);
  const found = parts.findIndex((part, n) => n > after && isStart(part));
  return found < 0 ? parts.length : found;
}

test('damaged bytes never throw', { timeout: TIMEOUT_MS }, () => {
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) });
  fc.assert(
    fc.property(
      recording,
      fc.array(edit, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      ({ segments }, edits, whole) => {
        const damaged = segments.map(({ dir, bytes }) => ({ dir, bytes: bytes.slice() }));
        for (const { at, byte } of edits) {
          const { bytes } = damaged[Math.floor(at * 0.999 * damaged.length)] as Segment;
          bytes[Math.floor(((at * 7919) % 1) * bytes.length)] = byte;
        }
        run(damaged, { outWhole: whole, inWhole: whole });
      },
    ),
    options,
  );
});

test('random bytes never throw', { timeout: TIMEOUT_MS }, () => {
  const noise = fc.array(fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 400 })), { maxLength: 12 });
  fc.assert(
    fc.property(noise, fc.boolean(), (parts, whole) => {
      run(
        parts.map(([isOut, bytes]) => ({ dir: isOut ? 'out' : 'in', bytes })),
        { outWhole: whole, inWhole: whole },
      );
    }),
    options,
  );
});
