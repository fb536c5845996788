// How a body is coded and what it is made of, from its head; where the head is not fully known (joined late), from its
// first bytes: marks that leave no doubt, and codings without a mark if what they decode to begins as JSON, markup or an
// event stream does.

import { ContentDecoder, codingNames, lenientUtf8 } from '../bytes/index.ts';
import { type HeaderField, headerValue } from '../model/index.ts';

/** What is known of one side's head. */
export interface KnownHead {
  readonly headers: readonly HeaderField[];
  /** False when fields may be missing: then the body itself is asked. */
  readonly isComplete: boolean;
}

/** RFC 1952 §2.3.1 with method 8; RFC 8878 §3.1.1. */
const MAGIC: readonly (readonly [coding: string, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

const valuesOf = (headers: readonly HeaderField[], name: string): string =>
  headers
    .filter(([key]) => key === name)
    .map(([, value]) => value)
    .join(',');

/** Content codings without a mark of their own, tried in this order. */
const UNMARKED = ['br', 'deflate'] as const;
/** Bytes after which a body that nothing tells about is taken as it is. */
const UNDECIDED_BYTES = 1024;
/** Decoded bytes that are looked at; fewer are not enough to say no. */
const LOOKED_AT_BYTES = 64;

/**
 * Codings in the order in which they were applied: content codings, then transfer codings other than chunked. Undefined:
 * the head may lack them, and `first` is too short to tell.
 */
export function codingsOf(head: KnownHead | undefined, first: Uint8Array): string[] | undefined {
  const headers = head?.headers ?? [];
  const content = codingNames(valuesOf(headers, 'content-encoding'));
  const transfer = codingNames(valuesOf(headers, 'transfer-encoding')).filter((name) => name !== 'chunked');
  if (content.length > 0 || head?.isComplete) return [...content, ...transfer];
  const found = sniffCoding(first);
  return found === undefined ? undefined : [...(found === '' ? [] : [found]), ...transfer];
}

/** Empty: none; undefined: more bytes are needed. */
function sniffCoding(first: Uint8Array): string | undefined {
  const row = MAGIC.find(([, bytes]) => bytes.every((byte, at) => first[at] === byte));
  if (row !== undefined) return row[0];
  if (first.length === 0 || isText(first.subarray(0, LOOKED_AT_BYTES))) return '';
  const answers = UNMARKED.map((coding) => tryCoding(coding, first));
  const yes = answers.indexOf('yes');
  if (yes >= 0) return UNMARKED[yes];
  const mayBe = answers.includes('more') || MAGIC.some(([, bytes]) => first.every((byte, at) => bytes[at] === byte));
  return mayBe && first.length < UNDECIDED_BYTES ? undefined : '';
}

/** Decodes the first bytes: whether they are of that coding, as far as what comes out can tell. */
function tryCoding(coding: string, first: Uint8Array): 'yes' | 'no' | 'more' {
  const decoded: number[] = [];
  const decoder: ContentDecoder = new ContentDecoder([coding], (bytes) => {
    decoded.push(...bytes.subarray(0, LOOKED_AT_BYTES - decoded.length));
    if (decoded.length === LOOKED_AT_BYTES) decoder.stop();
  });
  decoder.push(first);
  decoder.close();
  if (decoder.error !== undefined) return 'no';
  if (decoded.length < LOOKED_AT_BYTES) return 'more';
  const bytes = Uint8Array.from(decoded);
  return isText(bytes) && TEXT_START.test(lenientUtf8(bytes)) ? 'yes' : 'no';
}

/** How JSON, markup and event streams begin. */
const TEXT_START = /^\ufeff?(?:\s*[[{<]|(?:data|event|id|retry)?: ?\S)/;

/** No control characters but white space, and UTF-8 but for a character that is cut at the end. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)) return false;
  const text = lenientUtf8(bytes);
  const replaced = text.indexOf('\ufffd');
  return replaced < 0 || (text.length > 3 && replaced >= text.length - 3);
}

const SSE_START = /^\ufeff?(?:data|event|id|retry)?: ?\S/;

/** Content type, or what the first decoded bytes say where the head may lack it. */
export function contentTypeOf(head: KnownHead | undefined, first: string): string | undefined {
  const named = head && headerValue(head.headers, 'content-type');
  if (named !== undefined || head?.isComplete) return named;
  return SSE_START.test(first) ? 'text/event-stream' : undefined;
}
