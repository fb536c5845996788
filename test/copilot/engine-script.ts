// Makes the engine's events for one exchange, in the order in which the engine gives them, and collects the calls.

import { type CallLimits, type CallTrackerOptions, createCallTracker } from '../../src/copilot/index.ts';
import type {
  CallCompleted,
  CallFact,
  EngineEvent,
  ExchangeEnd,
  HeaderField,
  RequestHead,
  ResponseHead,
} from '../../src/model/index.ts';

export interface Scripted {
  readonly method?: string | null;
  readonly host?: string | null;
  readonly path?: string | null;
  readonly headers?: readonly HeaderField[];
  readonly body?: unknown;
  readonly status?: number;
  readonly responseHeaders?: readonly HeaderField[];
  /** Data of SSE events; `[event, data]` names the event. */
  readonly sse?: readonly (string | object | readonly [string, string | object])[];
  readonly json?: unknown;
  readonly responseBytes?: readonly Uint8Array[];
  readonly end?: ExchangeEnd;
  readonly sni?: string;
  readonly joinedLate?: boolean;
  readonly noRequestHead?: boolean;
  readonly lostResponseBytes?: number;
}

const utf8 = new TextEncoder();
export const bytesOf = (value: unknown): Uint8Array =>
  utf8.encode(typeof value === 'string' ? value : JSON.stringify(value));

export const requestHead = (script: Scripted): RequestHead => ({
  httpVersion: '2',
  method: script.method === undefined ? 'POST' : script.method,
  scheme: 'https',
  authority: script.host === undefined ? 'api.githubcopilot.com' : script.host,
  path: script.path === undefined ? '/chat/completions' : script.path,
  headers: script.headers ?? [],
  unknown: [],
});

export const responseHead = (script: Scripted): ResponseHead => ({
  httpVersion: '2',
  status: script.status ?? 200,
  headers:
    script.responseHeaders ??
    (script.sse ? [['content-type', 'text/event-stream']] : [['content-type', 'application/json']]),
  unknown: [],
});

/** Events of one exchange on connection 1; each event is one millisecond after the one before. */
export function exchangeEvents(script: Scripted, exchange = 1): EngineEvent[] {
  const id = { connection: 1, exchange };
  let tsNs = 1_000_000n * BigInt(exchange * 1000);
  const next = (): bigint => {
    tsNs += 1_000_000n;
    return tsNs;
  };
  const events: EngineEvent[] = [];
  if (script.sni !== undefined) events.push({ type: 'ConnectionIdentified', tsNs, connection: 1, sni: script.sni });
  events.push({ type: 'ExchangeStarted', tsNs, id, served: false, joinedLate: script.joinedLate ?? false });
  if (!script.noRequestHead) {
    events.push({ type: 'HeadReceived', tsNs, id, amends: false, side: 'request', head: requestHead(script) });
  }
  const body = script.body === undefined ? undefined : bytesOf(script.body);
  if (body) events.push({ type: 'BodyReceived', tsNs: next(), id, side: 'request', bytes: body });
  events.push({ type: 'HeadReceived', tsNs: next(), id, amends: false, side: 'response', head: responseHead(script) });
  let received = 0;
  for (const entry of script.sse ?? []) {
    const [event, data] = Array.isArray(entry) ? entry : ['', entry];
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    received += text.length;
    events.push({ type: 'MessageReceived', tsNs: next(), id, side: 'response', format: 'sse', event, data: text });
  }
  for (const bytes of [...(script.json === undefined ? [] : [bytesOf(script.json)]), ...(script.responseBytes ?? [])]) {
    received += bytes.length;
    events.push({ type: 'BodyReceived', tsNs: next(), id, side: 'response', bytes });
  }
  const sizes = (bytes: number, lostBytes = 0) => ({ bytes, decodedBytes: bytes, lostBytes, coding: '' });
  events.push({
    type: 'ExchangeEnded',
    tsNs: next(),
    id,
    end: script.end ?? 'complete',
    request: sizes(body?.length ?? 0),
    response: sizes(received, script.lostResponseBytes),
  });
  return events;
}

type Options = Omit<CallTrackerOptions, 'emit' | 'limits'>;

export function track(events: readonly EngineEvent[], limits?: Partial<CallLimits>, options?: Options): CallFact[] {
  const facts: CallFact[] = [];
  const tracker = createCallTracker({ emit: (fact) => facts.push(fact), ...(limits && { limits }), ...options });
  for (const event of events) tracker.accept(event);
  return facts;
}

export const completedOf = (facts: readonly CallFact[]): CallCompleted[] =>
  facts.filter((fact) => fact.type === 'CallCompleted');

/** The one call that an exchange becomes. */
export function callOf(script: Scripted, limits?: Partial<CallLimits>, options?: Options): CallCompleted {
  const calls = completedOf(track(exchangeEvents(script), limits, options));
  if (calls.length !== 1 || calls[0] === undefined) throw new Error(`expected one call, got ${calls.length}`);
  return calls[0];
}

/** A WebSocket message of connection 1, exchange 1. */
export const socketMessage = (side: 'request' | 'response', data: unknown, tsNs: bigint): EngineEvent => ({
  type: 'MessageReceived',
  tsNs,
  id: { connection: 1, exchange: 1 },
  side,
  format: 'websocket-text',
  data: typeof data === 'string' ? data : JSON.stringify(data),
});
