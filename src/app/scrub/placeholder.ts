// What takes a secret's place in a shareable recording: text of the same length and the same shape (prefix, separators,
// letters for letters, digits for digits), so that the recording decodes as before and its redaction recognises the same
// kinds. Equal secrets get equal placeholders within one file. Made by a keyed hash (HMAC-SHA-256, RFC 2104) whose key is
// forgotten: nothing of the secret is in it but its shape.

import { createHmac, randomBytes } from 'node:crypto';
import { copyOf } from '../../insight/index.ts';
import type { Mask } from '../../privacy/index.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

/** Beginnings that say what a token is and nothing about whose it is. */
const PREFIX =
  /^(?:github_pat_|gh[oupsr]_|sk-ant-(?:[a-z]{3}\d\d-)?|sk-(?:proj-|svcacct-|admin-)?|[sr]k_(?:live|test)_|A[KS]IA|AIza|ya29\.|GOCSPX-|xox[a-z]-|xapp-|glpat-|npm_|hf_|pypi-|vscode-lm-|eyJ|SG\.|do[opr]_v1_|gsk_|xai-|pplx-|r8_|dapi|ATATT3|hv[sb]\.|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|dckr_[po]at_|figd_|rubygems_|PMAK-|sntry[su]_|gl(?:sa|c)_)/;

/** Escapes of URLs and JSON: one written character, to be left whole. */
const ESCAPE = /%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[nrtbf"\\/]/g;

/** Endless bytes that depend on the secret and on this file's key. */
function* stream(key: Uint8Array, secret: string): Generator<number> {
  for (let block = 0; ; block++) yield* createHmac('sha256', key).update(`${block} ${secret}`).digest();
}

const alphabetOf = (character: string): string | null => {
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  return /\d/.test(character) ? DIGITS : null;
};

/** Other letters and digits in place of those from `from` on; escapes and everything else stay. */
function scramble(key: Uint8Array, text: string, from: number, secret: string): string {
  const random = stream(key, secret);
  const kept = new Set<number>();
  for (const { 0: unit, index } of text.matchAll(ESCAPE))
    for (let at = index; at < index + unit.length; at++) kept.add(at);
  let out = text.slice(0, from);
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    const alphabet = kept.has(at) ? null : alphabetOf(character);
    out += alphabet === null ? character : alphabet[(random.next().value ?? 0) % alphabet.length];
  }
  return out;
}

/** Values in a Copilot token that say what it is for: flags, dates, plan names. */
const PLAIN_VALUE = /^(?:[01]|1\d{9}|[a-z_]{1,40})$/;

function scrambleCopilotToken(key: Uint8Array, token: string): string {
  const parts = token.split(/([=;:])/);
  const values = parts.map((part, i) => {
    const isValue = parts[i - 1] === '=' || parts[i - 1] === ':';
    return isValue && !PLAIN_VALUE.test(part) ? scramble(key, part, 0, part) : part;
  });
  return values.join('');
}

/** The lines between BEGIN and END, which stay. */
const scramblePrivateKey = (key: Uint8Array, block: string): string =>
  block.replace(
    /^(-----BEGIN[^-]*-----)([\s\S]*?)(-----END[^-]*-----)?$/,
    (_, begin: string, body: string, end = '') => `${begin}${scramble(key, body, 0, body)}${end}`,
  );

/** Base64 whose decoded text has secrets: decoded, changed, encoded again, at the alignment at which it has some. */
function scrambleBase64(run: string, change: (text: string) => string): string | null {
  const isUrl = /[-_]/.test(run);
  for (const skip of [0, 1, 2, 3]) {
    const digits = run.slice(skip).replace(/=+$/, '');
    const whole = digits.slice(0, digits.length - (digits.length % 4 === 1 ? 1 : 0));
    const decoded = Buffer.from(whole, isUrl ? 'base64url' : 'base64').toString('latin1');
    const changed = change(decoded);
    if (changed === decoded || changed.length !== decoded.length) continue;
    const encoded = Buffer.from(changed, 'latin1')
      .toString(isUrl ? 'base64url' : 'base64')
      .replace(/=+$/, '');
    return run.slice(0, skip) + encoded + run.slice(skip + encoded.length);
  }
  return null;
}

/** Percent-encoding and `\u` escapes: letters and digits that are written as escapes become themselves first. */
function scrambleEscaped(run: string, change: (text: string) => string): string | null {
  const units = [...run.matchAll(/%[0-9A-Fa-f]{2}|\\{1,4}u[0-9A-Fa-f]{4}|[\s\S]/g)].map(([unit]) => unit);
  const plain = units.map((unit) => {
    const code = unit.length === 1 ? null : Number.parseInt(unit.replace(/^(?:%|\\+u)/, ''), 16);
    return code === null || code > 0x7e ? (unit[0] ?? '') : String.fromCharCode(code);
  });
  const changed = change(plain.join(''));
  if (changed === plain.join('') || changed.length !== plain.length) return null;
  return units.map((unit, i) => rewritten(unit, plain[i] ?? '', changed[i] ?? '')).join('');
}

/** `unit` for another character: in the same way of writing. */
function rewritten(unit: string, before: string, after: string): string {
  if (before === after) return unit;
  if (unit.length === 1) return after;
  const digits = unit.startsWith('%') ? 2 : 4;
  return unit.slice(0, -digits) + after.charCodeAt(0).toString(16).padStart(digits, '0');
}

export interface PlaceholderMask {
  /** For the search of the privacy room. */
  readonly mask: Mask;
  /** True for a text that has a placeholder in it. */
  readonly isMade: (text: string) => boolean;
  /** Secrets that were replaced so far. */
  readonly count: () => number;
}

/** `change`: the text search with this very mask, for texts inside encoded runs. */
export function createPlaceholderMask(change: (text: string, mask: Mask) => string): PlaceholderMask {
  const key = new Uint8Array(randomBytes(32));
  const known = new Map<string, string>();
  /** A placeholder is found again by later passes: it stays. */
  const made = new Set<string>();
  const again = (text: string): string => change(text, mask);
  const make = (secret: string, kind: string): string => {
    if (kind === 'copilot-token') return scrambleCopilotToken(key, secret);
    if (kind === 'private-key') return scramblePrivateKey(key, secret);
    if (kind !== 'encoded-secret') return makeShaped(secret);
    const inner = /[%\\]/.test(secret) ? scrambleEscaped(secret, again) : scrambleBase64(secret, again);
    return inner ?? scramble(key, secret, 0, secret);
  };
  /** The value of a name may hold a token that is known by its shape: then only that changes. */
  const makeShaped = (secret: string): string => {
    const prefix = PREFIX.exec(secret)?.[0].length ?? 0;
    const inner = prefix === 0 ? again(secret) : secret;
    return inner !== secret && inner.length === secret.length ? inner : scramble(key, secret, prefix, secret);
  };
  /** The one that is being made: its own search comes back to it. */
  let making: string | null = null;
  const mask: Mask = (secret, kind) => {
    if (made.has(secret) || secret === making) return secret;
    const before = known.get(secret);
    if (before !== undefined) return before;
    const outer = making;
    making = secret;
    const placeholder = make(secret, kind);
    making = outer;
    // Copies: both may be parts of the body that they were found in, and would keep all of it.
    const kept = copyOf(placeholder);
    known.set(copyOf(secret), kept);
    made.add(kept);
    return kept;
  };
  return {
    mask,
    isMade: (text) => [...made].some((placeholder) => text.includes(placeholder)),
    count: () => known.size,
  };
}
