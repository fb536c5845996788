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
/** Connections whose protocol is remembered, and processes. */
const MAX_CONNECTIONS = 20_000;

const DECODED = /^(identity|gzip|x-gzip|deflate|br|zstd)$/;

/** What is known of the program that a process runs. */
interface Program {
  readonly exe: string;
  readonly where: string;
  /** Connections of it were seen, so a library of it is hooked. */
  isSeen: boolean;
  /** It held connections that were not, or may have: capture came late or never looked into its program. */
  hasUnseen: boolean;
}

/** What capture appends to a library's reason when the process held connections that it did not see. */
const UNSEEN = /\bconnections? unseen$/;

export class BlindSpots {
  readonly #programs = new Map<number, Program>();
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

  #connection(event: ConnectionEvent): void {
    this.#seen(event.pid);
    const { phase, id, protocol, detail, outBytes = 0, lostOutBytes = 0 } = event;
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

  /** A library that is mapped and not hooked hides nothing while another one of the process carries its connections. */
  #process(event: ProcessEvent): void {
    const { phase, pid, tls } = event;
    const program = this.#programOf(event);
    if (phase === 'exited') this.#programs.delete(pid);
    program.hasUnseen ||= tls.some(({ reason, mayHaveMissed }) => mayHaveMissed === true || UNSEEN.test(reason));
    if (tls.some(({ hooked }) => hooked)) {
      this.#withdraw(program);
      return;
    }
    if (tls.length === 0 || (program.isSeen && !program.hasUnseen)) return;
    const names = tls.map(({ library }) => library).join(', ');
    this.#add({ what: 'unhooked-process', where: program.where, why: `its TLS library (${names}) was not hooked` });
  }

  #programOf({ phase, pid, comm, exe }: ProcessEvent): Program {
    const known = this.#programs.get(pid);
    if (known?.exe === exe && phase !== 'found' && phase !== 'forked') return known;
    const program = { exe, where: `process ${pid} (${comm})`, isSeen: false, hasUnseen: false };
    if (known !== undefined || this.#programs.size < MAX_CONNECTIONS) this.#programs.set(pid, program);
    return program;
  }

  #seen(pid: number): void {
    const program = this.#programs.get(pid);
    if (program === undefined || program.isSeen) return;
    program.isSeen = true;
    this.#withdraw(program);
  }

  /** What was said before its libraries had been looked into. */
  #withdraw({ where, hasUnseen }: Program): void {
    if (!hasUnseen) this.#spots.delete(`unhooked-process ${where}`);
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
