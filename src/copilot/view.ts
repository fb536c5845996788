// What the rules look at: one request (and the beginning of its answer), with the look-ups that rules need. Built again
// when more is known; nothing here is kept.

import { isObject, type JsonObject, objectOf, textOf } from '../dialects/index.ts';
import type { HeaderField, RequestHead } from '../model/index.ts';
import { headerValue } from '../model/index.ts';
import { type HostRole, roleOfHost, splitAuthority } from './hosts.ts';

export interface CallView {
  /** Host in lower case without port; null when neither authority nor server name is known. */
  readonly host: string | null;
  readonly port: number | null;
  readonly role: HostRole;
  /** True when the host is not known by name but the request carries Copilot's own headers. */
  readonly marked: boolean;
  /** Null when not known (joined late). */
  readonly method: string | null;
  /** Path as rules see it: no query, no doubled slashes, no `/api/v3` prefix of an enterprise server. Null when unknown. */
  readonly path: string | null;
  readonly headers: readonly HeaderField[];
  /** The request body as JSON, as far as known. */
  readonly body: JsonObject;
  /** First message or body of the answer as JSON, as far as known. */
  readonly reply: unknown;
  /** True when it is, or asks to become, a WebSocket. */
  readonly socket: boolean;
}

export interface CallInput {
  readonly head: RequestHead | null;
  readonly sni: string | undefined;
  readonly body?: unknown;
  readonly reply?: unknown;
  readonly socket?: boolean;
}

export function viewOf(input: CallInput): CallView {
  const authority = input.head?.authority || input.sni || null;
  const { host, port } = authority === null ? { host: null, port: null } : splitAuthority(authority);
  const headers = input.head?.headers ?? [];
  const role = roleOfHost(host);
  return {
    host,
    port,
    role,
    marked: (role === 'unknown' || role === 'loopback') && hasCopilotMark(headers),
    method: input.head?.method ?? null,
    path: input.head?.path == null ? null : rulePath(input.head.path),
    headers,
    body: objectOf(input.body),
    reply: input.reply,
    socket: input.socket === true || asksForSocket(headers),
  };
}

const asksForSocket = (headers: readonly HeaderField[]): boolean =>
  headerValue(headers, 'upgrade')?.toLowerCase() === 'websocket' ||
  headerValue(headers, 'sec-websocket-version') !== undefined;

/** Path without query, `//` collapsed, enterprise prefix removed. Absolute-form targets lose their origin. */
export function rulePath(path: string): string {
  const bare = (path.slice(0, 8192).split(/[?#]/, 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '');
  return bare.replace(/\/{2,}/g, '/').replace(/^\/api\/v3(?=\/)/, '');
}

/** Headers that only a Copilot client sends. */
function hasCopilotMark(headers: readonly HeaderField[]): boolean {
  return (
    headerValue(headers, 'openai-intent') !== undefined ||
    headerValue(headers, 'copilot-integration-id') !== undefined ||
    headerValue(headers, 'editor-plugin-version')?.startsWith('copilot') === true ||
    headerValue(headers, 'user-agent')?.startsWith('GitHubCopilotChat/') === true
  );
}

/** Value of a request header, empty when absent. `name` in lower case. */
export const header = (view: CallView, name: string): string => headerValue(view.headers, name) ?? '';

/** Model that the body names, empty when absent. */
export const bodyModel = (view: CallView): string => textOf(view.body['model']);

export const bodyHas = (view: CallView, key: string): boolean => key in view.body;

export const bodyKnown = (view: CallView): boolean => isObject(view.body) && Object.keys(view.body).length > 0;
