// The address of a collector: what may stand in it, and what must not.

import { TracerError } from '../../errors.ts';

export interface OtlpTarget {
  readonly isGrpc: boolean;
  /** Scheme, host and port as Node's clients take them. */
  readonly origin: string;
  /** Path before `/v1/traces`, without a slash at its end. */
  readonly path: string;
  /** As given, for messages. */
  readonly shown: string;
}

const SCHEMES: Readonly<Record<string, readonly [isGrpc: boolean, scheme: string]>> = {
  'http:': [false, 'http'],
  'https:': [false, 'https'],
  'grpc:': [true, 'http'],
  'grpcs:': [true, 'https'],
};

/** Throws E_OTLP_ADDRESS. Every user of a machine can read a command line: a password in it is refused, and not repeated. */
export function parseOtlpTarget(text: string): OtlpTarget {
  const refuse = (what: string): TracerError => new TracerError('E_OTLP_ADDRESS', { what });
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url === null ? undefined : SCHEMES[url.protocol];
  if (url === null || scheme === undefined || url.hostname === '')
    throw refuse('it is not an address such as http://localhost:4318 or grpc://localhost:4317');
  if (url.username !== '' || url.password !== '')
    throw refuse('a user or password in it is shown to everybody: OTEL_EXPORTER_OTLP_HEADERS takes credentials');
  if (url.search !== '' || url.hash !== '') throw refuse('nothing may follow its path');
  const [isGrpc, name] = scheme;
  return { isGrpc, origin: `${name}://${url.host}`, path: url.pathname.replace(/\/+$/, ''), shown: text };
}
