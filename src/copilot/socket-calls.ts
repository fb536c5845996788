// Calls inside one WebSocket of the Responses wire: each `response.create` of the client begins a call, the terminal event
// of its answer ends it. Calls are answered in order; a new `response.created` while the present answer has no end means
// that the present one was abandoned.

import { dialectByName, isObject, type JsonObject, objectOf, readJson, textOf } from '../dialects/index.ts';
import type { CallBodies, CallId, ExchangeEnd, LlmRequest, MessageReceived } from '../model/index.ts';
import { Answer } from './answer.ts';
import type { Call, CallHost } from './call.ts';
import { type Classification, classify } from './classify.ts';
import { kindOf } from './kinds.ts';
import { bodySummary, llmSummary, utf8Bytes } from './summary.ts';

const bodiesOf = (copy: { readonly request: string; readonly response: string }, whole: boolean): CallBodies => ({
  request: { text: copy.request, whole: true },
  response: { text: copy.response, whole },
});

const TERMINAL = /^(response\.(completed|failed|incomplete|cancelled)|error)$/;

/** Requests that wait for their answer; clients send one at a time. */
const MAX_OPEN = 64;

interface SocketCall {
  readonly id: CallId;
  readonly startNs: bigint;
  readonly naming: Classification;
  readonly kind: { readonly kind: string; readonly evidence: string } | undefined;
  readonly request: LlmRequest;
  readonly answer: Answer;
  readonly requestBytes: number;
  readonly notes: readonly string[];
  /** Messages of the call as they came, when bodies are to be kept. */
  readonly copy: { readonly request: string; response: string } | undefined;
  responseBytes: number;
  firstByteNs: bigint | null;
  responseId: string;
  hadHole: boolean;
}

export class SocketCalls {
  readonly #host: CallHost;
  readonly #call: Call;
  /** Oldest first; the first one is being answered. */
  readonly #open: SocketCall[] = [];
  #count = 0;

  constructor(host: CallHost, call: Call) {
    this.#host = host;
    this.#call = call;
  }

  /** Calls begun so far. */
  get count(): number {
    return this.#count;
  }

  message(event: MessageReceived): void {
    const text = event.data.slice(0, this.#host.limits.maxBodyBytes);
    if (event.side === 'request') this.#request(event, text);
    else this.#reply(event, text);
  }

  /** Bytes were lost: of the answers that are awaited. A call that begins later is whole again. */
  hole(): void {
    for (const call of this.#open) call.hadHole = true;
  }

  /** The WebSocket ended: so do the calls that are open. */
  ended(tsNs: bigint, end: ExchangeEnd): void {
    for (const call of this.#open.splice(0)) this.#complete(call, tsNs, end === 'complete' ? 'cut' : end);
  }

  #request(event: MessageReceived, text: string): void {
    const { value, whole } = readJson(text);
    if (!isObject(value) || value['type'] !== 'response.create') return;
    if (this.#open.length >= MAX_OPEN) this.#finishFirst(event.tsNs, 'cut');
    this.#count += 1;
    const call = this.#begin(event, value, whole);
    this.#open.push(call);
    this.#host.emit({
      type: 'CallStarted',
      ...this.#facts(call),
      tsNs: event.tsNs,
      requestHeaders: this.#call.requestHead?.headers ?? [],
      model: call.request.model,
    });
  }

  #begin(event: MessageReceived, body: JsonObject, whole: boolean): SocketCall {
    const id: CallId = { ...this.#call.id, message: this.#count };
    const view = this.#call.view(body);
    const dialect = dialectByName('openai-responses');
    if (dialect === undefined) throw new Error('the Responses dialect is not in the table');
    const request = dialect.request(body, this.#call.requestHead?.path ?? null);
    const naming = classify(view, this.#host.rules);
    return {
      id,
      startNs: event.tsNs,
      naming,
      kind: kindOf(view, naming, request),
      request,
      answer: new Answer(dialect, (delta, tsNs) => this.#host.emit({ type: 'CallDelta', tsNs, id, delta })),
      requestBytes: utf8Bytes(event.data),
      notes: whole ? [] : ['request message is not whole JSON: decoded as far as it goes'],
      copy: this.#host.keepBodies ? { request: event.data, response: '' } : undefined,
      responseBytes: 0,
      firstByteNs: null,
      responseId: '',
      hadHole: false,
    };
  }

  #reply(event: MessageReceived, text: string): void {
    const json = objectOf(readJson(text).value);
    const type = textOf(json['type']);
    if (type === 'response.created') this.#abandonIfOther(textOf(objectOf(json['response'])['id']), event.tsNs);
    const call = this.#open[0];
    if (call === undefined) return;
    call.firstByteNs ??= event.tsNs;
    call.responseBytes += utf8Bytes(event.data);
    if (call.copy !== undefined && call.copy.response.length < this.#host.limits.maxBodyBytes)
      call.copy.response += `${event.data}\n`;
    call.answer.message({ event: type, data: text }, event.tsNs);
    if (TERMINAL.test(type)) this.#finishFirst(event.tsNs, 'complete');
  }

  #abandonIfOther(responseId: string, tsNs: bigint): void {
    const first = this.#open[0];
    if (first === undefined) return;
    if (first.responseId !== '' && first.responseId !== responseId && this.#open.length > 1)
      this.#finishFirst(tsNs, 'cut');
    const now = this.#open[0];
    if (now !== undefined) now.responseId = responseId;
  }

  #finishFirst(tsNs: bigint, end: ExchangeEnd): void {
    const call = this.#open.shift();
    if (call !== undefined) this.#complete(call, tsNs, end);
  }

  #complete(call: SocketCall, tsNs: bigint, end: ExchangeEnd): void {
    const { requestHead, responseHead } = this.#call;
    const reply = call.answer.end(end === 'complete', tsNs);
    const sizes = (bytes: number) => ({ bytes, decodedBytes: bytes, lostBytes: 0, coding: '' });
    this.#host.emit({
      type: 'CallCompleted',
      ...this.#facts(call),
      tsNs,
      firstByteNs: call.firstByteNs,
      firstTokenNs: call.answer.firstTokenNs,
      status: responseHead?.status ?? null,
      httpVersion: this.#call.httpVersion,
      request: bodySummary(sizes(call.requestBytes), requestHead, []),
      response: bodySummary(sizes(call.responseBytes), responseHead, []),
      llm: llmSummary({ dialect: 'openai-responses', request: call.request, reply, lossy: call.hadHole }),
      end,
      captured: call.hadHole || requestHead === null || requestHead.unknown.length > 0 ? 'partly' : 'whole',
      notes: call.notes,
      ...(call.copy === undefined ? {} : { bodies: bodiesOf(call.copy, !call.hadHole) }),
    });
  }

  #facts(call: SocketCall) {
    return {
      id: call.id,
      startNs: call.startNs,
      class: call.naming.class,
      ...(call.kind === undefined ? {} : { kind: call.kind.kind }),
      evidence: `${call.naming.evidence}${call.kind === undefined ? '' : `; ${call.kind.evidence}`}`,
      confidence: call.naming.confidence,
      host: this.#call.hostText,
      method: this.#call.requestHead?.method ?? null,
      path: this.#call.requestHead?.path ?? null,
      joinedLate: this.#call.joinedLate,
      served: this.#call.served,
    };
  }
}
