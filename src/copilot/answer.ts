// The answer of one LLM call while it comes: drives the dialect's decoder, whatever the framing, and notes when the first
// token came.

import type { Dialect, ReplyDecoder, StreamMessage } from '../dialects/index.ts';
import type { LlmReply, ReplyDelta } from '../model/index.ts';
import { looksLikeSse, sseMessages } from './sse-text.ts';

/** Longest line of an NDJSON answer that is waited for. */
const MAX_LINE_CHARS = 4 * 1024 * 1024;

export class Answer {
  readonly dialect: Dialect;
  firstTokenNs: bigint | null = null;
  readonly #decoder: ReplyDecoder;
  readonly #report: (delta: ReplyDelta, tsNs: bigint) => void;
  readonly #lineDecoder = new TextDecoder();
  #line = '';

  constructor(dialect: Dialect, report: (delta: ReplyDelta, tsNs: bigint) => void) {
    this.dialect = dialect;
    this.#decoder = dialect.reply();
    this.#report = report;
  }

  message(message: StreamMessage, tsNs: bigint): void {
    this.#deliver(this.#decoder.message(message), tsNs);
  }

  /** Bytes of an NDJSON answer: every whole line is a message. */
  ndjson(bytes: Uint8Array, tsNs: bigint): void {
    this.#line += this.#lineDecoder.decode(bytes, { stream: true });
    for (let end = this.#line.indexOf('\n'); end >= 0; end = this.#line.indexOf('\n')) {
      this.message({ event: '', data: this.#line.slice(0, end) }, tsNs);
      this.#line = this.#line.slice(end + 1);
    }
    if (this.#line.length > MAX_LINE_CHARS) this.#flushLine(tsNs);
  }

  /** A body that was kept whole: one JSON value, or an event stream or NDJSON that nobody had recognised. */
  body(text: string, tsNs: bigint): void {
    if (looksLikeSse(text)) for (const message of sseMessages(text)) this.message(message, tsNs);
    else this.#deliver(this.#decoder.json(text), tsNs);
  }

  end(transportComplete: boolean, tsNs: bigint): LlmReply {
    this.#flushLine(tsNs);
    return this.#decoder.end(transportComplete);
  }

  #flushLine(tsNs: bigint): void {
    const line = this.#line;
    this.#line = '';
    if (line.trim() !== '') this.message({ event: '', data: line }, tsNs);
  }

  #deliver(deltas: readonly ReplyDelta[], tsNs: bigint): void {
    for (const delta of deltas) {
      this.firstTokenNs ??= tsNs;
      this.#report(delta, tsNs);
    }
  }
}
