// Secrets that have no shape of their own and are known by what stands before them: an authentication scheme, a secret
// name with `=` or `:`, a command-line option, a cookie header, a URL's user part or parameter.
//
// All patterns are linear: every repetition is bounded by the numbers below or cannot fail once it has begun.

import { percentDecoded } from './encoded.ts';
import { MASKED, type Mask } from './fingerprint.ts';
import { isSecretParameter, isSecretRest, SECRET_WORDS } from './names.ts';
import { kindOfSecret, WORD_EDGE } from './token-rules.ts';

/** Authentication schemes (IANA registry, `token` as GitHub spells it, cloud providers'): they stay, what follows goes. */
export const SCHEMES =
  'bearer|basic|negotiate|digest|token|ntlm|apikey|oauth|dpop|gnap|hoba|mutual|vapid|hawk|concealed|privatetoken|scram-sha-1|scram-sha-256|aws4-hmac-sha256';

/** Longest quoted value of an assignment; of a longer one only the shapes behind this are found. */
export const MAX_QUOTED_LENGTH = 4_096;
/** Longest cookie header in text. */
export const MAX_COOKIE_LENGTH = 4_096;

/** Not at something that is replaced already. */
const NOT_MASKED = `(?!${MASKED})`;

/** `Bearer x`, `Basic x` in text. `\/` is how some JSON writers spell `/`. */
const SCHEME = new RegExp(
  `${WORD_EDGE}((?:bearer|basic|negotiate)(?:\\s|%20|\\+){1,8})${NOT_MASKED}((?:[^\\s"'\`\\\\<>,]|\\\\/)+)`,
  'gi',
);

/** Prose such as "bearer authentication" is short and has no digit; credentials are long or have one. */
const isCredential = (value: string): boolean =>
  value.length >= 6 && (value.length >= 20 || /[\d=]/.test(value)) && !CHALLENGE.test(value);

/** A challenge (RFC 9110 §11.6.1) has parameters behind its scheme. */
const CHALLENGE = /^(?:realm|error|error_description|scope|charset|authorization_uri|resource_metadata)=/i;

/**
 * `name = value`, `"name": "value"`, `name => 'value'`, `env["name"] = 'value'`, with backslashes before each quote: JSON
 * inside JSON doubles them at each level and adds one, so that 63 are six levels.
 * The value: quoted by one of three quotes to the closing one (escaped quotes inside belong to it, but not when the opening
 * quote is escaped itself), or a run without spaces and delimiters behind an optional scheme.
 */
