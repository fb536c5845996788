// The five laws of every protocol, through the whole engine: splits, mutations, holes, late joins, determinism.
// TRACER_FUZZ_CASES sets the number of random cases per law and session; fast-check prints the seed of a failure.

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CaptureRecord, Dir, EngineEvent } from '../../src/model/index.ts';
import { PROTOCOLS } from '../../src/protocols/index.ts';
import { loadBrotli } from '../kit/brotli.ts';
import { ofType, runEngine } from '../kit/records.ts';
import { type Part, SESSIONS } from './sessions.ts';

const CASES = Number(process.env['TRACER_FUZZ_CASES'] ?? 150);
const KEY = { pid: 7, startNs: 5n, ssl: 0xa0n, generation: 0 };

beforeAll(loadBrotli);

interface Placed extends Part {
  readonly offset: number;
}

/** Parts with their offsets in their direction. */
function placed(parts: readonly Part[]): Placed[] {
  const at = { out: 0, in: 0 };
  return parts.map(({ dir, bytes }) => {
    const offset = at[dir];
    at[dir] += bytes.length;
    return { dir, bytes, offset };
  });
}

const record = ({ dir, bytes, offset }: Placed): CaptureRecord => ({
  kind: 'data',
  ...KEY,
  tsNs: 0n,
  tid: 1,
  hook: 1,
  dir,
  offset,
  callBytes: bytes.length,
  callEnd: true,
  bytes,
});

const totals = (parts: readonly Part[]): Record<Dir, number> => {
  const sum = { out: 0, in: 0 };
  for (const { dir, bytes } of parts) sum[dir] += bytes.length;
  return sum;
};

function run(pieces: readonly Placed[], parts: readonly Part[] = pieces): EngineEvent[] {
  const { out, in: received } = totals(parts);
  const close: CaptureRecord = { kind: 'close', ...KEY, tsNs: 0n, outBytes: out, inBytes: received };
  return runEngine([...pieces.map(record), close]);
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'bigint'
      ? field.toString()
      : field instanceof Uint8Array
        ? Buffer.from(field).toString('hex')
        : field,
  );

/** Events with body pieces joined per exchange and side: how a body is cut says nothing. */
function normal(events: readonly EngineEvent[]): string[] {
  const bodies = new Map<string, Buffer[]>();
  const rest: string[] = [];
  for (const event of events) {
    if (event.type !== 'BodyReceived') rest.push(text(event));
    else {
      const name = `${event.id.exchange} ${event.side}`;
      bodies.set(name, [...(bodies.get(name) ?? []), Buffer.from(event.bytes)]);
    }
  }
  return [...rest, ...[...bodies].map(([name, pieces]) => `${name}: ${Buffer.concat(pieces).toString('hex')}`).sort()];
}

/** Exchanges whose request path is known and whose response has a body: both numbers must agree. */
function pairs(events: readonly EngineEvent[]): [asked: string, answered: string][] {
  const paths = new Map<number, string>();
  const bodies = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'HeadReceived' && event.side === 'request' && event.head.path !== null) {
      paths.set(event.id.exchange, event.head.path.slice(1));
    }
    if (event.type === 'BodyReceived' && event.side === 'response') {
      bodies.set(event.id.exchange, (bodies.get(event.id.exchange) ?? '') + Buffer.from(event.bytes).toString());
    }
  }
  return [...bodies].flatMap(([exchange, body]) => {
    const asked = paths.get(exchange);
    const answered = /answer (\d+)/.exec(body)?.[1];
    return asked === undefined || answered === undefined ? [] : [[asked, answered] as [string, string]];
  });
}

function cut(pieces: readonly Placed[], sizes: readonly number[]): Placed[] {
  let next = 0;
  return pieces.flatMap(({ dir, bytes, offset }) => {
    const cuts: Placed[] = [];
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + sizes[next++ % sizes.length]!);
      cuts.push({ dir, bytes: part, offset: offset + at });
      at += part.length;
    }
    return cuts;
  });
}

/** Takes `count` bytes from `from` of one direction out of the capture. */
function lose(pieces: readonly Placed[], dir: Dir, from: number, count: number): Placed[] {
  return pieces.flatMap((piece) => {
    if (piece.dir !== dir) return [piece];
    const before = piece.bytes.subarray(0, Math.max(0, from - piece.offset));
    const behind = Math.min(piece.bytes.length, Math.max(0, from + count - piece.offset));
    const after = piece.bytes.subarray(Math.max(behind, before.length));
    return [
      { ...piece, bytes: before },
      { ...piece, bytes: after, offset: piece.offset + piece.bytes.length - after.length },
    ].filter(({ bytes }) => bytes.length > 0);
  });
}

