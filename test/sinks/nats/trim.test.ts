import { expect, test } from 'vitest';
import type { CallEvent, FleetEvent } from '../../../src/model/index.ts';
import { encodeBounded } from '../../../src/sinks/nats/trim.ts';
import { decodeEvent, encodeEvent } from '../../../src/sinks/proto/event-codec.ts';
import { call } from '../events.ts';

const withText = (text: string): CallEvent => call({ llm: { ...(call().llm as NonNullable<CallEvent['llm']>), text } });

test('an event that fits is not touched', () => {
  const event = withText('a'.repeat(10_000));
  const { payload, isTrimmed } = encodeBounded(event, encodeEvent, 20_000);
  expect(isTrimmed).toBe(false);
  expect(decodeEvent(payload)).toEqual(event);
});

test('the longest texts are cut first, each says how much is missing, and the event says so', () => {
  const { payload, isTrimmed } = encodeBounded(withText('a'.repeat(100_000)), encodeEvent, 70_000);
  const event = decodeEvent(payload) as CallEvent;
  expect(isTrimmed).toBe(true);
  expect(event.llm?.text).toBe(`${'a'.repeat(65_536)}…[trimmed 34464 characters]`);
  expect(event.llm?.request).toEqual(call().llm?.request);
  expect(event.notes?.[0]).toMatch(/^texts trimmed for the bus: the event has 10\d{4} bytes$/);
});

test('many small parts are cut to a number of items', () => {
  const headers = Array.from({ length: 5_000 }, (_, i) => [`x-${i}`, 'v'] as const);
  const { payload } = encodeBounded(call({ request: { bytes: 1, decodedBytes: 1, headers } }), encodeEvent, 20_000);
  expect(JSON.stringify(decodeEvent(payload))).toContain('…[trimmed 4744 items]');
});

test('what cannot be made small enough becomes a loss with its size', () => {
  const { payload } = encodeBounded(withText('a'.repeat(1_000)), encodeEvent, 100);
  expect(decodeEvent(payload)).toMatchObject({
    type: 'loss',
    cause: 'a call event too large for the bus',
  } satisfies Partial<FleetEvent>);
});
