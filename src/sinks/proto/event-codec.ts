// A bus event as protobuf and back, without loss: decode(encode(e)) equals e, member by member. Schema: events.proto.

import protobuf from 'protobufjs/minimal.js';
import type { FleetEvent } from '../../model/index.ts';
import { tracer } from './events.gen.js';
import { type Fields, fromFields, isHeldBy, toFields } from './fields.ts';
import { FACTS } from './schema.ts';

const { Event } = tracer.v1;

/** What a fixed64 field is written from: a monotonic time as the events carry it. */
const toFixed64 = (decimal: string): unknown => {
  const value = BigInt.asUintN(64, BigInt(decimal));
  return new protobuf.util.Long(Number(value & 0xffffffffn), Number(value >> 32n), true);
};

function fromFixed64(raw: unknown): string {
  const { high, low } = raw as { high: number; low: number };
  return ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString();
}

export function encodeEvent(event: FleetEvent): Uint8Array {
  const { type, time, tsNs, ...rest } = event;
  const fact = FACTS[type];
  const body =
    fact === undefined || !isHeldBy(fact.schema, rest)
      ? { other: { type, json: JSON.stringify(rest) } }
      : { [fact.field]: toFields(fact.schema, rest) };
  return Event.encode({ time, tsNs: toFixed64(tsNs), ...body } as Parameters<typeof Event.encode>[0]).finish();
}

const ownFields = (value: object): Fields => Object.fromEntries(Object.entries(value));

/** Throws when the bytes are no such event: they come from a network. */
export function decodeEvent(bytes: Uint8Array): FleetEvent {
  const fields = ownFields(Event.decode(bytes));
  const head = (type: string): object => ({
    type,
    time: String(fields['time'] ?? ''),
    tsNs: fields['tsNs'] === undefined ? '0' : fromFixed64(fields['tsNs']),
  });
  for (const [type, { field, schema }] of Object.entries(FACTS)) {
    const body = fields[field];
    if (body !== undefined) return { ...head(type), ...fromFields(schema, body as Fields) } as unknown as FleetEvent;
  }
  const other = fields['other'] as { type?: string; json?: string } | undefined;
  const rest = JSON.parse(other?.json ?? '{}') as object;
  return { ...rest, ...head(other?.type ?? 'unknown') } as unknown as FleetEvent;
}
