// Header fields: credentials are replaced as a whole (the scheme stays), cookies keep their names, URLs lose their secrets,
// everything else is searched as text.

import type { HeaderField } from '../model/index.ts';
import { maskCookies, maskCredential } from './contexts.ts';
import type { Mask } from './fingerprint.ts';
import { isSecretField } from './names.ts';
import { maskText } from './text.ts';
import { kindOfSecret } from './token-rules.ts';
import { maskUrl } from './url.ts';

const AUTHORIZATION = new Set(['authorization', 'proxy-authorization']);
const COOKIES = new Set(['cookie', 'set-cookie']);
const URLS = new Set(['location', 'content-location', 'referer', 'origin', 'host', ':authority', ':path']);

/** Browsers can set no other field of a WebSocket, so clients put tokens among the protocols they offer. */
const SUBPROTOCOLS = 'sec-websocket-protocol';
/** A part of such a name that is none: `graphql-transport-ws`, `v4.channel.k8s.io` and `realtime` are names. */
const SUBPROTOCOL_SECRET = /(?=[\w~+/=-]*\d)[\w~+/=-]{16,}/g;

/** Value of the field `name` (lower-cased) with its secrets replaced. */
export function maskHeaderValue(name: string, value: string, mask: Mask): string {
  if (AUTHORIZATION.has(name)) return maskCredential(value, mask);
  if (COOKIES.has(name)) return maskCookies(value, name === 'set-cookie', mask);
  if (isSecretField(name)) return value === '' ? value : mask(value, kindOfSecret(value));
  if (name === SUBPROTOCOLS) return maskText(value, mask).replace(SUBPROTOCOL_SECRET, (run) => mask(run, 'secret'));
  return URLS.has(name) ? maskUrl(value, mask) : maskText(value, mask);
}

/** Fields with their secrets replaced, order and names kept; a name can hold a secret too. */
export const maskHeaders = (headers: readonly HeaderField[], mask: Mask): HeaderField[] =>
  headers.map(([name, value]) => [maskText(name, mask), maskHeaderValue(name.toLowerCase(), value, mask)]);