const ASSIGNS = /\\{0,63}["'`]?\]?\s{0,8}(?:=>|:=|==?|:)\s{0,8}/.source;
/** Both alternatives of one quote: plain, and behind backslashes. */
const quotedBy = (quote: string): string => {
  const length = `{1,${MAX_QUOTED_LENGTH}}`;
  const plain = String.raw`${quote}((?:[^${quote}\\\n]|\\[^\n])${length})`;
  return String.raw`${plain}|\\{1,63}${quote}((?:[^${quote}\\\n]|\\(?!${quote})[^\n])${length})`;
};
const BARE = String.raw`((?:(?:${SCHEMES})\s{1,8})?(?:[^\s"'${'`'}\\<>,;&)}\]]|\\/)+)`;
/** Groups of ASSIGNMENT that hold a value: two per quote, one for the bare run. */
const ASSIGNMENT_VALUES = 7;
const ASSIGNMENT = new RegExp(
  `((?:${SECRET_WORDS})([A-Za-z0-9_-]{0,32})${ASSIGNS})(?:${['"', "'", '`'].map(quotedBy).join('|')}|${BARE})`,
  'gi',
);

/** `--api-key value`; `--token=value` is an assignment. */
const OPTION = new RegExp(
  `(${WORD_EDGE}--?[A-Za-z0-9_-]{0,32}?(?:${SECRET_WORDS})([A-Za-z0-9_-]{0,16})\\s{1,4})${NOT_MASKED}([^\\s"'\`<>-][^\\s"'\`<>]*)`,
  'gi',
);

/** `-u name:password`, as curl takes it. */
export const USER_OPTIONS = '-u|-U|--user|--proxy-user';
const USER_OPTION = new RegExp(
  String.raw`(${WORD_EDGE}(?:${USER_OPTIONS})[\s=]{1,4}\\{0,4}["']?)([^\s"'<>:\\]{1,64}:[^\s"'<>\\]{1,256})`,
  'g',
);

/** `Cookie: a=1; b=2` in text, to the end of the line or quote. */
const COOKIE = new RegExp(
  `((?:set-)?cookie\\\\{0,4}["']?\\s{0,8}:\\s{0,8}\\\\{0,4}["']?)([^"'\\n\\\\]{1,${MAX_COOKIE_LENGTH}})`,
  'gi',
);

/** RFC 3986 §3.2.1: user information of a URL. */
const USER_INFO = /(:\/\/)([^\s/@"'`<>?#\\]{1,256})@/g;

/** A query or form parameter; the first of a form, when the text is one. */
const PARAMETER = /(^(?=[\w.%[\]-]{1,64}=[^\s&]*(?:&|$))|[?&#](?:amp;)?)([\w.%[\]-]{1,64})=([^\s"'`<>&#\\]+)/g;

/** Values of secret names that are plainly none: what code and schemas have there. */
const HARMLESS_VALUE = /^(?:true|false|null|none|undefined|string|number|boolean|object|array|\d{1,9}|[*•x.…-]+|)$/i;

/** An unquoted value counts only when it looks random: code assigns calls and variables to such names all the time. */
const looksRandom = (value: string): boolean =>
  value.length >= 6 && !value.includes('(') && (/\d/.test(value) || /^[\w+/=-]{24,}$/.test(value));

/** `API_KEY=value`: how environment files and shells set variables; there an unquoted value is a literal. */
const isVariable = (before: string): boolean => /^[A-Z_-]+=$/.test(before);

const onlyMasks = new RegExp(`^(?:(?:${SCHEMES})\\s+)?(?:${MASKED}|[\\s;,:]|[\\w.-]{1,64}=(?=<))+$`, 'i');

const SCHEME_AND_REST = new RegExp(`^(\\s*(?:${SCHEMES})\\s+)?(.*)$`, 'is');

/** The value with a known scheme kept, the rest replaced. */
export function maskCredential(value: string, mask: Mask): string {
  const [, scheme = '', credential = value] = SCHEME_AND_REST.exec(value) ?? [];
  if (credential === '' || onlyMasks.test(value)) return value;
  const kind = scheme.trim().toLowerCase() === 'basic' ? 'credentials' : kindOfSecret(credential);
  return `${scheme}${mask(credential, kind)}`;
}

/** Attributes of Set-Cookie (RFC 6265 §5.2), which are no secrets. */
const COOKIE_ATTRIBUTES = /^(?:expires|max-age|domain|path|samesite|priority)$/i;

/** `a=1; b=2` with names kept and values replaced; attributes of Set-Cookie stay. */
export function maskCookies(value: string, isSetCookie: boolean, mask: Mask): string {
  return value.replace(
    /([^=;\s][^=;]{0,255})(=)([^;]*)|[^=;\s][^=;]*/g,
    (whole, name?: string, _equals?: string, secret?: string) => {
      if (name === undefined)
        return /^(?:secure|httponly|partitioned)\s*$/i.test(whole) ? whole : mask(whole, 'cookie');
      if (isSetCookie && COOKIE_ATTRIBUTES.test(name)) return whole;
      return secret === undefined || secret === '' || onlyMasks.test(secret)
        ? whole
        : `${name}=${mask(secret, 'cookie')}`;
    },
  );
}

type Value = string | undefined;

/** Backslashes at the end of a value belong to the quote behind it, in JSON inside JSON. */
function withoutEscape(value: string): string {
  let length = value.length;
  while (value[length - 1] === '\\') length--;
  return value.slice(0, length);
}

/** `values`: what the quoted alternatives and the bare one matched, in their order; exactly one is there. */
function maskAssignment(mask: Mask, whole: string, before: string, rest: string, values: readonly Value[]): string {
  const at = values.findIndex((value) => value !== undefined);
  const value = withoutEscape(values[at] ?? '');
  const after = (values[at] ?? '').slice(value.length);
  const isBare = at === values.length - 1;
  if (!isSecretRest(rest) || HARMLESS_VALUE.test(value) || onlyMasks.test(value)) return whole;
  if (isBare && !looksRandom(value) && !(isVariable(before) && value.length >= 6)) return whole;
  return whole.slice(0, whole.length - value.length - after.length) + maskCredential(value, mask) + after;
}

/** `text` with all values replaced that their context makes secret. */
export function maskByContext(text: string, mask: Mask): string {
  return text
    .replace(SCHEME, (whole, before: string, value: string) =>
      isCredential(value) ? `${before}${mask(value, kindOfSecret(value))}` : whole,
    )
    .replace(
      COOKIE,
      (_, before: string, value: string) => `${before}${maskCookies(value, /^set-/i.test(before), mask)}`,
    )
    .replace(USER_INFO, (_, before: string, value: string) => `${before}${mask(value, 'user-info')}@`)
    .replace(PARAMETER, (whole, before: string, name: string, value: string) =>
      isSecretParameter(percentDecoded(name)) && !HARMLESS_VALUE.test(value)
        ? `${before}${name}=${mask(value, kindOfSecret(value))}`
        : whole,
    )
    .replace(OPTION, (whole, before: string, rest: string, value: string) =>
      isSecretRest(rest) && looksRandom(value) ? `${before}${mask(value, kindOfSecret(value))}` : whole,
    )
    .replace(USER_OPTION, (_, before: string, value: string) => `${before}${mask(value, 'user-info')}`)
    .replace(ASSIGNMENT, (whole, before: string, rest: string, ...values: Value[]) =>
      maskAssignment(mask, whole, before, rest, values.slice(0, ASSIGNMENT_VALUES)),
    );
}
