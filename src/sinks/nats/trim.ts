// The last resort for an event that is too large even in parts: long texts are cut, each with a mark that says how much is
// missing, and the event says so itself. Nothing is dropped silently.

import type { FleetEvent } from '../../model/index.ts';

/** Beyond this an event is trimmed: two bodies of 16 MiB, which is what a call keeps of each, do not fit together. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/** Lengths tried in turn, in UTF-16 units. */
const TEXT_LENGTHS = [1024 * 1024, 64 * 1024, 4 * 1024, 256];
/** Items of a list that are kept in the last step. */
const MAX_ITEMS = 256;
/** Depth to which objects are followed; deeper ones are left out in the last step. */
const MAX_DEPTH = 64;

const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…[trimmed ${text.length - length} characters]`;

function cut(value: unknown, length: number, items: number, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, length);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '…[trimmed]';
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item) => cut(item, length, items, depth + 1));
    return value.length > items ? [...kept, `…[trimmed ${value.length - items} items]`] : kept;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, length, items, depth + 1)]));
}

const withNote = (event: FleetEvent, note: string): FleetEvent =>
  event.type === 'call' ? { ...event, notes: [...(event.notes ?? []), note] } : event;

/** `encode(event)`, trimmed until it has at most `maxBytes`. */
export function encodeBounded(
  event: FleetEvent,
  encode: (event: FleetEvent) => Uint8Array,
  maxBytes = MAX_EVENT_BYTES,
): { readonly payload: Uint8Array; readonly isTrimmed: boolean } {
  const whole = encode(event);
  if (whole.length <= maxBytes) return { payload: whole, isTrimmed: false };
  const note = `texts trimmed for the bus: the event has ${whole.length} bytes`;
  for (const length of TEXT_LENGTHS) {
    const isLast = length === TEXT_LENGTHS.at(-1);
    const trimmed = cut(event, length, isLast ? MAX_ITEMS : Number.POSITIVE_INFINITY, 0) as FleetEvent;
    const payload = encode(withNote(trimmed, note));
    if (payload.length <= maxBytes) return { payload, isTrimmed: true };
  }
  const { type, time, tsNs } = event;
  const loss: FleetEvent = {
    type: 'loss',
    time,
    tsNs,
    bytes: whole.length,
    cause: `a ${type} event too large for the bus`,
  };
  return { payload: encode(loss), isTrimmed: true };
}
