// What a protocol parser is. A parser is passive: it sees both directions of a connection, possibly from the middle,
// possibly with holes, and reports values. It never throws on wire data, never reads a clock, never guesses across a hole.
//
// Stacking (upgrade, content coding, body format) is the engine's work: no parser holds another parser.

import type {
  ConnectionProtocol,
  Dir,
  EndReason,
  HeaderField,
  RequestHead,
  ResponseHead,
  Side,
  UnknownField,
} from '../model/index.ts';

/**
 * What a parser reports. `stream` numbers the exchange within the parser: the HTTP/2 stream id, or 1, 2, 3… in the order
 * of the requests for HTTP/1. Byte arrays are views into the input: valid until `data` returns.
 */
export type ProtoEvent =
  | {
      readonly type: 'request-head';
      readonly stream: number;
      readonly dir: Dir;
      readonly head: RequestHead;
      readonly joinedLate: boolean;
      readonly amends: boolean;
    }
  | {
      readonly type: 'response-head';
      readonly stream: number;
      readonly dir: Dir;
      readonly head: ResponseHead;
      readonly joinedLate: boolean;
      readonly amends: boolean;
    }
  | { readonly type: 'informational'; readonly stream: number; readonly head: ResponseHead }
  /** Body bytes after transfer or frame decoding, before content decoding. */
  | { readonly type: 'body'; readonly stream: number; readonly side: Side; readonly bytes: Uint8Array }
  /**
   * Body bytes of this exchange that the capture lost. With `atMost` the count is an upper bound: the hole may also have
   * held other frames, other streams' among them.
   */
  | {
      readonly type: 'body-gap';
      readonly stream: number;
      readonly side: Side;
      readonly lostBytes: number;
      readonly atMost?: true;
    }
  | {
      readonly type: 'trailers';
      readonly stream: number;
      readonly side: Side;
      readonly headers: readonly HeaderField[];
      /** Fields that refer to a table entry from before joining, if any. */
      readonly unknown?: readonly UnknownField[];
    }
  /** This side is complete (END_STREAM, last chunk, Content-Length reached, close-delimited end). */
  | { readonly type: 'side-end'; readonly stream: number; readonly side: Side }
  | { readonly type: 'reset'; readonly stream: number; readonly by: Dir; readonly errorCode: number }
  /** A hole made the rest of this exchange unreadable: no further event for it will come. */
  | { readonly type: 'lost'; readonly stream: number }
  /**
   * The connection (HTTP/1 101 or CONNECT) or the stream (extended CONNECT) speaks another protocol from here on. For a
   * connection the parser hands back what it had already buffered and is not fed again.
   */
  | {
      readonly type: 'upgrade';
      readonly stream: number;
      readonly to: string;
      readonly leftOver: { readonly out: Uint8Array; readonly in: Uint8Array };
    }
  /** WebSocket only: a whole message after unmasking, joining and inflating. */
  | {
      readonly type: 'message';
      readonly stream: number;
      readonly side: Side;
      readonly binary: boolean;
      readonly text: string;
      readonly bytes: Uint8Array;
    }
  /** WebSocket only: the code of a Close frame, 1005 when it had none (RFC 6455 §7.4). */
  | { readonly type: 'close-code'; readonly stream: number; readonly side: Side; readonly code: number }
  | {
      readonly type: 'wire-error';
      readonly stream?: number;
      readonly dir: Dir;
      readonly code: string;
      readonly detail: string;
      readonly spec?: string;
    }
  /** The parser gives the connection up; the engine treats it as opaque. */
  | { readonly type: 'give-up'; readonly reason: string };

/** Both directions' bytes seen so far, for detection. `whole` is false when the first byte of that direction was missed. */
export interface Peek {
  readonly out: Uint8Array;
  readonly in: Uint8Array;
  readonly outWhole: boolean;
  readonly inWhole: boolean;
}

export interface ConnInfo {
  readonly emit: (event: ProtoEvent, tsNs: bigint) => void;
  /** False when the parser does not start at the first byte of that direction. */
  readonly outWhole: boolean;
  readonly inWhole: boolean;
  /** A request of this direction, seen in the protocol before, switched the connection and goes on as stream 1. */
  readonly upgradedBy?: Dir;
}

export interface Protocol {
  readonly name: ConnectionProtocol;
  /** `yes`: mine; `no`: certainly not; `more`: cannot tell yet. */
  readonly peek: (peek: Peek) => 'yes' | 'no' | 'more';
  readonly open: (info: ConnInfo) => ProtocolParser;
}

/** Never throws on wire data; buffers are bounded by the limits stated in each parser's file head. */
export interface ProtocolParser {
  data(dir: Dir, bytes: Uint8Array, tsNs: bigint): void;
  /** `lostBytes` of this direction are missing here. */
  gap(dir: Dir, lostBytes: number, tsNs: bigint): void;
  /** No more bytes of this direction will come. */
  end(dir: Dir, why: EndReason, tsNs: bigint): void;
}
