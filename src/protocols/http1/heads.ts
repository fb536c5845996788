// HTTP/1 heads as the model's values (RFC 9112 §3.2, §4).

import { headerValue, type RequestHead, type ResponseHead } from '../../model/index.ts';
import type { RequestLine, StatusLine } from './syntax.ts';

/** First token of a list, without version: `WebSocket/13, x` is `websocket`. */
export const tokenOf = (value: string | undefined): string | undefined =>
  value?.split(',')[0]?.trim().split('/')[0]?.toLowerCase() || undefined;

/** What RFC 9112 §3.2 says about the target in its four forms. */
export function requestHead(start: RequestLine, headers: RequestHead['headers']): RequestHead {
  const host = headerValue(headers, 'host') ?? null;
  const absolute = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(start.target);
  const base = { httpVersion: start.version, method: start.method, headers, unknown: [] };
  if (start.method === 'CONNECT') return { ...base, scheme: null, authority: start.target, path: null };
  if (absolute === null) return { ...base, scheme: null, authority: host, path: start.target };
  const [, scheme = '', authority = '', rest = ''] = absolute;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return { ...base, scheme: scheme.toLowerCase(), authority, path };
}

export const responseHead = (start: StatusLine, headers: ResponseHead['headers']): ResponseHead => ({
  httpVersion: start.version,
  status: start.status,
  reason: start.reason,
  headers,
  unknown: [],
});
