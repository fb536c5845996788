import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FleetEvent, TraceEvent } from '../../../src/model/index.ts';
import { toLine } from '../../../src/sinks/ndjson.ts';
import { decodeEvent, encodeEvent } from '../../../src/sinks/proto/event-codec.ts';
import { call, OTHER_EVENTS, plainCall, summary } from '../events.ts';

const AT = { time: '2026-03-01T14:05:09.042Z', tsNs: '12345678901234567' };

const BUS_EVENTS: readonly FleetEvent[] = [
  { type: 'session', ...AT, session: '5e55104200112233', host: 'build-7', user: 'ada', toolVersion: '0.1.0' },
  {
    type: 'heartbeat',
    ...AT,
    uptimeMs: 60_000,
    intervalMs: 30_000,
    accepted: 70,
    published: 64,
    spooledBytes: 0,
    dropped: 0,
  },
];

const SAMPLES: readonly FleetEvent[] = [call(), plainCall(), summary(), ...OTHER_EVENTS, ...BUS_EVENTS];

/** The golden bytes: one line of hex per sample, in this order. */
const GOLDEN = new URL('./golden-events.txt', import.meta.url);
const hexOf = (event: FleetEvent): string => Buffer.from(encodeEvent(event)).toString('hex');

describe('events as protobuf', () => {
  test('are these bytes, and stay them', () => {
    expect(existsSync(GOLDEN)).toBe(true);
    const golden = readFileSync(GOLDEN, 'utf8').trim().split('\n');
    expect(SAMPLES.map((event) => `${event.type} ${hexOf(event)}`)).toEqual(golden);
  });

  test('come back as they were, in the same order of members', () => {
    for (const event of SAMPLES) {
      const back = decodeEvent(encodeEvent(event));
      expect(back).toEqual(event);
      if (event.type !== 'summary') expect(toLine(back as TraceEvent)).toBe(toLine(event as TraceEvent));
    }
  });

  test('keep members that the schema does not know, at every depth', () => {
    const llm = { ...call().llm, reasoningEffort: 'high', usage: { input: 3, audio: 7 } };
    const event = { ...call(), conversation: { id: 'k1', turn: 2 }, llm } as unknown as FleetEvent;
    expect(decodeEvent(encodeEvent(event))).toEqual(event);
  });

  test('keep whole events of a type that the schema does not know', () => {
    const event = { type: 'weather', ...AT, wind: ['n', 3] } as unknown as FleetEvent;
    expect(decodeEvent(encodeEvent(event))).toEqual(event);
  });

  test.each([
    ['a lone surrogate', { text: 'a\ud800b' }],
    ['a fraction where whole numbers are usual', { usage: { output: 1.5 } }],
    ['a count beyond 2^53', { usage: { total: 1e300 } }],
    ['an empty optional list', { alternatives: [] }],
    ['null where a text is usual', { responseId: null }],
    ['a text where an object is usual', { error: 'none' }],
  ])('keep %s', (_what, change) => {
    const event = call({ llm: { ...call().llm, ...change } as never });
    expect(decodeEvent(encodeEvent(event))).toStrictEqual(event);
  });

  test('keep a member named __proto__ without touching any prototype', () => {
    const counters = JSON.parse('{"__proto__": 3, "a": 1}');
    const back = decodeEvent(encodeEvent(summary({ counters }))) as { counters: object };
    expect(JSON.stringify(back.counters)).toBe('{"__proto__":3,"a":1}');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test('any JSON in the place of any member survives', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('status', 'llm', 'request', 'notes', 'path', 'timing'),
        (value, name) => {
          const event = JSON.parse(JSON.stringify({ ...call(), [name]: value })) as FleetEvent;
          expect(JSON.parse(JSON.stringify(decodeEvent(encodeEvent(event))))).toEqual(event);
        },
      ),
    );
  });

  test('a message of a later schema is read as far as it is known', () => {
    const bytes = encodeEvent(OTHER_EVENTS[4] as FleetEvent);
    // Field 200, varint 5, behind everything: a field that no version has yet.
    const later = Uint8Array.from([...bytes, 0xc0, 0x0c, 0x05]);
    expect(decodeEvent(later)).toEqual(OTHER_EVENTS[4]);
  });

  test('arbitrary bytes decode to something or throw an error, and do not hang', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          expect(typeof decodeEvent(bytes).type).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
