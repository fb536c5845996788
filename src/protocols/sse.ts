// Server-sent events (WHATWG HTML §9.2.6) out of body bytes, cut anywhere. It knows neither HTTP nor content codings.
//
// Why not the library eventsource-parser (3.1): it takes text, so every piece would be decoded before lines are known;
// over its buffer limit it stops for good, where a tracer must skip the one line and go on; and it forgets an id that
// comes in a block without data, which the standard keeps. The test compares with it wherever both agree.
//
// Invariant between calls: only the current line (cut) and the data of the current event are kept, both bounded.

import { ByteBuffer, lenientUtf8 } from '../bytes/index.ts';

/** Longest line. A final event of the Responses API carries the whole answer with all tool schemas: megabytes. */
export const SSE_LINE_LIMIT_BYTES = 16 * 1024 * 1024;
/** All data lines of one event. */
export const SSE_EVENT_LIMIT_CHARS = 16 * 1024 * 1024;

/** Data lines that are joined at once: of an event of millions of short lines, each would cost far more than its text. */
const JOINED_LINES = 1024;

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];

export interface SseEvent {
  /** Event name, empty when none was given. */
  readonly event: string;
  readonly data: string;
  readonly lastEventId: string;
  /** Reconnection time asked for in this block. */
  readonly retryMs?: number;
}

export interface SseHost {
  event(event: SseEvent): void;
  problem(code: string, detail: string): void;
}

export class SseParser {
  readonly #host: SseHost;
  readonly #line = new ByteBuffer(SSE_LINE_LIMIT_BYTES);
  /** Bytes seen of a byte order mark, 3 once it has been seen or ruled out. */
  #bomAt = 0;
  /** The last byte was a CR that ended a line: an LF right behind it belongs to it. */
  #isAfterCr = false;
  /** The current line is too long, or began in a hole: it is passed over. */
  #isSkippingLine = false;
  /** The current event is damaged (a hole, a line too long): it is not given out. */
  #isDamaged = false;
  #event = '';
  #lastEventId = '';
  #retryMs: number | undefined;
  /** The last data lines, at most JOINED_LINES of them, and those before, joined. */
  #data: string[] = [];
  #joined: string[] = [];
  #dataChars = 0;

  constructor(host: SseHost) {
    this.#host = host;
  }

  push(bytes: Uint8Array): void {
    let at = this.#skipBom(bytes);
    // Sought again only when passed: lines that end in CR alone would otherwise search the whole input each.
    let lf = nextLf(bytes, at);
    while (at < bytes.length) {
      if (this.#isAfterCr && bytes[at] === LF) at++;
      this.#isAfterCr = false;
      if (at > lf) lf = nextLf(bytes, at);
      const cr = bytes.subarray(at, lf).indexOf(CR);
      const end = cr < 0 ? lf : at + cr;
      const part = bytes.subarray(at, end);
      const isWhole = end < bytes.length;
      // The usual case, a line within one input, is read where it lies.
      if (isWhole && !this.#isSkippingLine && this.#line.length === 0 && part.length <= this.#line.room)
        this.#read(part);
      else {
        this.#take(part);
        if (isWhole) this.#endHeldLine();
      }
      this.#isAfterCr = isWhole && bytes[end] === CR;
      at = end + 1;
    }
  }

  /** Bytes are missing here: the event they hit is dropped, and so is the rest of the line behind the hole. */
  gap(): void {
    this.#bomAt = BOM.length;
    this.#isAfterCr = false;
    this.#isDamaged = true;
    this.#isSkippingLine = true;
    this.#line.clear();
  }

  /** Whether the body ends inside an event, which is dropped as the standard asks. */
  get isInEvent(): boolean {
    return this.#line.length > 0 || this.#hasData;
  }

  get #hasData(): boolean {
    return this.#data.length + this.#joined.length > 0;
  }

  /** One byte order mark at the start is ignored. */
  #skipBom(bytes: Uint8Array): number {
    let at = 0;
    while (this.#bomAt < BOM.length && at < bytes.length) {
      if (bytes[at] !== BOM[this.#bomAt]) {
        this.#take(Uint8Array.from(BOM.slice(0, this.#bomAt)));
        this.#bomAt = BOM.length;
        break;
      }
      at++;
      this.#bomAt++;
    }
    return at;
  }

  #take(part: Uint8Array): void {
    if (this.#isSkippingLine || this.#line.append(part)) return;
    this.#host.problem('sse.line-too-long', `a line of more than ${SSE_LINE_LIMIT_BYTES} bytes`);
    this.#line.clear();
    this.#isSkippingLine = true;
    this.#isDamaged = true;
  }

  #endHeldLine(): void {
    if (!this.#isSkippingLine) this.#read(this.#line.view());
    this.#isSkippingLine = false;
    this.#line.clear();
  }

  #read(line: Uint8Array): void {
    if (line.length === 0) this.#dispatch();
    else this.#field(line);
  }

  #field(line: Uint8Array): void {
    const text = lenientUtf8(line);
    const colon = text.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#addData(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#lastEventId = value;
    else if (name === 'retry' && /^\d{1,15}$/.test(value)) this.#retryMs = Number(value);
  }

  #addData(value: string): void {
    this.#dataChars += value.length + 1;
    if (this.#dataChars <= SSE_EVENT_LIMIT_CHARS) {
      this.#data.push(value);
      if (this.#data.length === JOINED_LINES) this.#join();
    } else {
      if (!this.#isDamaged) this.#host.problem('sse.event-too-large', `more than ${SSE_EVENT_LIMIT_CHARS} characters`);
      this.#isDamaged = true;
      this.#data = [];
      this.#joined = [];
    }
  }

  #join(): void {
    this.#joined.push(this.#data.join('\n'));
    this.#data = [];
  }

  /** An event without data is not dispatched; its id stays (WHATWG HTML §9.2.6). */
  #dispatch(): void {
    if (this.#hasData && !this.#isDamaged) {
      if (this.#joined.length > 0 && this.#data.length > 0) this.#join();
      const data = (this.#joined.length > 0 ? this.#joined : this.#data).join('\n');
      const retry = this.#retryMs === undefined ? {} : { retryMs: this.#retryMs };
      this.#host.event({ event: this.#event, data, lastEventId: this.#lastEventId, ...retry });
    }
    this.#event = '';
    this.#retryMs = undefined;
    this.#data = [];
    if (this.#joined.length > 0) this.#joined = [];
    this.#dataChars = 0;
    this.#isDamaged = false;
  }
}

/** Where the next LF is, or the end of the input. */
function nextLf(bytes: Uint8Array, at: number): number {
  const lf = bytes.indexOf(LF, at);
  return lf < 0 ? bytes.length : lf;
}
