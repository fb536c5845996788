// How long a message body is (RFC 9112 §6.3), decided from its head alone. Ambiguous heads (the shapes of request
// smuggling) are reported, and the one reading that RFC 9112 prescribes is used, or none where it prescribes none.

import type { HeaderField } from '../../model/index.ts';
import type { RequestLine, StartLine, StatusLine } from './syntax.ts';

export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly lenBytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }
  /** The length cannot be known: nothing behind this head can be read until the next provable start line. */
  | { readonly kind: 'unknown' }
  /** The connection speaks another protocol behind this head. */
  | { readonly kind: 'switch' };

export interface FramingProblem {
  readonly code: 'h1.both-lengths' | 'h1.content-length' | 'h1.transfer-encoding';
  readonly detail: string;
  readonly spec: string;
}

export interface Framed {
  readonly framing: Framing;
  readonly problem?: FramingProblem;
}

const valuesOf = (headers: readonly HeaderField[], name: string): string[] =>
  headers
    .filter(([key]) => key === name)
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim());

/** Agreed value of all Content-Length fields; undefined: none; NaN: not a number, or several different ones. */
function contentLength(headers: readonly HeaderField[]): number | undefined {
  const values = valuesOf(headers, 'content-length');
  const [first] = values;
  if (first === undefined) return undefined;
  const isAgreed = values.every((value) => value === first) && /^\d{1,15}$/.test(first);
  return isAgreed ? Number(first) : Number.NaN;
}

function byTransferCoding(start: StartLine, codings: readonly string[], hasLength: boolean): Framed {
  const isRequest = start.kind === 'request';
  const isChunkedLast = codings.at(-1)?.toLowerCase() === 'chunked';
  const isChunkedOnce = codings.filter((coding) => coding.toLowerCase() === 'chunked').length === 1;
  if (!isChunkedLast || !isChunkedOnce) {
    const problem = {
      code: 'h1.transfer-encoding',
      detail: `transfer codings: ${codings.join(', ').slice(0, 80)}`,
      spec: 'RFC 9112 §6.3',
    } as const;
    return { framing: isRequest || isChunkedLast ? { kind: 'unknown' } : { kind: 'until-close' }, problem };
  }
  const problem = chunkedProblem(start, hasLength);
  return { framing: { kind: 'chunked' }, ...(problem && { problem }) };
}

/** Recipients that know no Transfer-Encoding, as those of HTTP/1.0, find another end of the message (RFC 9112 §6.1). */
function chunkedProblem({ version }: StartLine, hasLength: boolean): FramingProblem | undefined {
  const spec = 'RFC 9112 §6.1';
  if (hasLength) {
    const detail = 'Transfer-Encoding and Content-Length are both present; chunked is used';
    return { code: 'h1.both-lengths', detail, spec };
  }
  if (version === '1.1') return undefined;
  return { code: 'h1.transfer-encoding', detail: 'Transfer-Encoding in HTTP/1.0; chunked is used', spec };
}

function byHeaders(start: StartLine, headers: readonly HeaderField[]): Framed {
  const isRequest = start.kind === 'request';
  const codings = valuesOf(headers, 'transfer-encoding').filter((coding) => coding !== '');
  const length = contentLength(headers);
  if (codings.length > 0) return byTransferCoding(start, codings, length !== undefined);
  if (length === undefined) return { framing: { kind: isRequest ? 'none' : 'until-close' } };
  if (!Number.isNaN(length)) return { framing: length === 0 ? { kind: 'none' } : { kind: 'length', lenBytes: length } };
  const detail = `Content-Length: ${valuesOf(headers, 'content-length').join(', ').slice(0, 80)}`;
  return { framing: { kind: 'unknown' }, problem: { code: 'h1.content-length', detail, spec: 'RFC 9112 §6.3' } };
}

/** Body of a request. A CONNECT request has none (RFC 9110 §9.3.6). */
export function requestFraming(start: RequestLine, headers: readonly HeaderField[]): Framed {
  return start.method === 'CONNECT' ? { framing: { kind: 'none' } } : byHeaders(start, headers);
}

/** Body of a response to `method` (null: the request was not seen). */
export function responseFraming(start: StatusLine, method: string | null, headers: readonly HeaderField[]): Framed {
  const { status } = start;
  if (status === 101) return { framing: { kind: 'switch' } };
  if (method === 'CONNECT' && status >= 200 && status < 300) return { framing: { kind: 'switch' } };
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return { framing: { kind: 'none' } };
  return byHeaders(start, headers);
}
