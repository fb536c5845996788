// Which protocol a connection speaks, by content and never by port. The rows are asked in order; what none of
// them takes may be known by its first bytes and gets a label, so that the user sees what was left alone.

import { latin1 } from '../bytes/index.ts';
import { beginsWithRequest, http1 } from './http1/index.ts';
import type { Peek, Protocol } from './protocol.ts';

/**
 * Bytes per direction that detection may look at: what the search for a chain of HTTP/2 frames needs at most. A few
 * undecided connections at a time cost little memory.
 */
export const DETECT_LIMIT_BYTES = 128 * 1024;

export type Detection =
  | { readonly kind: 'protocol'; readonly protocol: Protocol }
  /** Recognised as something that is not decoded, or nothing known. */
  | { readonly kind: 'opaque'; readonly detail: string }
  | { readonly kind: 'more' };

/**
 * Whether a direction begins with what only the start of a connection (or of an idle one) can be. `isFresh`: its first byte is
 * known to be the first.
 */
export const beginsConnection = (head: string, isFresh: boolean): boolean =>
  head.startsWith('PRI * HTTP/2.0\r\n') || beginsWithRequest(head, isFresh);

interface OpaqueRow {
  readonly detail: string;
  readonly out: RegExp;
}

/** First bytes of a client. Order: most particular first. */
const OPAQUE: readonly OpaqueRow[] = [
  // PostgreSQL: StartupMessage of protocol 3, length first; the last zero ends its parameters.
  {
    detail: 'postgres',
    out: /^\0\0[\0-\x08][\s\S]\0\x03\0[\0-\x02](?:user|database|application_name|client_encoding)\0/,
  },
  // MQTT 3.1, 3.1.1, 5: CONNECT packet with the protocol name behind the remaining length.
  { detail: 'mqtt', out: /^\x10[\s\S]{1,4}\0(?:\x04MQTT|\x06MQIsdp)/ },
  // Redis: a command is an array of bulk strings.
  { detail: 'redis', out: /^\*\d{1,7}\r\n\$\d{1,9}\r\n/ },
  { detail: 'ssh', out: /^SSH-\d/ },
  // A TLS ClientHello inside TLS (tunnel).
  { detail: 'tls', out: /^\x16\x03[\0-\x04][\s\S]{2}\x01/ },
];

function opaqueLabel({ out, in: received }: Peek): string | undefined {
  const heads = [latin1(out.subarray(0, 64)), latin1(received.subarray(0, 64))];
  return OPAQUE.find((row) => heads.some((head) => row.out.test(head)))?.detail;
}

/**
 * Asks all rows. A connection that was joined in the middle of a body shows nothing for long, so at the limit it is given
 * to HTTP/1, which can wait for a start line at little cost; one seen from its first byte becomes opaque.
 */
export function detect(protocols: readonly Protocol[], peek: Peek): Detection {
  for (const protocol of protocols) if (protocol.peek(peek) === 'yes') return { kind: 'protocol', protocol };
  const detail = opaqueLabel(peek);
  if (detail !== undefined) return { kind: 'opaque', detail };
  if (Math.max(peek.out.length, peek.in.length) < DETECT_LIMIT_BYTES) return { kind: 'more' };
  if (peek.outWhole && peek.inWhole) return { kind: 'opaque', detail: 'unknown' };
  return { kind: 'protocol', protocol: http1 };
}
