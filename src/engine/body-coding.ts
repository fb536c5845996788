// How a body is coded and what it is made of, from its head; where the head is not fully known (joined late), from marks
// in its first bytes that leave no doubt.

import { codingNames } from '../bytes/index.ts';
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

/** Codings in the order in which they were applied: content codings, then transfer codings other than chunked. */
export function codingsOf(head: KnownHead | undefined, first: Uint8Array): string[] {
  const headers = head?.headers ?? [];
  const content = codingNames(valuesOf(headers, 'content-encoding'));
  const transfer = codingNames(valuesOf(headers, 'transfer-encoding')).filter((name) => name !== 'chunked');
  if (content.length > 0 || head?.isComplete) return [...content, ...transfer];
  const row = MAGIC.find(([, bytes]) => bytes.every((byte, at) => first[at] === byte));
  return row === undefined ? transfer : [row[0], ...transfer];
}

const SSE_START = /^\ufeff?(?:data|event|id|retry)?: ?\S/;

/** Content type, or what the first decoded bytes say where the head may lack it. */
export function contentTypeOf(head: KnownHead | undefined, first: string): string | undefined {
  const named = head && headerValue(head.headers, 'content-type');
  if (named !== undefined || head?.isComplete) return named;
  return SSE_START.test(first) ? 'text/event-stream' : undefined;
}
