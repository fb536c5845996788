// HTTP as values, whatever version carried it. A tracer that joined a connection late may not know every field: what is
// not known is absent or listed as unknown, never guessed.

/** One header field as sent, in order; names lower-cased. Repeated fields stay repeated. */
export type HeaderField = readonly [name: string, value: string];

/**
 * A field that could not be decoded because it refers to an HPACK dynamic table entry from before the capture began
 * (RFC 7541 §2.3.2). `index` is the absolute wire index at that moment; `name` is known when only the value was literal.
 */
export interface UnknownField {
  readonly index: number;
  readonly name?: string;
  readonly value?: string;
  /** Position among all fields of the block, known ones included. */
  readonly position: number;
}

export type HttpVersion = '1.0' | '1.1' | '2';

/** Head of a request. `null` means not known (joined late), an empty string means sent empty. */
export interface RequestHead {
  readonly httpVersion: HttpVersion;
  readonly method: string | null;
  readonly scheme: string | null;
  /** `:authority` or the Host field. */
  readonly authority: string | null;
  /** Path with query, as sent. */
  readonly path: string | null;
  /** `:protocol` of an extended CONNECT (RFC 8441 §4). */
  readonly protocol?: string;
  /** Ordinary fields, without pseudo-fields. */
  readonly headers: readonly HeaderField[];
  readonly unknown: readonly UnknownField[];
}

/** Head of a response; `status` is null when it could not be decoded. */
export interface ResponseHead {
  readonly httpVersion: HttpVersion;
  readonly status: number | null;
  readonly reason?: string;
  readonly headers: readonly HeaderField[];
  readonly unknown: readonly UnknownField[];
}

/** First value of a field, or undefined. `name` must be lower-case. */
export function headerValue(headers: readonly HeaderField[], name: string): string | undefined {
  for (const [key, value] of headers) if (key === name) return value;
  return undefined;
}
