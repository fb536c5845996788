// A conversation that is met in the middle, through the whole way from records to events: wherever it is joined, calls are
// named by what is known of them, and nothing is wrong.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Pipeline } from '../../src/app/pipeline.ts';
import type { CallEvent, CaptureRecord, TraceEvent } from '../../src/model/index.ts';
import { loadBrotli } from '../kit/brotli.ts';
import { recordConversation } from '../kit/conversation.ts';
import type { Segment } from '../kit/pcap.ts';
import { Script } from '../kit/records.ts';
import { ascii, concat, data, headers, indexed, literal } from '../protocols/http2/kit.ts';

/** Names of a call whose class cannot be known: nothing that could name it was seen. */
const NOT_NAMED = ['copilot.unknown', 'http.other'];
const CASES = Number(process.env['TRACER_FUZZ_CASES'] ?? 60);

/** For the long suite. */
const LONG = { timeout: 600_000 };
/** Every place where it can be joined takes some seconds: the long suite has them all. */
const STEP = CASES >= 1000 ? 1 : 7;

function callsOf(records: readonly CaptureRecord[]): CallEvent[] {
  const events: TraceEvent[] = [];
  const pipeline = new Pipeline({ emit: (event) => events.push(event), onOpaque: () => {} });
  for (const record of records) pipeline.accept(record);
  pipeline.end('test', null);
  return events.filter((event): event is CallEvent => event.type === 'call');
}

function join(segments: readonly Segment[], first: number, skipBytes = 0): CallEvent[] {
  const script = new Script();
  const connection = script.connection();
  segments.slice(first).forEach(({ dir, bytes }, at) => {
    connection.data(dir, at === 0 ? bytes.subarray(skipBytes) : bytes);
  });
  connection.close();
  return callsOf(script.records);
}

const textOf = (call: CallEvent): string | undefined => call.llm?.text;
const isChat = ({ class: name }: CallEvent): boolean => name.startsWith('chat.');

let segments: readonly Segment[] = [];
let truth: readonly CallEvent[] = [];
let asked = 0;

beforeAll(async () => {
  await loadBrotli();
  const recorded = await recordConversation();
  segments = recorded.segments;
  asked = recorded.calls;
  truth = join(segments, 0);
});

/** The call of the truth that a call of a late join is: they end in the same order. */
const pairs = (late: readonly CallEvent[]): [late: CallEvent, whole: CallEvent][] =>
  late.map((call, at) => [call, truth[truth.length - late.length + at] as CallEvent]);

function expectNothingWrong([call, whole]: readonly [CallEvent, CallEvent]): void {
  expect([whole.class, ...NOT_NAMED]).toContain(call.class);
  expect([null, whole.path]).toContain(call.path);
  expect([null, whole.host]).toContain(call.host);
  expect([null, whole.status]).toContain(call.status);
  if (call.path === null) expect(call.joinedLate).toBe(true);
  expect(textOf(whole) ?? '').toContain(textOf(call) ?? '');
}

describe('a conversation over HTTP/2', () => {
  it('is known in full when it is seen from the first byte', () => {
    expect(truth).toHaveLength(asked);
    expect(truth.filter(isChat).map(({ class: name }) => name)).toEqual(
      [1, 2].flatMap(() => ['chat.completions', 'chat.responses', 'chat.messages'].flatMap((name) => [name, name])),
    );
    expect(truth.every(({ captured, joinedLate }) => captured === 'whole' && joinedLate === undefined)).toBe(true);
  });

  it('joined before any of its records, has every later chat named by its body and its text whole', LONG, () => {
    for (let first = 1; first < segments.length; first += STEP) {
      const late = join(segments, first);
      pairs(late).forEach(expectNothingWrong);
      // The first may have begun before the join; all others were seen whole.
      for (const [call, whole] of pairs(late.slice(1))) {
        if (!isChat(whole)) continue;
        expect([call.class, textOf(call), call.llm?.model]).toEqual([whole.class, textOf(whole), whole.llm?.model]);
        expect(call.llm?.usage).toEqual(whole.llm?.usage);
        expect(call.llm?.request?.messages.length).toBe(whole.llm?.request?.messages.length);
      }
    }
  });

  it('joined anywhere within a record, still says nothing that is wrong', LONG, () => {
    const place = fc.tuple(fc.nat(segments.length - 2), fc.nat(2000));
    fc.assert(
      fc.property(place, ([first, skip]) => {
        pairs(join(segments, first, Math.min(skip, (segments[first]?.bytes.length ?? 1) - 1))).forEach(
          expectNothingWrong,
        );
      }),
      { numRuns: CASES },
    );
  });

  it('names what cannot be known otherwise by shape, and says so', () => {
    const middle = Math.floor(segments.length / 2);
    const shaped = join(segments, middle).filter((call) => isChat(call) && call.host === null);
    expect(shaped.length).toBeGreaterThan(0);
    for (const { joinedLate, captured, confidence, evidence } of shaped) {
      expect([joinedLate, captured, confidence]).toEqual([true, 'partly', 'low']);
      expect(evidence).toMatch(/^shape: (path not known, )?host not known, body or answer is /);
    }
  });
});

it('shows a path that is learned while the call is open', () => {
  const script = new Script();
  // Entry 67 of the unknown past lends its name to a literal value; the second request proves that it is `:path`.
  const named = (value: string) => concat(Uint8Array.of(0x0f, 67 - 15, value.length), ascii(value));
  const accept = literal('accept', '*/*');
  script
    .connection()
    .out(headers(1, concat(indexed(2, 7, 66), named('/v1/first'), accept), 0x5))
    .out(headers(3, concat(indexed(2, 7), literal(':authority', 'a'), named('/v1/second'), accept), 0x5))
    .in(concat(headers(1, indexed(8)), data(1, '{}', 1), headers(3, indexed(8)), data(3, '{}', 1)))
    .close();
  const [first, second] = callsOf(script.records);
  expect([first?.path, first?.host, first?.joinedLate]).toEqual(['/v1/first', null, true]);
  expect([second?.path, second?.host]).toEqual(['/v1/second', 'a']);
});
