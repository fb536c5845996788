// What the engine says about the wire: connections, exchanges, bodies, holes. Names are past-tense facts. The `copilot`
// room turns these into calls; nothing here knows an LLM.
//
// Order per exchange: ExchangeStarted, HeadReceived(request), BodyReceived/MessageReceived…, HeadReceived(response),
// BodyReceived/MessageReceived…, ExchangeEnded. Request and response parts may interleave. An amended head (a field
// learned later) is another HeadReceived with `amends: true`.

import type { HeaderField, RequestHead, ResponseHead } from './http.ts';
import type { ConnectionKey, Dir, FactsEvidence, PeerEvidence } from './record.ts';

/** `request` or `response`: decided by the protocol, not by the direction of the bytes. */
export type Side = 'request' | 'response';

/** Number of a connection in the order in which the session met them, from 1. */
export type ConnectionId = number;

/** Number of an exchange within its connection, from 1. */
export interface ExchangeId {
  readonly connection: ConnectionId;
  readonly exchange: number;
}

/** Protocol that a connection was found to speak. `opaque` is a protocol that is recognised or given up on, not decoded. */
export type ConnectionProtocol = 'http/1' | 'http/2' | 'websocket' | 'opaque';

export interface ConnectionOpened {
  readonly type: 'ConnectionOpened';
  readonly tsNs: bigint;
  readonly connection: ConnectionId;
  readonly key: ConnectionKey;
}

/** The protocol was decided, or the server name was learned. */
export interface ConnectionIdentified {
  readonly type: 'ConnectionIdentified';
  readonly tsNs: bigint;
  readonly connection: ConnectionId;
  readonly protocol?: ConnectionProtocol;
  /** Finer name: of an opaque protocol `redis`, `postgres`, `mqtt`, `unknown`; `grpc` of HTTP/2 that carries it. */
  readonly detail?: string;
  readonly sni?: string;
  /** Addresses of the connection's socket, and how it was found (see `PeerRecord`). */
  readonly local?: string;
  readonly remote?: string;
  readonly peerEvidence?: PeerEvidence;
  /** What the handshake negotiated: `1.3`; `TLS_AES_128_GCM_SHA256` as IANA names it; the application protocol as sent. */
  readonly tlsVersion?: string;
  readonly tlsCipher?: string;
  readonly alpn?: string;
  /** Where that is from (see `FactsRecord`). */
  readonly tlsEvidence?: FactsEvidence;
  /** True when the first bytes seen were not the first bytes of the connection. */
  readonly joinedLate?: boolean;
}

export interface ConnectionClosed {
  readonly type: 'ConnectionClosed';
  readonly tsNs: bigint;
  readonly connection: ConnectionId;
  /** Plaintext bytes in each direction, lost ones included, and how many of them were lost. */
  readonly outBytes: number;
  readonly inBytes: number;
  readonly lostOutBytes: number;
  readonly lostInBytes: number;
  readonly why: EndReason;
}

export interface ExchangeStarted {
  readonly type: 'ExchangeStarted';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  /** True when the traced process is the server of this exchange (its request came in). */
  readonly served: boolean;
  readonly joinedLate: boolean;
}

export type HeadReceived = {
  readonly type: 'HeadReceived';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  readonly amends: boolean;
} & (
  | { readonly side: 'request'; readonly head: RequestHead }
  | { readonly side: 'response'; readonly head: ResponseHead }
);

/** Informational response (1xx other than 101); the final response follows. */
export interface InformationalReceived {
  readonly type: 'InformationalReceived';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  readonly head: ResponseHead;
}

/** A piece of body after content decoding. `bytes` is a view: copy to keep. */
export interface BodyReceived {
  readonly type: 'BodyReceived';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  readonly side: Side;
  readonly bytes: Uint8Array;
}

