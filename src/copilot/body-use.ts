// What is done with the bodies of a call, by what its heads say and by what is known of it: whether one comes, when it is all there,
// and whether it is kept until it can be read.

import type { RequestHead, ResponseHead } from '../model/index.ts';
import { headerValue } from '../model/index.ts';
import type { Classification } from './classify.ts';

type Naming = Pick<Classification, 'class' | 'dialect' | 'keeps'>;

/** False when a request head says that no body follows. */
export function expectsBody(head: RequestHead): boolean {
  if (head.method === null) return true;
  const length = headerValue(head.headers, 'content-length');
  if (length !== undefined) return Number(length) > 0;
  if (headerValue(head.headers, 'transfer-encoding') !== undefined) return true;
  return !/^(GET|HEAD|DELETE|OPTIONS|CONNECT)$/.test(head.method);
}

/** Content-Length of a request whose bytes come uncoded; undefined when it does not tell. */
export function announcedBytes(head: RequestHead | null): number | undefined {
  const headers = head?.headers ?? [];
  if (headerValue(headers, 'content-encoding') !== undefined) return undefined;
  const length = headerValue(headers, 'content-length');
  return length === undefined ? undefined : Number(length);
}

/** Without parameters, in lower case; empty when it is not said. */
export function mediaTypeOf(head: ResponseHead | null): string {
  const value = headerValue(head?.headers ?? [], 'content-type') ?? '';
  return value.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Each line of the answer is a message. */
export const isLines = (mediaType: string): boolean => /ndjson|jsonl/.test(mediaType);

const isRead = ({ dialect, keeps }: Naming): boolean => dialect !== undefined || keeps !== undefined;

export function keepsRequest(naming: Naming, head: RequestHead | null): boolean {
  if (isRead(naming) || head === null) return true;
  // A class that the body may still decide: unknown hosts with JSON, and late joins.
  const type = headerValue(head.headers, 'content-type') ?? '';
  return /^(http\.other|copilot\.unknown)$/.test(naming.class) && (type === '' || /json/i.test(type));
}

export function keepsResponse(naming: Naming, head: RequestHead | null, mediaType: string): boolean {
  // The path of a late join is not known: the answer may tell what it is, if it can be text of that sort.
  return isRead(naming) || (head?.path == null && /^$|json|event-stream/.test(mediaType));
}
