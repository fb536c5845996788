// Copies whole exchanges, bodies and WebSocket messages included, for exports: within a limit per body and one for all that
// is open. What comes out is redacted; an exchange is given out once, after its end and after the calls that it was.

import type {
  BodySizes,
  CallEvent,
  ConnectionIdentified,
  EngineEvent,
  ExchangeCopy,
  ExchangeEnded,
  ExchangeId,
  HeaderField,
  MessageReceived,
  Negotiated,
  RequestHead,
  ResponseHead,
  Side,
} from '../model/index.ts';
import type { Redactor } from '../privacy/index.ts';
import type { AnalysedSession } from './analysis.ts';
import { type Budget, KeptBody, type KeptMessage, redactBody, redactMessages } from './kept-body.ts';

/** 16 MiB: the largest prompts with images are below it. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Of all exchanges that are open at one time. */
const MAX_OPEN_BYTES = 256 * 1024 * 1024;

export interface CollectorHost {
  readonly redactor: Redactor;
  readonly session: AnalysedSession;
  onExchange(copy: ExchangeCopy): void;
}

interface OpenSide<Head> {
  head: Head | null;
  readonly body: KeptBody;
  trailers: readonly HeaderField[];
}

interface OpenExchange {
  readonly id: ExchangeId;
  readonly startNs: bigint;
  readonly request: OpenSide<RequestHead>;
  readonly response: OpenSide<ResponseHead>;
  /** Last byte of the request; the head when it has no body. */
  requestEndNs: bigint | null;
  responseHeadNs: bigint | null;
  messages: KeptMessage[] | null;
  messageBytes: number;
  readonly notes: string[];
  readonly calls: CallEvent[];
}

const keyOf = ({ connection, exchange }: ExchangeId): string => `c${connection}.${exchange}`;
const msBetween = (fromNs: bigint, toNs: bigint): number => Number((toNs - fromNs) / 1000n) / 1000;

export class ExchangeCollector {
  readonly #host: CollectorHost;
  readonly #budget: Budget = { leftBytes: MAX_OPEN_BYTES };
  readonly #open = new Map<string, OpenExchange>();
  readonly #sni = new Map<number, string>();
  readonly #remote = new Map<number, string>();
  readonly #tls = new Map<number, Negotiated>();
  /** Ended; its call comes before the next event of the engine. */
  #ended: { readonly exchange: OpenExchange; readonly event: ExchangeEnded } | null = null;

  constructor(host: CollectorHost) {
    this.#host = host;
  }

  call(call: CallEvent): void {
    const [connection, exchange] = call.id.split('.');
    const key = `${connection}.${exchange}`;
    const ended = this.#ended?.exchange;
    const open = ended !== undefined && keyOf(ended.id) === key ? ended : this.#open.get(key);
    open?.calls.push(call);
  }

  /** Gives out what has ended; nothing follows. */
  finish(): void {
    this.#flush();
  }

  engine(event: EngineEvent): void {
    this.#flush();
    switch (event.type) {
      case 'ConnectionIdentified':
        if (event.sni !== undefined) this.#sni.set(event.connection, event.sni);
        if (event.remote !== undefined) this.#remote.set(event.connection, event.remote);
        this.#negotiated(event);
        return;
      case 'ConnectionClosed':
        this.#sni.delete(event.connection);
        this.#remote.delete(event.connection);
        this.#tls.delete(event.connection);
        return;
      case 'ExchangeStarted':
        this.#open.set(keyOf(event.id), this.#start(event.id, event.tsNs));
        return;
      case 'ExchangeEnded':
        this.#end(event);
        return;
      case 'GapSeen':
        if (event.id !== undefined && event.side !== undefined)
          this.#open.get(keyOf(event.id))?.[event.side].body.hole();
        return;
      case 'HeadReceived':
      case 'BodyReceived':
      case 'MessageReceived':
      case 'TrailersReceived':
        this.#add(event);
        return;
      default:
        return;
    }
  }