/** A whole message inside a body: one SSE event, or one WebSocket message. */
export interface MessageReceived {
  readonly type: 'MessageReceived';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  readonly side: Side;
  readonly format: 'sse' | 'websocket-text' | 'websocket-binary';
  /** SSE: event name, empty when none was given. */
  readonly event?: string;
  /** SSE: last event id. */
  readonly lastEventId?: string;
  /** SSE: reconnection time asked for in this event. */
  readonly retryMs?: number;
  /** SSE data or WebSocket text. Empty for binary messages. */
  readonly data: string;
  /** WebSocket binary payload. A view: copy to keep. */
  readonly bytes?: Uint8Array;
}

export interface TrailersReceived {
  readonly type: 'TrailersReceived';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  readonly side: Side;
  readonly headers: readonly HeaderField[];
}

/** Plaintext that the capture lost. `id` is set when the hole is known to hit one exchange's body. */
export interface GapSeen {
  readonly type: 'GapSeen';
  readonly tsNs: bigint;
  readonly connection: ConnectionId;
  readonly dir: Dir;
  readonly lostBytes: number;
  readonly id?: ExchangeId;
  readonly side?: Side;
  /** With `lostBytes` 0: a hole that was reported before may have held up to so many bytes of this exchange's body. */
  readonly atMostBytes?: number;
}

/** The peer broke a rule of the protocol (or our view of it is damaged). The parser went on. */
export interface WireErrorSeen {
  readonly type: 'WireErrorSeen';
  readonly tsNs: bigint;
  readonly connection: ConnectionId;
  readonly id?: ExchangeId;
  readonly dir: Dir;
  /** Stable name, e.g. `h2.frame-size`, `h1.both-lengths`, `body.bomb`. */
  readonly code: string;
  readonly detail: string;
  /** Section of the specification that was broken, e.g. `RFC 9113 §4.2`. */
  readonly spec?: string;
}

/** Size of a body on the wire (after transfer or frame decoding) and after content decoding. */
export interface BodySizes {
  /** Body bytes after transfer or frame decoding, before content decoding; bytes known to be lost are counted. */
  readonly bytes: number;
  /** Bytes after content decoding. */
  readonly decodedBytes: number;
  /** Bytes of `bytes` that the capture lost. */
  readonly lostBytes: number;
  /** `bytes` and `lostBytes` are upper bounds: a hole may have held up to that much of this body, or other things. */
  readonly lostAtMost?: true;
  /** Content coding as named in the head (`gzip`, `br`, …), empty for identity. */
  readonly coding: string;
  /** Of a body that is no text (multipart, images, protobuf, …): what stands for it. */
  readonly binary?: BinaryBody;
}

export interface BinaryBody {
  /** Media type without parameters, lower-case. */
  readonly mediaType: string;
  /** Of the decoded body, in hex; null when it was not seen whole, or nobody hashes. */
  readonly sha256: string | null;
}

/**
 * How an exchange ended: `complete`; `reset` (by `resetBy`); `cut` (the connection ended first);
 * `open` (capture ended first); `lost` (a hole in the capture made the rest unreadable).
 */
export type ExchangeEnd = 'complete' | 'reset' | 'cut' | 'open' | 'lost';

export interface ExchangeEnded {
  readonly type: 'ExchangeEnded';
  readonly tsNs: bigint;
  readonly id: ExchangeId;
  readonly end: ExchangeEnd;
  /** Who reset the stream, for `reset`. */
  readonly resetBy?: Dir;
  /** HTTP/2 error code of the reset, RFC 9113 §7. */
  readonly errorCode?: number;
  /** Code of the first WebSocket Close frame, RFC 6455 §7.4; 1005 when it had none. */
  readonly closeCode?: number;
  readonly request: BodySizes;
  readonly response: BodySizes;
}

/** Why a connection or a direction ended: freed by the library, the process is gone, capture stopped. */
export type EndReason = 'closed' | 'exit' | 'capture-end';

export type EngineEvent =
  | ConnectionOpened
  | ConnectionIdentified
  | ConnectionClosed
  | ExchangeStarted
  | HeadReceived
  | InformationalReceived
  | BodyReceived
  | MessageReceived
  | TrailersReceived
  | GapSeen
  | WireErrorSeen
  | ExchangeEnded;
