// One message for the bus, before and after it waited: where it goes, what names it, what it holds.

/** Version of subjects, headers and payloads, in the header `Tracer-Schema`. */
export const SCHEMA_VERSION = '1';

export const HEADERS = {
  contentType: 'Content-Type',
  /** Known to JetStream: a message with an id that it has seen within its window is not stored again. */
  id: 'Nats-Msg-Id',
  schema: 'Tracer-Schema',
  /** `2/3`: second of three parts of a message that was larger than the server takes. */
  part: 'Tracer-Part',
} as const;

export const CONTENT_TYPES = {
  protobuf: 'application/x-protobuf; messageType="tracer.v1.Event"',
  json: 'application/json',
} as const;

export type Encoding = keyof typeof CONTENT_TYPES;

export interface Outgoing {
  readonly subject: string;
  /** `<session>:<number>`: the same event has the same id whenever and however often it is sent. */
  readonly id: string;
  readonly contentType: string;
  readonly payload: Uint8Array;
}

/** What a waiting message costs beside its payload: subject, id, bookkeeping. */
const OVERHEAD_BYTES = 256;

export const sizeOf = (message: Outgoing): number => message.payload.length + OVERHEAD_BYTES;

/** Session and number in an id; null for an id of somebody else. A heartbeat's number is null. */
export function parseId(id: string): { readonly session: string; readonly seq: number | null } | null {
  const match = /^([0-9a-f]{16}):(?:(\d{1,15})|h\d{1,15})$/.exec(id);
  if (match?.[1] === undefined) return null;
  return { session: match[1], seq: match[2] === undefined ? null : Number(match[2]) };
}