  #negotiated({ connection, tlsVersion, tlsCipher, alpn }: ConnectionIdentified): void {
    if (tlsVersion === undefined || tlsCipher === undefined) return;
    this.#tls.set(connection, { version: tlsVersion, cipher: tlsCipher, ...(alpn !== undefined && { alpn }) });
  }

  #start(id: ExchangeId, startNs: bigint): OpenExchange {
    const side = () => ({ head: null, body: new KeptBody(MAX_BODY_BYTES, this.#budget), trailers: [] });
    return {
      id,
      startNs,
      request: side(),
      response: side(),
      requestEndNs: null,
      responseHeadNs: null,
      messages: null,
      messageBytes: 0,
      notes: [],
      calls: [],
    };
  }

  #add(
    event: Extract<EngineEvent, { type: 'HeadReceived' | 'BodyReceived' | 'MessageReceived' | 'TrailersReceived' }>,
  ) {
    const open = this.#open.get(keyOf(event.id));
    if (open === undefined) return;
    if (event.type === 'HeadReceived') this.#head(open, event);
    else if (event.type === 'TrailersReceived') open[event.side].trailers = event.headers;
    else if (event.type === 'BodyReceived') {
      open[event.side].body.add(event.bytes);
      if (event.side === 'request') open.requestEndNs = event.tsNs;
    } else if (event.format !== 'sse') this.#message(open, event);
  }

  #head(open: OpenExchange, event: Extract<EngineEvent, { type: 'HeadReceived' }>): void {
    if (event.side === 'request') {
      open.request.head = event.head;
      open.requestEndNs ??= event.tsNs;
    } else {
      open.response.head = event.head;
      open.responseHeadNs ??= event.tsNs;
    }
  }

  #message(open: OpenExchange, { side, tsNs, format, data, bytes }: MessageReceived): void {
    open.messages ??= [];
    const content = format === 'websocket-text' ? data : (bytes?.slice() ?? new Uint8Array());
    if (open.messageBytes + content.length > Math.min(MAX_BODY_BYTES, this.#budget.leftBytes)) {
      const note = `messages kept to ${open.messages.length}: limit of one exchange`;
      if (!open.notes.includes(note)) open.notes.push(note);
      return;
    }
    open.messageBytes += content.length;
    this.#budget.leftBytes -= content.length;
    open.messages.push({ side, tsNs, content });
  }

  #end(event: ExchangeEnded): void {
    const exchange = this.#open.get(keyOf(event.id));
    if (exchange === undefined) return;
    this.#open.delete(keyOf(event.id));
    this.#ended = { exchange, event };
  }

  #flush(): void {
    if (this.#ended === null) return;
    const { exchange, event } = this.#ended;
    this.#ended = null;
    this.#host.onExchange(this.#copy(exchange, event));
    exchange.request.body.release();
    exchange.response.body.release();
    this.#budget.leftBytes += exchange.messageBytes;
  }

  #copy(open: OpenExchange, event: ExchangeEnded): ExchangeCopy {
    const { redactor, session } = this.#host;
    const notes = [...open.notes];
    const { connection } = open.id;
    const messages = open.messages === null ? null : redactMessages(open.messages, redactor, session, notes);
    return {
      id: keyOf(open.id),
      connection: `c${connection}`,
      ...session.roleOf(connection),
      sni: redactor.value(this.#sni.get(connection) ?? null),
      remote: this.#remote.get(connection) ?? null,
      tls: redactor.value(this.#tls.get(connection) ?? null),
      ...session.stamp(open.startNs),
      timing: timingOf(open, event.tsNs),
      request: this.#side('request', open.request, event.request, notes),
      response: this.#side('response', open.response, event.response, notes),
      messages,
      end: event.end,
      calls: open.calls,
      notes,
    };
  }

  #side<Head extends RequestHead | ResponseHead>(
    side: Side,
    open: OpenSide<Head>,
    sizes: BodySizes,
    notes: string[],
  ): { head: Head | null; sizes: BodySizes; body: ReturnType<typeof redactBody>; trailers: readonly HeaderField[] } {
    const { redactor } = this.#host;
    const body = redactBody(open.body, side, redactor, notes);
    return { head: redactHead(open.head, redactor), sizes, body, trailers: redactor.headers(open.trailers) };
  }
}

/** Fields of a head that are text from the wire are redacted; those that refer to unknown state are left out of copies. */
function redactHead<Head extends RequestHead | ResponseHead>(head: Head | null, redactor: Redactor): Head | null {
  if (head === null) return null;
  const reason = 'reason' in head && head.reason !== undefined ? { reason: redactor.text(head.reason) } : {};
  const copy = { ...head, ...reason, headers: redactor.headers(head.headers), unknown: [] };
  if (!('path' in copy)) return copy;
  const { path, authority } = copy;
  return {
    ...copy,
    path: path === null ? null : redactor.url(path),
    authority: authority === null ? null : redactor.url(authority),
  };
}

function timingOf(open: OpenExchange, endNs: bigint): ExchangeCopy['timing'] {
  const until = (tsNs: bigint | null): number | null => (tsNs === null ? null : msBetween(open.startNs, tsNs));
  return {
    requestEndMs: until(open.requestEndNs),
    responseHeadMs: until(open.responseHeadNs),
    endMs: msBetween(open.startNs, endNs),
  };
}
