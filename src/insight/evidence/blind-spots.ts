// What a recording cannot show: where a text could have left the machine unseen. While this list is empty, "not found"
// means "not sent".

import type {
  BodyCopy,
  CallCompleted,
  ConnectionEvent,
  EngineEvent,
  LossEvent,
  ProcessEvent,
  SummaryEvent,
  TraceEvent,
} from '../../model/index.ts';
import { headerValue } from '../../model/index.ts';

export interface BlindSpot {
  readonly what:
    | 'lost-bytes'
    | 'opaque-connection'
    | 'cut-body'
    | 'undecoded-body'
    | 'late-call'
    | 'unhooked-process'
    | 'binary-message'
    | 'recording';
  /** Connection, call or process. */
  readonly where: string;
  readonly why: string;
  readonly bytes?: number;
}

/** Spots that are listed; more are counted. */
const MAX_SPOTS = 1_000;
/** Connections whose protocol is remembered. */
const MAX_CONNECTIONS = 20_000;

const DECODED = /^(identity|gzip|x-gzip|deflate|br|zstd)$/;

export class BlindSpots {
  readonly #spots = new Map<string, BlindSpot>();
  readonly #protocols = new Map<string, string>();
  #more = 0;

  get list(): readonly BlindSpot[] {
    return [...this.#spots.values()];
  }

  get more(): number {
    return this.#more;
  }

  event(event: Exclude<TraceEvent, { type: 'call' }>): void {
    if (event.type === 'connection') this.#connection(event);
    else if (event.type === 'loss') this.#loss(event);
    else if (event.type === 'process') this.#process(event);
    else if (event.type === 'summary') this.#summary(event);
  }

  engine(event: EngineEvent): void {
    if (event.type !== 'MessageReceived' || event.format === 'sse' || event.side !== 'request') return;
    const where = `c${event.id.connection}.${event.id.exchange}`;
    if (event.format === 'websocket-text') {
      if (isBlank(event.data))
        this.#add({ what: 'undecoded-body', where, why: 'messages are blank: bodies were not recorded' });
      return;
    }
    this.#add({
      what: 'binary-message',
      where,
      why: 'binary WebSocket messages were sent',
      bytes: event.bytes?.length ?? 0,
    });
  }

  /** `id` is the call's text form; `sent` the body that went out. */
  call(call: CallCompleted, id: string, sent: BodyCopy | undefined): void {
    const side = call.served ? call.response : call.request;
    const coding = headerValue(side.headers, 'content-encoding')?.toLowerCase() ?? 'identity';
    if (side.lostBytes !== undefined)
      this.#add({ what: 'lost-bytes', where: id, why: 'a part of the body was not captured', bytes: side.lostBytes });
    else if (sent?.whole === false)
      this.#add({ what: 'cut-body', where: id, why: 'the body was too large to be kept whole', bytes: side.bytes });
    else if (!coding.split(/[\s,]+/).every((one) => DECODED.test(one))) {
      this.#add({ what: 'undecoded-body', where: id, why: `the body is coded in ${coding}`, bytes: side.bytes });
    } else if (isBlank(sent?.text ?? '')) {
      this.#add({
        what: 'undecoded-body',
        where: id,
        why: 'the body is blank: bodies were not recorded',
        bytes: side.bytes,
      });
    } else if (isBinary(sent?.text ?? '')) {
      this.#add({ what: 'undecoded-body', where: id, why: 'the body is binary', bytes: side.bytes });
    } else if (call.joinedLate && call.captured === 'partly') {
      this.#add({ what: 'late-call', where: id, why: 'the capture began in the middle of it' });
    }
  }

  /** The recording itself is damaged or ends early. */
  damaged(why: string): void {
    this.#add({ what: 'recording', where: 'recording', why });
  }

  #connection({ phase, id, protocol, detail, outBytes = 0, lostOutBytes = 0 }: ConnectionEvent): void {
    if (protocol !== undefined && this.#protocols.size < MAX_CONNECTIONS) {
      this.#protocols.set(id, protocol === 'opaque' ? `opaque${detail === undefined ? '' : ` (${detail})`}` : protocol);
    }
    if (phase !== 'closed') return;
    const known = this.#protocols.get(id) ?? 'not recognised';
    this.#protocols.delete(id);
    if (outBytes > 0 && /^(opaque|not)/.test(known)) {
      this.#add({ what: 'opaque-connection', where: id, why: `its protocol is ${known}`, bytes: outBytes });
    } else if (lostOutBytes > 0)
      this.#add({ what: 'lost-bytes', where: id, why: 'sent bytes were not captured', bytes: lostOutBytes });
  }

  #loss({ connection, dir, bytes, cause }: LossEvent): void {
    if (dir === 'in') return;
    this.#add({ what: 'lost-bytes', where: connection ?? 'capture', why: `sent bytes: ${cause}`, bytes });
  }

  #process({ pid, comm, tls }: ProcessEvent): void {
    if (tls.length === 0 || tls.some(({ hooked }) => hooked)) return;
    const names = tls.map(({ library }) => library).join(', ');
    this.#add({
      what: 'unhooked-process',
      where: `process ${pid} (${comm})`,
      why: `its TLS library (${names}) was not hooked`,
    });
  }

  #summary({ complete, lost }: SummaryEvent): void {
    if (complete || this.#spots.size > 0) return;
    // Lost on the way in only: nothing that was sent is missing.
    if (lost.in > 0 && lost.out === 0) return;
    this.#add({ what: 'lost-bytes', where: 'capture', why: 'the capture counted losses that it cannot place' });
  }

  /** One spot per place and sort, with its bytes added up. */
  #add(spot: BlindSpot): void {
    const key = `${spot.what} ${spot.where}`;
    const known = this.#spots.get(key);
    if (known === undefined && this.#spots.size >= MAX_SPOTS) {
      this.#more += 1;
      return;
    }
    const bytes = (known?.bytes ?? 0) + (spot.bytes ?? 0);
    this.#spots.set(key, { ...spot, ...(bytes > 0 ? { bytes } : {}) });
  }
}

/** A recording without bodies has spaces in their place. */
const isBlank = (text: string): boolean => text.length > 1 && text.trim() === '';

/** Text decoding puts U+FFFD where bytes are no UTF-8. */
function isBinary(text: string): boolean {
  const head = text.slice(0, 1024);
  return head.split('\ufffd').length - 1 > head.length / 20;
}
