// Why a collector did not take a request, in words that say what to do; and whether it is worth trying again (OTLP
// specification, "Failures": 429, 502, 503, 504 and the gRPC codes below pass, others do not). What a peer wrote is shown with
// its control characters made visible, and its beginning only.

import { visible } from '../terminal/visible.ts';

export interface Refusal {
  readonly reason: string;
  /** The same request may be taken later. */
  readonly isPassing: boolean;
  readonly cause?: unknown;
}

const MAX_SAID_CHARS = 200;

const said = (text: string): string => {
  const line = text.trim();
  return line === '' ? '' : `: ${visible(line.slice(0, MAX_SAID_CHARS))}`;
};

const NOT_HTTP = 'it does not speak HTTP: for a gRPC port say grpc://…';
const NO_TLS = 'the TLS handshake failed: for a collector without TLS say http:// or grpc://';

/** By the code of Node's error. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'it does not answer',
  HPE_INVALID_CONSTANT: NOT_HTTP,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
  ERR_HTTP2_ERROR: 'it does not speak HTTP/2: for an HTTP port say http://…',
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/;

/** What prevented an answer. All of it may pass: a collector that starts, a network that comes back. */
export function refusalOfError(cause: unknown): Refusal {
  const outer = cause as NodeJS.ErrnoException;
  // A stream of HTTP/2 ends with its session, whose error says why.
  const isInner = outer.code === 'ERR_HTTP2_STREAM_CANCEL' && outer.cause instanceof Error;
  const { code = '', message } = isInner ? (outer.cause as NodeJS.ErrnoException) : outer;
  const certificate = `its certificate is not trusted (${code}): NODE_EXTRA_CA_CERTS names a file with its authority`;
  const reason = REASONS[code] ?? (CERTIFICATE.test(code) ? certificate : visible(message));
  return { reason, isPassing: true, cause };
}

export const timedOut = (seconds: number): Refusal => ({
  reason: `it did not answer within ${seconds} s`,
  isPassing: true,
});

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  401: ', it wants credentials (OTEL_EXPORTER_OTLP_HEADERS)',
  403: ', it does not accept the credentials (OTEL_EXPORTER_OTLP_HEADERS)',
  404: ', it takes no OTLP at this path',
  413: ', the request is too large for it',
};
const PASSING_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** An answer that is no success; `body` as it came, shown when it is text. */
export const refusalOfStatus = (status: number, type: string, body: string): Refusal => ({
  reason: `HTTP ${status}${STATUS_ADVICE[status] ?? ''}${/^(text\/plain|application\/json)/.test(type) ? said(body) : ''}`,
  isPassing: PASSING_STATUS.has(status),
});

/** Names of gRPC's status codes, by number. */
const GRPC = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];
const PASSING_GRPC: ReadonlySet<string> = new Set(['1', '4', '10', '11', '14', '15']);

/** `message` is percent-encoded as gRPC has it. */
export function refusalOfGrpc(status: string, message: string): Refusal {
  const name = GRPC[Number(status)] ?? '';
  const advice = name === 'UNAUTHENTICATED' ? ', it wants credentials (OTEL_EXPORTER_OTLP_HEADERS)' : '';
  return {
    reason: `gRPC status ${visible(status)}${name === '' ? '' : ` ${name}`}${advice}${said(percentDecoded(message))}`,
    isPassing: PASSING_GRPC.has(status),
  };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