const sizesArbitrary = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 });
const dirArbitrary = fc.constantFrom<Dir>('out', 'in');

it('has a session for every protocol', () => {
  expect(new Set(SESSIONS.map(({ protocol }) => protocol))).toEqual(new Set(PROTOCOLS.map(({ name }) => name)));
});

describe.each(SESSIONS.map((session) => [session.name, session] as const))('%s', (_, session) => {
  const whole = placed(session.parts);
  const size = totals(session.parts);

  it('decodes in full when nothing is missing', () => {
    const events = run(whole);
    expect(ofType(events, 'WireErrorSeen')).toEqual([]);
    expect(ofType(events, 'ExchangeEnded').map(({ end }) => end)).not.toContain('lost');
    expect(ofType(events, 'ConnectionIdentified').map(({ protocol }) => protocol)).toContain(session.protocol);
    for (const [asked, answered] of pairs(events)) expect(answered).toBe(asked);
  });

  it('law 1: any split gives the same events', () => {
    const expected = normal(run(whole));
    fc.assert(
      fc.property(sizesArbitrary, (sizes) => {
        expect(normal(run(cut(whole, sizes)))).toEqual(expected);
      }),
      { numRuns: CASES },
    );
    expect(normal(run(cut(whole, [1])))).toEqual(expected);
  });

  it('law 2: any mutation gives events, never a throw', () => {
    const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(edits, sizesArbitrary, (changes, sizes) => {
        const mutated = whole.map((piece) => ({ ...piece, bytes: Uint8Array.from(piece.bytes) }));
        for (const [index, at, value] of changes) {
          const { bytes } = mutated[index]!;
          bytes[at % bytes.length] = value;
        }
        const events = run(cut(mutated, sizes));
        expect(events.at(-1)?.type).toBe('ConnectionClosed');
      }),
      { numRuns: CASES },
    );
  });

  it('law 3: any hole is counted to the byte, nothing is paired wrongly, and the story is closed', () => {
    const hole = fc.tuple(dirArbitrary, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 200 }));
    fc.assert(
      fc.property(fc.array(hole, { minLength: 1, maxLength: 3 }), sizesArbitrary, (holes, sizes) => {
        let pieces = whole;
        for (const [dir, where, count] of holes) pieces = lose(pieces, dir, Math.floor(where * size[dir]), count);
        const kept = totals(pieces);
        const events = run(cut(pieces, sizes), session.parts);
        const lost = ofType(events, 'GapSeen').reduce((sum, gap) => sum + gap.lostBytes, 0);
        const missing = size.out + size.in - kept.out - kept.in;
        expect(lost).toBe(missing);
        const [closed] = ofType(events, 'ConnectionClosed');
        expect((closed?.lostOutBytes ?? 0) + (closed?.lostInBytes ?? 0)).toBe(missing);
        for (const [asked, answered] of pairs(events)) expect(answered).toBe(asked);
        expect(ofType(events, 'ExchangeEnded').length).toBe(ofType(events, 'ExchangeStarted').length);
      }),
      { numRuns: CASES },
    );
  });

  it('law 4: starting in mid-stream never blocks later exchanges', () => {
    const { next } = session;
    // A WebSocket is only ever opened by its handshake; pipelined requests leave no idle moment to start again from.
    if (next === undefined) return;
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(400), sizesArbitrary, (first, skip, sizes) => {
        const tail = [...session.parts.slice(first), ...next];
        const joined = tail.map((part, index) =>
          index === 0 ? { ...part, bytes: part.bytes.subarray(Math.min(skip, part.bytes.length - 1)) } : part,
        );
        const events = run(cut(placed(joined), sizes), joined);
        for (const [asked, answered] of pairs(events)) expect(answered).toBe(asked);
        expect(pairs(events)).toContainEqual(['99', '99']);
      }),
      { numRuns: CASES },
    );
  });

  it('law 5: the same records give byte-identical events twice', () => {
    expect(run(whole).map(text)).toEqual(run(whole).map(text));
  });
});
