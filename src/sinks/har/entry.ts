// One exchange as an entry of a HAR log. What the capture cannot know is -1 or empty, as the specification has it: name
// look-up, connecting and the TLS handshake happen before the plaintext, and the size of a head on the wire is not kept.
//
// LIMITS. A request without a method or status (joined late) has an empty one and status 0.

import type { BodyContent, ExchangeCopy, HeaderField, Negotiated, RequestHead, SideCopy } from '../../model/index.ts';
import { headerValue } from '../../model/index.ts';

interface NameValue {
  readonly name: string;
  readonly value: string;
}

const VERSIONS: Readonly<Record<string, string>> = { '1.0': 'HTTP/1.0', '1.1': 'HTTP/1.1', '2': 'h2' };
const UNKNOWN_SIZE = -1;

const pairs = (fields: readonly HeaderField[]): NameValue[] => fields.map(([name, value]) => ({ name, value }));

const schemeOf = (exchange: ExchangeCopy): string => (exchange.messages === null ? 'https' : 'wss');

function urlOf(exchange: ExchangeCopy): string {
  const head = exchange.request.head;
  const path = head?.path ?? '/';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return path;
  const host = head?.authority ?? exchange.sni ?? 'unknown.invalid';
  return `${schemeOf(exchange)}://${host}${path.startsWith('/') ? path : `/${path}`}`;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Not percent-encoded after all: as sent.
    return text;
  }
};

function queryOf(url: string): NameValue[] {
  const at = url.indexOf('?');
  if (at < 0) return [];
  const query = url.slice(at + 1).replace(/#.*/s, '');
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return { name: decoded(name), value: decoded(value) };
    });
}

/** `name=value` in front of the first semicolon of each cookie. */
function cookiesOf(headers: readonly HeaderField[], field: 'cookie' | 'set-cookie'): NameValue[] {
  const values = headers.flatMap(([name, value]) => (name === field ? [value] : []));
  const cookies = field === 'cookie' ? values.flatMap((value) => value.split(';')) : values.map((v) => v.split(';')[0]);
  return cookies.flatMap((cookie) => {
    const text = cookie?.trim() ?? '';
    const equals = text.indexOf('=');
    return equals < 1 ? [] : [{ name: text.slice(0, equals), value: text.slice(equals + 1) }];
  });
}

const contentType = (headers: readonly HeaderField[]): string => headerValue(headers, 'content-type') ?? '';

const postData = (body: BodyContent, headers: readonly HeaderField[]) => ({
  mimeType: contentType(headers),
  text: body.text,
  ...(body.encoding === 'base64' && { _encoding: 'base64', comment: 'base64' }),
});

function requestOf(exchange: ExchangeCopy) {
  const { head, body, sizes } = exchange.request;
  const headers = head?.headers ?? [];
  const url = urlOf(exchange);
  return {
    method: head?.method ?? '',
    url,
    httpVersion: versionOf(head),
    cookies: cookiesOf(headers, 'cookie'),
    headers: pairs(headers),
    queryString: queryOf(url),
    ...(body !== null && { postData: postData(body, headers) }),
    headersSize: UNKNOWN_SIZE,
    bodySize: sizes.bytes,
  };
}

const versionOf = (head: Pick<RequestHead, 'httpVersion'> | null): string =>
  head === null ? '' : (VERSIONS[head.httpVersion] ?? head.httpVersion);

/** An event stream is always UTF-8, and readers know it by its bare name only. */
const shownType = (headers: readonly HeaderField[]): string =>
  contentType(headers).replace(/^text\/event-stream\s*;.*/is, 'text/event-stream') || 'x-unknown';

function contentOf({ head, body, sizes }: SideCopy<{ readonly headers: readonly HeaderField[] }>) {
  const isCoded = sizes.coding !== '';
  return {
    size: sizes.decodedBytes,
    ...(isCoded && { compression: sizes.decodedBytes - sizes.bytes }),
    mimeType: shownType(head?.headers ?? []),
    ...(body !== null && { text: body.text }),
    ...(body?.encoding === 'base64' && { encoding: 'base64' }),
  };
}

function responseOf({ response }: ExchangeCopy) {
  const { head, sizes } = response;
  const headers = head?.headers ?? [];
  return {
    status: head?.status ?? 0,
    statusText: head?.reason ?? '',
    httpVersion: versionOf(head),
    cookies: cookiesOf(headers, 'set-cookie'),
    headers: pairs(headers),
    content: contentOf(response),
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: UNKNOWN_SIZE,
    bodySize: sizes.bytes,
    // Chromium adds the sizes otherwise, the unknown one of the head as -1.
    _transferSize: sizes.bytes,
  };
}

const rounded = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000);

/** `send + wait + receive` is the entry's time. An answer that begins before the request has ended was not waited for. */
function timingsOf({ timing }: ExchangeCopy) {
  const { requestEndMs, responseHeadMs, endMs } = timing;
  const sent = Math.min(requestEndMs ?? 0, responseHeadMs ?? endMs);
  const answered = responseHeadMs ?? endMs;
  const timings = { send: rounded(sent), wait: rounded(answered - sent), receive: rounded(endMs - answered) };
  return { blocked: UNKNOWN_SIZE, dns: UNKNOWN_SIZE, connect: UNKNOWN_SIZE, ssl: UNKNOWN_SIZE, ...timings };
}

/** As Chromium's developer tools write and read them; without a type they guess one, for an answer in JSON a script. */
const typeOf = (exchange: ExchangeCopy) =>
  exchange.messages === null
    ? { _resourceType: 'fetch' }
    : {
        _resourceType: 'websocket',
        _webSocketMessages: exchange.messages.map(({ side, time, opcode, data }) => ({
          type: side === 'request' ? 'send' : 'receive',
          time,
          opcode,
          data,
        })),
      };

/** What this tool knows beyond HAR. */
const callsOf = (exchange: ExchangeCopy) =>
  exchange.calls.map((call) => ({
    id: call.id,
    class: call.class,
    ...(call.kind !== undefined && { kind: call.kind }),
    ...(call.llm && { model: call.llm.model, usage: call.llm.usage, finishReason: call.llm.finishReason }),
    ttftMs: call.timing.ttftMs,
  }));

/** `192.0.2.1` of `192.0.2.1:443`, `2001:db8::1` of `[2001:db8::1]:443`. */
const addressOf = (remote: string): string => remote.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/** With the names that Chromium's developer tools protocol has for it (Network.SecurityDetails). */
const securityOf = ({ version, cipher, alpn }: Negotiated) => ({
  protocol: `TLS ${version}`,
  cipher,
  ...(alpn !== undefined && { alpn }),
});

export function harEntry(exchange: ExchangeCopy) {
  const timings = timingsOf(exchange);
  return {
    startedDateTime: exchange.time,
    time: rounded(timings.send + timings.wait + timings.receive),
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings,
    ...(exchange.remote !== null && { serverIPAddress: addressOf(exchange.remote) }),
    connection: exchange.connection,
    ...(exchange.tls !== null && { _securityDetails: securityOf(exchange.tls) }),
    _connectionId: exchange.connection,
    ...typeOf(exchange),
    _id: exchange.id,
    _process: { pid: exchange.pid, role: exchange.role },
    _end: exchange.end,
    _calls: callsOf(exchange),
    ...(exchange.notes.length > 0 && { comment: exchange.notes.join('; ') }),
  };
}
