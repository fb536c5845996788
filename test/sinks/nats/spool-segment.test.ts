import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outgoing } from '../../../src/sinks/nats/message.ts';
import { decodeSegment, encodeWaiting, SEGMENT_MAGIC } from '../../../src/sinks/nats/spool-segment.ts';

const message = (n: number): Outgoing => ({
  subject: 'tracer.v1.a.b.call',
  id: `00112233445566aa:${n}`,
  contentType: 'application/json',
  payload: new TextEncoder().encode(`{"n":${n}}`),
});
const MESSAGES = [1, 2, 3].map(message);
/** Payloads as plain arrays: a decoded one is a view of another class. */
const plain = (messages: readonly Outgoing[]): Outgoing[] =>
  messages.map((each) => ({ ...each, payload: Uint8Array.from(each.payload) }));

const SEGMENT = Buffer.concat([SEGMENT_MAGIC, ...MESSAGES.map(encodeWaiting)]);

test('messages come back as they were', () => {
  const { messages, damagedBytes } = decodeSegment(SEGMENT);
  expect([plain(messages), damagedBytes]).toEqual([MESSAGES, 0]);
});

test('a segment cut anywhere gives its whole messages and the number of bytes behind them', () => {
  const ends = MESSAGES.map(
    (_, i) => SEGMENT_MAGIC.length + Buffer.concat(MESSAGES.slice(0, i + 1).map(encodeWaiting)).length,
  );
  for (let cut = SEGMENT_MAGIC.length; cut <= SEGMENT.length; cut += 1) {
    const whole = ends.filter((end) => end <= cut).length;
    const { messages, damagedBytes } = decodeSegment(SEGMENT.subarray(0, cut));
    expect([messages.length, damagedBytes]).toEqual([whole, cut - (ends[whole - 1] ?? SEGMENT_MAGIC.length)]);
  }
});

test('a changed byte ends the segment there, whatever it is', () => {
  fc.assert(
    fc.property(fc.nat(SEGMENT.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(SEGMENT);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      const { messages, damagedBytes } = decodeSegment(damaged);
      expect(messages.length).toBeLessThan(3);
      expect(damagedBytes).toBeGreaterThan(0);
      expect(plain(messages)).toEqual(MESSAGES.slice(0, messages.length));
    }),
  );
});
