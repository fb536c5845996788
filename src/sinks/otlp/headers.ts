// Header fields of requests to a collector, from the environment: they hold credentials and belong on no command line.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { TracerError } from '../../errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = 'OTEL_EXPORTER_OTLP_HEADERS';

/** Fields that belong to the connection or to the body. */
const OURS =
  /^(connection|content-(length|type)|host|http2-settings|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/;

/** `a=b,c=d`, values percent-encoded (W3C Baggage, as the specification says). Throws E_OTLP_ADDRESS; no value is repeated. */
export function headersOf(env: Environment): Record<string, string> {
  const pairs = (env[VARIABLE] ?? '').split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(pairs.map(headerOf));
}

function headerOf(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim().toLowerCase();
  try {
    const value = decodeURIComponent(pair.slice(at + 1).trim());
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (!OURS.test(name)) return [name, value];
  } catch (cause) {
    throw new TracerError('E_OTLP_ADDRESS', { what: `${VARIABLE} has a field that HTTP cannot carry` }, { cause });
  }
  throw new TracerError('E_OTLP_ADDRESS', { what: `${VARIABLE} cannot set ${name}` });
}
