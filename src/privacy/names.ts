// Which names promise a secret: of JSON members, variables, options, query parameters and header fields. A name counts
// by what it contains, so that names nobody listed are covered; the exceptions are listed, with their reason.

/**
 * Words that make a name secret wherever they stand in it. Long ones first: where two match, the first wins. Written for
 * use inside larger patterns (no groups that capture, no anchors); `_?-?` is spelled out because names come in all styles.
 */
export const SECRET_WORDS =
  'passphrase|password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|credential|authorization|auth[_-]?key';

const SECRET_NAME = new RegExp(`(?:${SECRET_WORDS})(?<rest>[A-Za-z0-9_-]{0,32})$`, 'i');

/**
 * What follows the word and takes the secret out of the name: counts (`max_tokens`, `token_count`), descriptions
 * (`token_type`, `token_url`, `secret_name`), programs (`tokenizer`), policies (`password_policy`), identifiers.
 */
const HARMLESS_REST =
  /^(?:s|[_-]?s|i[sz]\w*|i[sz]ed|[_-]?(?:count|counts|limit|limits|budget|usage|type|types|url|uri|endpoint|length|len|size|name|names|id|ids|field|expires?\w*|expiry|expiration|ttl|policy|rule|rules|hint|details|index|pos|position|format|required|enabled|kind|class|provider|manager|source|path|file))$/i;

/** True for a name whose value is a secret. */
export function isSecretName(name: string): boolean {
  const rest = SECRET_NAME.exec(name)?.groups?.['rest'];
  return rest !== undefined && isSecretRest(rest);
}

/** True unless what follows the secret word says that no secret is meant: `token` yes, `tokens` or `token_count` no. */
export const isSecretRest = (rest: string): boolean => {
  const plain = rest.replace(/([a-z])([A-Z])/g, '$1_$2');
  return (
    !HARMLESS_REST.test(plain) &&
    !/[_-](?:tokens?_)?(?:count|limit|type|url|expires?\w*|expiry|id|ids|name)$/i.test(plain)
  );
};

/** Query parameters that carry a secret though their name is short or general. */
const SECRET_PARAMETERS = new Set([
  'key',
  'sig',
  'signature',
  'code',
  'auth',
  'pass',
  'jwt',
  'ticket',
  'assertion',
  'code_verifier',
  'state',
  'nonce',
  'sas',
  'samlresponse',
  'x-amz-signature',
  'x-goog-signature',
  'jsessionid',
  'phpsessid',
  'sid',
  'otp',
  'totp',
  'hmac',
]);

/** The innermost name of `user[password]` and `tokens[]`, as forms write nested members. */
const innermost = (name: string): string =>
  /\[([^[\]]+)\](?:\[\d*\])*$/.exec(name)?.[1] ?? name.replace(/(?:\[\d*\])+$/, '');

/** True for a query parameter (RFC 3986 §3.4, as forms use it) whose value is a secret. */
export const isSecretParameter = (name: string): boolean => {
  const inner = innermost(name);
  return SECRET_PARAMETERS.has(inner.toLowerCase()) || isSecretName(inner);
};

/** Header fields are secret when their name contains one of these. */
const SECRET_FIELD =
  /token|secret|key|passphrase|password|passwd|pwd|auth|credential|session|cookie|nonce|signature|hmac|jwt|csrf|xsrf|\b(?:pass|creds?|sig|otp|bearer)\b/;

/** Fields that match SECRET_FIELD and hold no secret. Each is a plain fact that a reader of a trace needs. */
const HARMLESS_FIELDS = new Set([
  'sec-websocket-key', // RFC 6455 §4.1: a random value that proves nothing
  'www-authenticate', // challenges: what is asked for, not what is given
  'proxy-authenticate',
  'idempotency-key',
  'surrogate-key', // names of cache entries
  'vscode-sessionid', // identifiers of an editor window, no right follows from them
  'x-client-session-id',
  'mcp-session-id',
  'x-session-affinity',
  'github-authentication-token-expiration', // a date
  'x-github-authentication-token-expiration',
  'x-oauth-scopes',
  'authority',
]);

/** `…-tokens…` is a quantity (rate limits count tokens); these prefixes carry names of headers, not their values. */
const HARMLESS_FIELD = /tokens|^access-control-|^x-ratelimit-|^anthropic-ratelimit-|^:/;

/** True for a header field (name lower-cased) whose whole value is a secret. */
export const isSecretField = (name: string): boolean =>
  SECRET_FIELD.test(name) && !HARMLESS_FIELDS.has(name) && !HARMLESS_FIELD.test(name);
