// Takes messages to the server over one connection and says when the server has them. Core NATS confirms nothing by
// itself: a PONG confirms everything that was sent before its PING. JetStream confirms each message once it is stored.

import { jetstream } from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { HEADERS, type Outgoing, SCHEMA_VERSION } from './message.ts';
import { splitPayload } from './parts.ts';

/** A message that the server has not confirmed by then is sent again. */
const CONFIRM_TIMEOUT_MS = 10_000;

export interface Confirmation {
  /** The server knew the id already. */
  readonly isDuplicate: boolean;
}

export interface Courier {
  /** Sends at once; calls keep their order. Rejects when it is not known that the server has it. */
  deliver(message: Outgoing): Promise<Confirmation>;
}

interface Part {
  readonly id: string;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs;
}

function partsOf(message: Outgoing, limitBytes: number): readonly Part[] {
  const payloads = splitPayload(message.payload, limitBytes);
  return payloads.map((payload, i) => {
    const isWhole = payloads.length === 1;
    const id = isWhole ? message.id : `${message.id}/${i + 1}-${payloads.length}`;
    const fields = headers();
    fields.set(HEADERS.id, id);
    fields.set(HEADERS.contentType, message.contentType);
    fields.set(HEADERS.schema, SCHEMA_VERSION);
    if (!isWhole) fields.set(HEADERS.part, `${i + 1}/${payloads.length}`);
    return { id, payload, headers: fields };
  });
}

/** What one message may have: the server's limit, or the stream's when that is smaller. */
const limitOf = (connection: NatsConnection, maxMessageBytes: number | undefined): number =>
  Math.min(connection.info?.max_payload ?? Number.POSITIVE_INFINITY, maxMessageBytes ?? Number.POSITIVE_INFINITY);

export function jetStreamCourier(connection: NatsConnection, maxMessageBytes: number | undefined): Courier {
  const client = jetstream(connection, { timeout: CONFIRM_TIMEOUT_MS });
  return {
    async deliver(message) {
      const parts = partsOf(message, limitOf(connection, maxMessageBytes));
      const stored = await Promise.all(
        parts.map((part) => client.publish(message.subject, part.payload, { msgID: part.id, headers: part.headers })),
      );
      return { isDuplicate: stored.every(({ duplicate }) => duplicate) };
    },
  };
}

/** `denied` is asked after each PONG: a refusal comes before it. */
export function coreCourier(connection: NatsConnection, denied: () => Error | null): Courier {
  let pong: Promise<void> | null = null;
  /** One PING for all that is sent in the same turn of the event loop. */
  const nextPong = (): Promise<void> => {
    pong ??= new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      pong = null;
      await connection.flush();
      // The client reports refusals through an iterator: a turn later than the PONG that follows them.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const refusal = denied();
      if (refusal !== null) throw refusal;
    });
    return pong;
  };
  return {
    async deliver(message) {
      for (const part of partsOf(message, limitOf(connection, undefined))) {
        connection.publish(message.subject, part.payload, { headers: part.headers });
      }
      await nextPong();
      return { isDuplicate: false };
    },
  };
}
