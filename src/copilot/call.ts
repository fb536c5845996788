// One exchange on its way to being a call: collects heads and bodies, names it as soon as enough is known, drives the
// decoder of its answer, and says so once: CallStarted, CallDelta…, CallCompleted.
//
// Invariant: CallStarted is emitted before anything else of the call, CallCompleted exactly once, at the end.

import { dialectByName, readJson } from '../dialects/index.ts';
import type {
  BodyReceived,
  CallBodies,
  CallFact,
  CallId,
  ExchangeEnded,
  ExchangeStarted,
  HeaderField,
  HeadReceived,
  LlmRequest,
  LlmSummary,
  MessageReceived,
  RequestHead,
  ResponseHead,
  ServiceFacts,
  Side,
} from '../model/index.ts';
import { Answer } from './answer.ts';
import { BodyText, type Budget } from './body-text.ts';
import { announcedBytes, expectsBody, isLines, keepsRequest, keepsResponse, mediaTypeOf } from './body-use.ts';
import type { CallLimits } from './call-limits.ts';
import { type Classification, classify } from './classify.ts';
import { factsOf } from './facts/table.ts';
import { type KindFound, kindOf } from './kinds.ts';
import { refusalOf } from './refusal.ts';
import type { ClassRule } from './rule.ts';
import { bodySummary, hostText, isSeenWhole, llmSummary } from './summary.ts';
import { type CallView, viewOf } from './view.ts';

/** What all calls of a session share. */
export interface CallHost {
  readonly emit: (fact: CallFact) => void;
  readonly limits: CallLimits;
  readonly budget: Budget;
  readonly rules: readonly ClassRule[];
  readonly keepBodies: boolean;
}

const lackText = ({ lostBytes, lostAtMost }: ExchangeEnded['response']): string =>
  `answer lacks ${lostAtMost ? 'at most ' : ''}${lostBytes} bytes`;

const utf8 = new TextEncoder();

export class Call {
  readonly #host: CallHost;
  readonly id: CallId;
  readonly startNs: bigint;
  readonly served: boolean;
  #joinedLate: boolean;
  #sni: string | undefined;
  requestHead: RequestHead | null = null;
  responseHead: ResponseHead | null = null;
  readonly #trailers: Record<Side, HeaderField[]> = { request: [], response: [] };
  readonly #bodies: Record<Side, BodyText>;
  /** Both bodies in full, when they are asked for. */
  readonly #copies: Record<Side, BodyText> | undefined;
  /** What `#body` was read from, read once: when the request is known to be complete. */
  #body: unknown;
  #request: LlmRequest | undefined;
  /** Request body of a call that facts are kept of, until it ends. */
  #requestText = '';
  /** First message of the answer as JSON, kept until the call is named. */
  #firstReply: unknown;
  #isSocket = false;
  #named: (Classification & { readonly kindFound: KindFound | undefined }) | undefined;
  #answer: Answer | undefined;
  #sawMessages = false;
  readonly #hadHole: Record<Side, boolean> = { request: false, response: false };
  #isStarted = false;
  #requestIsRead = false;
  #firstByteNs: bigint | null = null;
  readonly #notes: string[] = [];

  constructor(host: CallHost, started: ExchangeStarted, sni: string | undefined) {
    this.#host = host;
    this.id = { connection: started.id.connection, exchange: started.id.exchange };
    this.startNs = started.tsNs;
    this.served = started.served;
    this.#joinedLate = started.joinedLate;
    this.#sni = sni;
    const body = (): BodyText => new BodyText(host.limits.maxBodyBytes, host.budget);
    this.#bodies = { request: body(), response: body() };
    this.#copies = host.keepBodies ? { request: body(), response: body() } : undefined;
  }

  get httpVersion(): string {
    return this.requestHead?.httpVersion ?? this.responseHead?.httpVersion ?? '';
  }

  get joinedLate(): boolean {
    return this.#joinedLate;
  }

