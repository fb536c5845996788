// One exchange with its bodies, as exports take it: plain values, redacted unless the user asked to reveal. Bodies are kept
// up to a limit; what is missing is said in `notes`.

import type { CallEvent } from './events.ts';
import type { BodySizes, ExchangeEnd } from './exchange.ts';
import type { HeaderField, RequestHead, ResponseHead } from './http.ts';
import type { Negotiated } from './negotiated.ts';

/** A body after content decoding. */
export interface BodyContent {
  /** Text as it is; bytes that are no UTF-8 in base64 (RFC 4648 §4). */
  readonly text: string;
  readonly encoding: 'utf-8' | 'base64';
}

export interface SideCopy<Head> {
  /** Null when it was never read. */
  readonly head: Head | null;
  readonly sizes: BodySizes;
  /** Null when there was none, or it was left out (see `notes`). */
  readonly body: BodyContent | null;
  readonly trailers: readonly HeaderField[];
}

/** One message of a WebSocket. */
export interface SocketMessage {
  readonly side: 'request' | 'response';
  /** Seconds since 1970, UTC. */
  readonly time: number;
  /** RFC 6455 §5.2: 1 text, 2 binary (then `data` is base64). */
  readonly opcode: 1 | 2;
  readonly data: string;
}

export interface ExchangeCopy {
  /** `c3.5`. */
  readonly id: string;
  readonly connection: string;
  readonly pid: number;
  readonly role: string;
  /** Server name of the TLS handshake. */
  readonly sni: string | null;
  /** Address of the server's socket, as `ConnectionEvent` has it; null when it could not be found. */
  readonly remote: string | null;
  /** What the handshake negotiated; null when the library did not tell. */
  readonly tls: Negotiated | null;
  /** When the request began: UTC, and monotonic nanoseconds. */
  readonly time: string;
  readonly tsNs: string;
  /** Milliseconds from the start; null when it did not come to that. */
  readonly timing: {
    readonly requestEndMs: number | null;
    readonly responseHeadMs: number | null;
    readonly endMs: number;
  };
  readonly request: SideCopy<RequestHead>;
  readonly response: SideCopy<ResponseHead>;
  /** Null for an exchange that is no WebSocket. */
  readonly messages: readonly SocketMessage[] | null;
  readonly end: ExchangeEnd;
  /** What it was recognised as: one call, or those of a WebSocket. */
  readonly calls: readonly CallEvent[];
  /** What is not in here and why. */
  readonly notes: readonly string[];
}
