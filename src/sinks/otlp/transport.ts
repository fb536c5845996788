// Sends OTLP requests: over HTTP (binary or JSON) and over gRPC, which is a POST over HTTP/2 with a length before the message
// (gRPC over HTTP2, "Length-Prefixed-Message"). What the environment says is taken by the names of the OTLP exporter
// specification. Not `fetch`: it refuses ports that browsers refuse.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { encodeMetrics, encodeTraces } from './encode.ts';
import { type Environment, headersOf } from './headers.ts';
import type { MetricsRequest, TraceRequest } from './model.ts';
import { type Refusal, refusalOfError, refusalOfGrpc, refusalOfStatus, timedOut } from './refusal.ts';
import { type OtlpTarget, parseOtlpTarget } from './target.ts';

/** As the specification has it, for one request. */
const TIMEOUT_MS = 10_000;
/** Of an answer that is no success; more is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Each resolves with why it was not taken; undefined when it was. */
export interface OtlpTransport {
  traces(request: TraceRequest): Promise<Refusal | undefined>;
  metrics(request: MetricsRequest): Promise<Refusal | undefined>;
}

/** The answer to a request; rejects with what prevented it. */
function postOnce(url: string, body: Uint8Array, { headers, signal }: Conditions): Promise<Refusal | undefined> {
  return new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? httpsRequest : httpRequest;
    const length = { 'content-length': String(body.length) };
    const request = start(url, { method: 'POST', headers: { ...headers, ...length }, signal }, (response) => {
      void readAnswer(response).then(resolve, reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Refusal | undefined> {
  const { statusCode = 0, headers } = response;
  const parts: Buffer[] = [];
  let lenBytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    lenBytes += part.length;
    if (lenBytes <= MAX_ANSWER_BYTES) parts.push(part);
  }
  if (statusCode >= 200 && statusCode < 300) return undefined;
  return refusalOfStatus(statusCode, headers['content-type'] ?? '', Buffer.concat(parts).toString());
}

function httpTransport({ origin, path }: OtlpTarget, isJson: boolean, attempt: Attempt): OtlpTransport {
  const send = (name: string, request: unknown, encoded: () => Uint8Array): Promise<Refusal | undefined> => {
    const type = isJson ? 'application/json' : 'application/x-protobuf';
    const body = isJson ? Buffer.from(JSON.stringify(request)) : encoded();
    return attempt(({ headers, signal }) =>
      postOnce(`${origin}${path}/v1/${name}`, body, { headers: { ...headers, 'content-type': type }, signal }),
    );
  };
  return {
    traces: (request) => send('traces', request, () => encodeTraces(request)),
    metrics: (request) => send('metrics', request, () => encodeMetrics(request)),
  };
}

/** No compression, then the length, big-endian. */
function prefixed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** One call on a connection of its own; rejects with what prevented an answer. */
function grpcCall(
  origin: string,
  path: string,
  message: Uint8Array,
  { headers, signal }: Conditions,
): Promise<Refusal | undefined> {
  return new Promise((resolve, reject) => {
    const session = connect(origin);
    const fail = (cause: unknown): void => {
      session.destroy();
      reject(cause);
    };
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    session.on('error', fail);
    const fixed = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const stream = session.request({ ...headers, ...fixed });
    let [status, text] = ['missing', ''];
    const note = (fields: Record<string, unknown>): void => {
      if (fields['grpc-status'] !== undefined) status = String(fields['grpc-status']);
      if (fields['grpc-message'] !== undefined) text = String(fields['grpc-message']);
    };
    // A call that fails at once has its status in the head and no trailers.
    stream.on('response', note).on('trailers', note).on('error', fail);
    stream.resume().on('end', () => {
      session.close();
      resolve(status === '0' ? undefined : refusalOfGrpc(status, text));
    });
    stream.end(prefixed(message));
  });
}

function grpcTransport({ origin }: OtlpTarget, attempt: Attempt): OtlpTransport {
  const send = (path: string, message: Uint8Array): Promise<Refusal | undefined> =>
    attempt((conditions) => grpcCall(origin, `/opentelemetry.proto.collector.${path}/Export`, message, conditions));
  return {
    traces: (request) => send('trace.v1.TraceService', encodeTraces(request)),
    metrics: (request) => send('metrics.v1.MetricsService', encodeMetrics(request)),
  };
}

/** Header fields and the end of one request. */
interface Conditions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

type Attempt = (send: (conditions: Conditions) => Promise<Refusal | undefined>) => Promise<Refusal | undefined>;

/** Requests that end in time; whatever prevents an answer is a refusal. */
const attemptWith =
  (headers: Conditions['headers'], stop: AbortSignal | undefined): Attempt =>
  async (send) => {
    const controller = new AbortController();
    const end = (): void => controller.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, TIMEOUT_MS);
    stop?.addEventListener('abort', end);
    try {
      return await send({ headers, signal: controller.signal });
    } catch (cause) {
      return isLate ? timedOut(TIMEOUT_MS / 1000) : refusalOfError(cause);
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', end);
    }
  };

/**
 * `http(s)://host:4318` or `grpc(s)://host:4317`; `stop` ends requests that are under way. Throws E_OTLP_ADDRESS for what is
 * neither.
 */
export function openTransport(address: string, env: Environment, stop?: AbortSignal): OtlpTransport {
  const target = parseOtlpTarget(address);
  const attempt = attemptWith(headersOf(env), stop);
  return target.isGrpc
    ? grpcTransport(target, attempt)
    : httpTransport(target, env['OTEL_EXPORTER_OTLP_PROTOCOL'] === 'http/json', attempt);
}
