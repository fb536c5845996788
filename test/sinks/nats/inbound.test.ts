import { headers } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import type { FleetEvent } from '../../../src/model/index.ts';
import { toMessage } from '../../../src/sinks/nats/encoder.ts';
import { Inbound, type InboundMessage } from '../../../src/sinks/nats/inbound.ts';
import { call } from '../events.ts';

const SENDER = { host: 'build-7.example', user: 'ada', session: '00112233445566aa' };

function received(
  seq: string,
  change: Record<string, string> = {},
  event: FleetEvent = call(),
  encoding: 'json' | 'protobuf' = 'protobuf',
): InboundMessage {
  const { message } = toMessage(event, SENDER, seq, encoding);
  const fields = headers();
  fields.set('Nats-Msg-Id', message.id);
  fields.set('Content-Type', message.contentType);
  for (const [name, value] of Object.entries(change)) fields.set(name, value);
  return { subject: message.subject, data: message.payload, headers: fields };
}

test.each(['json', 'protobuf'] as const)('an event comes back from %s with its origin', (encoding) => {
  expect(new Inbound().take(received('7', {}, call(), encoding))).toEqual({
    event: call(),
    origin: { ...SENDER, seq: 7 },
  });
});

test('an event is handed on once', () => {
  const inbound = new Inbound();
  expect(
    [inbound.take(received('1')), inbound.take(received('1')), inbound.take(received('4'))].map(
      (taken) => taken !== null,
    ),
  ).toEqual([true, false, true]);
  expect(inbound.counts()).toEqual({ events: 2, duplicates: 1, missing: 2, unusable: 0 });
});

test('a reader that goes on does not take again what it has', () => {
  const inbound = new Inbound();
  inbound.resume(SENDER.session, 10);
  expect([inbound.take(received('10')), inbound.take(received('11'))].map((taken) => taken !== null)).toEqual([
    false,
    true,
  ]);
});

test.each([
  ['another subject', { subject: 'orders.new' }, {}],
  ['another id', {}, { 'Nats-Msg-Id': 'x' }],
  ['another content type', {}, { 'Content-Type': 'text/plain' }],
  ['garbage', { data: new Uint8Array([255, 255, 255]) }, {}],
  ['JSON that is no event', { data: new TextEncoder().encode('[1]') }, { 'Content-Type': 'application/json' }],
  ['null', { data: new TextEncoder().encode('null') }, { 'Content-Type': 'application/json' }],
])('%s is counted and left out', (_what, message, fields) => {
  const inbound = new Inbound();
  expect(inbound.take({ ...received('1', fields), ...message })).toBeNull();
  expect(inbound.counts().unusable).toBe(1);
});
