// What a dialect is: the wire format of one family of LLM services, both ways. A dialect sees decoded bodies and
// messages; it knows neither HTTP versions nor hosts, and it never throws, whatever the bytes were.

import type { HeaderField, LlmReply, LlmRequest, ReplyDelta } from '../model/index.ts';

/** What is known when a dialect has to be chosen. Everything may be missing: the tracer may have joined late. */
export interface DialectHint {
  /** Path without query. */
  readonly path: string | null;
  readonly headers: readonly HeaderField[];
  /** The request body as JSON, possibly cut. */
  readonly body?: unknown;
  /** Data of the answer's first message or body, as JSON. */
  readonly reply?: unknown;
}

/** One message of a streamed answer: an SSE event, a WebSocket message, a line of NDJSON. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
}

/** Decoder of one answer. Feed it messages or one body, then end it. */
export interface ReplyDecoder {
  message(message: StreamMessage): readonly ReplyDelta[];
  /** The whole body of an answer that was not streamed (or an error body). Possibly cut. */
  json(body: string): readonly ReplyDelta[];
  /** `transportComplete`: the exchange itself ended properly. The reply is complete only if its own end was seen too. */
  end(transportComplete: boolean): LlmReply;
}

export interface Dialect {
  readonly name: string;
  /** 0: not mine; 1–100: how well it fits. The highest score wins, the earlier row on a tie. */
  readonly score: (hint: DialectHint) => number;
  /** `body` is what `readJson` made of the request body; `path` holds the model for some dialects. */
  readonly request: (body: unknown, path: string | null) => LlmRequest;
  readonly reply: () => ReplyDecoder;
}
