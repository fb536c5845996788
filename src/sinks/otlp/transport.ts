// Sends OTLP requests: over HTTP (binary or JSON) and over gRPC, which is a POST over HTTP/2 with a length before the message
// (gRPC over HTTP2, "Length-Prefixed-Message"). What the environment says is taken by the names of the OTLP exporter
// specification: headers hold credentials and belong on no command line.

import { connect } from 'node:http2';
import { TracerError } from '../../errors.ts';
import { encodeMetrics, encodeTraces } from './encode.ts';
import type { MetricsRequest, TraceRequest } from './model.ts';

const TIMEOUT_MS = 10_000;

export interface OtlpTransport {
  traces(request: TraceRequest): Promise<void>;
  metrics(request: MetricsRequest): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `a=b,c=d`, values percent-encoded (W3C Baggage, as the specification says). */
export function headersOf(env: Environment): Record<string, string> {
  const pairs = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}

const refused = (target: string, reason: string, cause?: unknown): TracerError =>
  new TracerError('E_EXPORT_REFUSED', { target, reason }, { cause });

async function post(url: string, type: string, body: Uint8Array, headers: Record<string, string>): Promise<void> {
  const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body: Buffer.from(body) };
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  } catch (cause) {
    const inner = (cause as Error).cause as NodeJS.ErrnoException | undefined;
    throw refused(url, inner?.code ?? (cause as Error).message, cause);
  }
  await response.arrayBuffer();
  if (!response.ok) throw refused(url, `HTTP ${response.status}`);
}

function httpTransport(base: string, isJson: boolean, headers: Record<string, string>): OtlpTransport {
  const root = base.replace(/\/+$/, '');
  const send = (path: string, request: unknown, encoded: () => Uint8Array): Promise<void> =>
    isJson
      ? post(`${root}${path}`, 'application/json', Buffer.from(JSON.stringify(request)), headers)
      : post(`${root}${path}`, 'application/x-protobuf', encoded(), headers);
  return {
    traces: (request) => send('/v1/traces', request, () => encodeTraces(request)),
    metrics: (request) => send('/v1/metrics', request, () => encodeMetrics(request)),
  };
}

/** No compression, then the length, big-endian. */
function prefixed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** One call on a connection of its own; resolves with the status that the server gives. */
function grpcCall(origin: string, path: string, message: Uint8Array, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connect(origin);
    const fail = (error: Error): void => {
      session.destroy();
      reject(error);
    };
    session.on('error', fail);
    session.setTimeout(TIMEOUT_MS, () => fail(new Error('timeout')));
    const fixed = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const stream = session.request({ ...headers, ...fixed });
    let status = 'no status';
    const note = (fields: Record<string, unknown>): void => {
      if (fields['grpc-status'] !== undefined) status = String(fields['grpc-status']);
    };
    // A call that fails at once has its status in the head and no trailers.
    stream.on('response', note).on('trailers', note).on('error', fail);
    stream.resume().on('end', () => {
      session.close();
      resolve(status);
    });
    stream.end(prefixed(message));
  });
}

function grpcTransport(url: URL, headers: Record<string, string>): OtlpTransport {
  const origin = `${url.protocol === 'grpcs:' ? 'https' : 'http'}://${url.host}`;
  const service = '/opentelemetry.proto.collector';
  const send = async (path: string, message: Uint8Array): Promise<void> => {
    let status: string;
    try {
      status = await grpcCall(origin, `${service}.${path}/Export`, message, headers);
    } catch (cause) {
      throw refused(url.href, (cause as NodeJS.ErrnoException).code ?? (cause as Error).message, cause);
    }
    if (status !== '0') throw refused(url.href, `gRPC status ${status}`);
  };
  return {
    traces: (request) => send('trace.v1.TraceService', encodeTraces(request)),
    metrics: (request) => send('metrics.v1.MetricsService', encodeMetrics(request)),
  };
}

/** `http(s)://host:4318` or `grpc(s)://host:4317`. Throws E_EXPORT_REFUSED for what is neither. */
export function openTransport(target: string, env: Environment): OtlpTransport {
  const url = URL.canParse(target) ? new URL(target) : null;
  const headers = headersOf(env);
  if (url?.protocol === 'grpc:' || url?.protocol === 'grpcs:') return grpcTransport(url, headers);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw refused(target, 'not an address such as http://localhost:4318 or grpc://localhost:4317');
  return httpTransport(target, env['OTEL_EXPORTER_OTLP_PROTOCOL'] === 'http/json', headers);
}
