// A bus event as the message that carries it.

import type { FleetEvent } from '../../model/index.ts';
import { toLine } from '../ndjson.ts';
import { encodeEvent } from '../proto/event-codec.ts';
import { CONTENT_TYPES, type Encoding, type Outgoing } from './message.ts';
import { kindOf, subjectOf } from './subjects.ts';
import { encodeBounded } from './trim.ts';

/** One line of docs/events.md, without its line end. */
const encodeJson = (event: FleetEvent): Uint8Array => new TextEncoder().encode(toLine(event).trimEnd());

export interface Sender {
  readonly host: string;
  readonly user: string;
  readonly session: string;
}

/** `number` is the event's place in its session (`17`), or what stands for it (`h3`). */
export function toMessage(
  event: FleetEvent,
  sender: Sender,
  number: string,
  encoding: Encoding,
): { readonly message: Outgoing; readonly isTrimmed: boolean } {
  const { payload, isTrimmed } = encodeBounded(event, encoding === 'json' ? encodeJson : encodeEvent);
  const message = {
    subject: subjectOf(sender.host, sender.user, kindOf(event.type)),
    id: `${sender.session}:${number}`,
    contentType: CONTENT_TYPES[encoding],
    payload,
  };
  return { message, isTrimmed };
}
