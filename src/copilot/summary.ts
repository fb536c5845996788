// Puts a finished call's parts together as the model wants them.

import type {
  BodySizes,
  BodySummary,
  ExchangeEnded,
  HeaderField,
  LlmReply,
  LlmRequest,
  LlmSummary,
  RequestHead,
  ResponseHead,
} from '../model/index.ts';

export function bodySummary(
  sizes: BodySizes,
  head: RequestHead | ResponseHead | null,
  trailers: readonly HeaderField[],
): BodySummary {
  return {
    bytes: sizes.bytes,
    decodedBytes: sizes.decodedBytes,
    ...(sizes.lostBytes > 0 ? { lostBytes: sizes.lostBytes } : {}),
    ...(sizes.binary === undefined ? {} : { binaryType: sizes.binary.mediaType }),
    ...(sizes.binary?.sha256 == null ? {} : { sha256: sizes.binary.sha256 }),
    headers: head?.headers ?? [],
    ...(head === null || head.unknown.length === 0 ? {} : { unknownHeaders: head.unknown }),
    ...(trailers.length === 0 ? {} : { trailers }),
  };
}

interface LlmParts {
  readonly dialect: string;
  readonly request: LlmRequest | undefined;
  readonly reply: LlmReply;
  /** Bytes of the answer were lost: it is not complete, whatever its end mark says. */
  readonly lossy: boolean;
}

export function llmSummary({ dialect, request, reply, lossy }: LlmParts): LlmSummary {
  return {
    dialect,
    model: request?.model ?? reply.model,
    ...(reply.model === null ? {} : { answeredBy: reply.model }),
    text: reply.text,
    ...(reply.thinking === '' ? {} : { thinking: reply.thinking }),
    toolCalls: reply.toolCalls,
    usage: reply.usage,
    finishReason: reply.finishReason,
    ...(reply.error === undefined ? {} : { error: reply.error }),
    complete: reply.complete && !lossy,
    ...(request === undefined ? {} : { request }),
    ...(reply.id === null ? {} : { responseId: reply.id }),
    ...(reply.alternatives.length === 0 ? {} : { alternatives: reply.alternatives }),
    ...(reply.other.length === 0 ? {} : { other: reply.other }),
  };
}

/** Nothing of the exchange is missing, as far as its end and its heads tell. */
export function isSeenWhole(event: ExchangeEnded, request: RequestHead | null, response: ResponseHead | null): boolean {
  if (event.end === 'lost' || event.request.lostBytes + event.response.lostBytes > 0) return false;
  if (request === null || request.unknown.length > 0 || request.method === null) return false;
  if (request.path === null && request.method !== 'CONNECT') return false;
  if (response === null) return event.end !== 'complete';
  return response.unknown.length === 0 && response.status !== null;
}

/** The host as shown: authority in lower case without the default port, else the server name. */
export function hostText(head: RequestHead | null, sni: string | undefined): string | null {
  const authority = head?.authority || sni;
  if (authority === undefined || authority === null || authority === '') return null;
  // User information (RFC 3986 §3.2.1) is a credential and no part of the host.
  return authority
    .replace(/^[^@]*@/, '')
    .toLowerCase()
    .replace(/:(443|80)$/, '');
}

/** Length of a text in UTF-8 bytes. A lone surrogate counts as its replacement, three bytes. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}