  get hostText(): string | null {
    return hostText(this.requestHead, this.#sni);
  }

  /** The server name of the connection was learned. */
  identified(sni: string): void {
    this.#sni = sni;
    this.#rename();
  }

  head(event: HeadReceived): void {
    if (event.side === 'request') {
      this.requestHead = event.head;
      this.#rename();
      if (!event.amends && !expectsBody(event.head)) this.#readRequest(event.tsNs);
      return;
    }
    this.responseHead = event.head;
    this.#firstByteNs ??= event.tsNs;
    if (event.head.status !== 101) this.#readRequest(event.tsNs);
  }

  bodyReceived(event: BodyReceived): void {
    const body = this.#bodies[event.side];
    this.#copies?.[event.side].add(event.bytes);
    if (event.side === 'request') {
      if (!this.#requestIsRead && keepsRequest(this.#naming(), this.requestHead)) body.add(event.bytes);
      if (!this.#requestIsRead && body.seenBytes > 0 && body.seenBytes === announcedBytes(this.requestHead)) {
        this.#readRequest(event.tsNs);
      }
      return;
    }
    this.#readRequest(event.tsNs);
    const type = mediaTypeOf(this.responseHead);
    // An event stream comes as messages; an error of that type may be anything.
    if (this.#sawMessages || (type === 'text/event-stream' && (this.responseHead?.status ?? 200) < 400)) return;
    const naming = this.#naming();
    if (naming.dialect !== undefined && isLines(type)) this.#decoder()?.ndjson(event.bytes, event.tsNs);
    else if (keepsResponse(naming, this.requestHead, type)) body.add(event.bytes);
  }

  /** A message of the answer's event stream. */
  message(event: MessageReceived): void {
    if (event.side === 'request') return;
    this.#readRequest(event.tsNs);
    this.#sawMessages = true;
    if (this.#naming().dialect === undefined && this.requestHead?.path == null && this.#firstReply === undefined) {
      this.#firstReply = readJson(event.data.slice(0, this.#host.limits.maxProbeBytes)).value;
      this.#rename();
    }
    this.#decoder()?.message({ event: event.event ?? '', data: event.data }, event.tsNs);
  }

  /** A message of a WebSocket that carries no calls of its own. */
  socketText(side: Side, text: string): void {
    this.#copies?.[side].add(utf8.encode(`${text}\n`));
  }

  hole(side: Side): void {
    this.#hadHole[side] = true;
    this.#bodies[side].hole();
    this.#copies?.[side].hole();
  }

  trailers(side: Side, headers: readonly HeaderField[]): void {
    this.#trailers[side].push(...headers);
  }

  /** The exchange became a WebSocket. */
  socketOpened(): void {
    this.#isSocket = true;
    this.#rename();
  }

  view(body: unknown): CallView {
    return viewOf({ head: this.requestHead, sni: this.#sni, body, reply: this.#firstReply, socket: this.#isSocket });
  }

  ended(event: ExchangeEnded): void {
    this.#readRequest(event.tsNs);
    const llm = this.#llm(event);
    const service = this.#service();
    this.#start(event.tsNs);
    this.#host.emit({
      type: 'CallCompleted',
      ...this.#facts(),
      tsNs: event.tsNs,
      firstByteNs: this.#firstByteNs,
      firstTokenNs: this.#answer?.firstTokenNs ?? null,
      status: this.responseHead?.status ?? null,
      httpVersion: this.httpVersion,
      request: bodySummary(event.request, this.requestHead, this.#trailers.request),
      response: bodySummary(event.response, this.responseHead, this.#trailers.response),
      ...(llm === undefined ? {} : { llm }),
      ...(service === undefined ? {} : { service }),
      end: event.end,
      captured: this.#isWhole(event) ? 'whole' : 'partly',
      notes: this.#notes,
      ...this.#bodyCopies(),
    });
    this.drop();
  }

  /** Gives the memory of the bodies back. */
  drop(): void {
    this.#bodies.request.release();
    this.#bodies.response.release();
    this.#copies?.request.release();
    this.#copies?.response.release();
  }

  #bodyCopies(): { readonly bodies?: CallBodies } {
    if (this.#copies === undefined) return {};
    return { bodies: { request: this.#copies.request.copy(), response: this.#copies.response.copy() } };
  }

  #naming(): Classification & { readonly kindFound: KindFound | undefined } {
    if (this.#named !== undefined) return this.#named;
    const view = this.view(this.#body);
    const named = classify(view, this.#host.rules);
    this.#decodeRequest(named);
    this.#named = { ...named, kindFound: kindOf(view, named, this.#request) };
    return this.#named;
  }

  /** Something was learned: the name is found again. A dialect whose decoder already runs stays. */
  #rename(): void {
    this.#named = undefined;
    this.#request = undefined;
  }

  #decodeRequest(named: Classification): void {
    if (this.#body === undefined || named.dialect === undefined) return;
    this.#request ??= dialectByName(named.dialect)?.request(this.#body, this.requestHead?.path ?? null);
  }

  /** The request is as complete as it will be: read its body, name the call, say that it started. */
  #readRequest(tsNs: bigint): void {
    if (this.#requestIsRead) return;
    this.#requestIsRead = true;
    const body = this.#bodies.request;
    if (body.text !== '') {
      const { value, whole } = readJson(body.text);
      this.#body = value;
      if (!whole && value !== undefined) this.#notes.push('request body is not whole JSON: decoded as far as it goes');
      this.#noteBody('request');
      if (this.#naming().keeps !== undefined) this.#requestText = body.text;
      body.release();
    }
    this.#rename();
    if (!this.#waitsForReply() && !this.#mayHoldCalls()) this.#start(tsNs);
  }

  /** A late join whose path is not known may still be named by its answer. */
  #waitsForReply(): boolean {
    return this.requestHead?.path == null && this.#body === undefined;
  }

  /** A WebSocket of a known wire: its requests will be the calls, unless the upgrade is refused. */
  #mayHoldCalls(): boolean {
    const status = this.responseHead?.status ?? 101;
    return this.view(this.#body).socket && this.#naming().dialect !== undefined && status < 300;
  }

  #start(tsNs: bigint): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const facts = this.#facts();
    const requestHeaders = this.requestHead?.headers ?? [];
    this.#host.emit({ type: 'CallStarted', ...facts, tsNs, requestHeaders, model: this.#request?.model ?? null });
  }

  #facts() {
    const { class: callClass, evidence, confidence, kindFound } = this.#naming();
    const from = !this.requestHead?.authority && this.#sni !== undefined ? '; host from the TLS server name' : '';
    return {
      id: this.id,
      startNs: this.startNs,
      class: callClass,
      ...(kindFound === undefined ? {} : { kind: kindFound.kind }),
      evidence: `${evidence}${from}${kindFound === undefined ? '' : `; ${kindFound.evidence}`}`,
      confidence,
      host: this.hostText,
      method: this.requestHead?.method ?? null,
      path: this.requestHead?.path ?? null,
      joinedLate: this.#joinedLate,
      served: this.served,
    };
  }

  #decoder(): Answer | undefined {
    if (this.#answer !== undefined) return this.#answer;
    const name = this.#naming().dialect;
    const dialect = name === undefined ? undefined : dialectByName(name);
    if (dialect === undefined) return undefined;
    this.#answer = new Answer(dialect, (delta, tsNs) => {
      this.#start(tsNs);
      this.#host.emit({ type: 'CallDelta', tsNs, id: this.id, delta });
    });
    return this.#answer;
  }

  #llm(event: ExchangeEnded): LlmSummary | undefined {
    const text = this.#bodies.response.text;
    if (this.#naming().dialect === undefined && this.requestHead?.path == null && text !== '') this.#probe(text);
    const answer = this.#decoder();
    if (answer === undefined) return undefined;
    if (!this.#sawMessages && text !== '') answer.body(text, event.tsNs);
    this.#noteBody('response');
    const lossy = event.response.lostBytes > 0 || event.end === 'lost' || this.#hadHole.response;
    if (event.response.lostBytes > 0) this.#notes.push(lackText(event.response));
    const reply = answer.end(event.end === 'complete', event.tsNs);
    const status = this.responseHead?.status ?? 0;
    // A refusal needs no end mark of the wire: it is whole when its body came to its end.
    const refused = { error: reply.error ?? refusalOf(status, text), complete: event.end === 'complete' };
    return llmSummary({
      dialect: answer.dialect.name,
      request: this.#request,
      reply: status >= 400 ? { ...reply, ...refused } : reply,
      lossy,
    });
  }

  #service(): ServiceFacts | undefined {
    const { keeps } = this.#naming();
    const request = this.#requestText;
    this.#requestText = '';
    if (keeps === undefined) return undefined;
    return factsOf(keeps, { path: this.requestHead?.path ?? null, request, response: this.#bodies.response.text });
  }

  /** Names a late join by the beginning of an answer that came as plain bytes. */
  #probe(text: string): void {
    const head = text.slice(0, this.#host.limits.maxProbeBytes);
    this.#firstReply = readJson(/^data:[ \t]*(.*)/m.exec(head)?.[1] ?? head).value;
    this.#rename();
  }

  #isWhole(event: ExchangeEnded): boolean {
    const isHoley = this.#hadHole.request || this.#hadHole.response;
    return !isHoley && isSeenWhole(event, this.requestHead, this.responseHead);
  }

  #noteBody(side: Side): void {
    const note = this.#bodies[side].note(`${side} body`);
    if (note !== undefined) this.#notes.push(note);
  }
}
