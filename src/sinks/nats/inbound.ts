// Messages of the bus to events: parts joined, payloads decoded by their content type, each event of a session handed on
// once. The bytes come from a network: whatever is no event of ours is counted and left out.

import type { MsgHdrs } from '@nats-io/transport-node';
import type { FleetEvent, Origin } from '../../model/index.ts';
import { decodeEvent } from '../proto/event-codec.ts';
import { HEADERS, parseId } from './message.ts';
import { PartJoiner } from './parts.ts';
import { SequenceTracker } from './sequence.ts';
import { originOf } from './subjects.ts';

/** Sessions that are remembered; of the oldest, a repeated event would be taken for a new one. */
const MAX_SESSIONS = 10_000;

export interface InboundMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
}

export interface InboundCounts {
  readonly events: number;
  /** Came again. */
  readonly duplicates: number;
  /** Are missing between two that came. */
  readonly missing: number;
  /** Messages that are no events, and messages of which parts did not come. */
  readonly unusable: number;
}

function decode(contentType: string, bytes: Uint8Array): FleetEvent {
  if (contentType.startsWith('application/x-protobuf')) return decodeEvent(bytes);
  if (!contentType.startsWith('application/json')) throw new Error(`unknown content type ${contentType}`);
  const event = JSON.parse(new TextDecoder().decode(bytes)) as Partial<FleetEvent> | null;
  if (typeof event?.type !== 'string' || typeof event.time !== 'string') throw new Error('JSON that is no event');
  return event as FleetEvent;
}

export class Inbound {
  readonly #joiner = new PartJoiner();
  readonly #sessions = new Map<string, SequenceTracker>();
  #forgottenMissing = 0;
  #events = 0;
  #duplicates = 0;
  #unusable = 0;

  /** The event in a message; null when there is none (yet). */
  take(message: InboundMessage): { readonly event: FleetEvent; readonly origin: Origin } | null {
    const name = this.#nameOf(message);
    const bytes = name === null ? null : this.#whole(message, name.id);
    if (name === null || bytes === null) return null;
    const event = this.#decode(message.headers?.get(HEADERS.contentType) ?? '', bytes);
    if (event === null || !this.#isNew(name.origin)) return null;
    this.#events += 1;
    return { event, origin: name.origin };
  }

  /** Events up to `seq` are known: a reader that goes on where an earlier one stopped. */
  resume(session: string, seq: number): void {
    this.#sessions.set(session, new SequenceTracker(seq + 1));
  }

  counts(): InboundCounts {
    const missing = [...this.#sessions.values()].reduce(
      (sum, session) => sum + session.missing,
      this.#forgottenMissing,
    );
    const unusable = this.#unusable + this.#joiner.forgotten;
    return { events: this.#events, duplicates: this.#duplicates, missing, unusable };
  }

  #nameOf({ subject, headers }: InboundMessage): { readonly id: string; readonly origin: Origin } | null {
    // The id of a part ends in `/2-3`.
    const [id = ''] = (headers?.get(HEADERS.id) ?? '').split('/');
    const [place, name] = [originOf(subject), parseId(id)];
    if (place === null || name === null) {
      this.#unusable += 1;
      return null;
    }
    return { id, origin: { ...place, ...name } };
  }

  #whole({ data, headers }: InboundMessage, id: string): Uint8Array | null {
    const part = headers?.get(HEADERS.part) ?? '';
    return part === '' ? data : this.#joiner.add(id, part, data);
  }

  #decode(contentType: string, bytes: Uint8Array): FleetEvent | null {
    try {
      return decode(contentType, bytes);
    } catch {
      // What exactly is wrong with foreign bytes helps nobody; that there were some is counted and told at the end.
      this.#unusable += 1;
      return null;
    }
  }

  #isNew({ session, seq }: Origin): boolean {
    if (seq === null) return true;
    const tracker = this.#sessions.get(session) ?? this.#open(session, seq);
    const isNew = tracker.add(seq);
    if (!isNew) this.#duplicates += 1;
    return isNew;
  }

  #open(session: string, first: number): SequenceTracker {
    const [oldest] = this.#sessions;
    if (this.#sessions.size >= MAX_SESSIONS && oldest !== undefined) {
      this.#forgottenMissing += oldest[1].missing;
      this.#sessions.delete(oldest[0]);
    }
    const tracker = new SequenceTracker(first);
    this.#sessions.set(session, tracker);
    return tracker;
  }
}
