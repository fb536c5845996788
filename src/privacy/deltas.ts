// Streamed answers come in pieces that cut secrets in two. So the end of what has come is held back until it is certain that
// no secret runs across: whole words behind which no context is open (a name waiting for its value, a scheme, a cookie
// line, a key block). What is let go has been searched like any other text.
//
// A held text is bounded. When a word or a key block grows over the bound, all of it is replaced and the rest of it is
// swallowed up to its end: a live view may lose such text, it never shows a piece of a secret. The `call` event that
// follows has the whole answer, searched as a whole.

import { MAX_COOKIE_LENGTH, MAX_QUOTED_LENGTH, USER_OPTIONS } from './contexts.ts';
import type { Mask } from './fingerprint.ts';
import { SECRET_WORDS } from './names.ts';
import { endOfKey, KEY_BEGIN } from './private-keys.ts';
import { maskText } from './text.ts';
import { WORD_EDGE } from './token-rules.ts';

/** Longest secrets in one word (JWTs with many claims) take 8 KiB; twice that is held. */
const MAX_HELD_LENGTH = 16_384;

/** Longest text that OPEN_CONTEXT can match. */
const CONTEXT_LENGTH = Math.max(MAX_COOKIE_LENGTH, MAX_QUOTED_LENGTH) * 2 + 256;

/** An END line may itself be cut: so much of a swallowed key is kept in view. */
const END_LINE_LENGTH = 80;

const quotedOpen = (quote: string): string => `${quote}(?:[^${quote}\\\\\\n]|\\\\[^\\n]){0,${MAX_QUOTED_LENGTH}}`;

/** A context that is still open at the end: what comes next may be its secret. Mirrors the patterns of contexts.ts. */
const OPEN_CONTEXT = new RegExp(
  `(?:${[
    `(?:${SECRET_WORDS})[A-Za-z0-9_-]{0,32}\\\\{0,63}["'\`]?\\]?\\s{0,8}(?:(?:=>|:=|==?|:)\\s{0,8}\\\\{0,63}(?:${['"', "'", '`'].map(quotedOpen).join('|')}|[A-Za-z][\\w-]{0,24}\\s{1,8})?)?`,
    `${WORD_EDGE}(?:bearer|basic|negotiate)\\s{0,8}`,
    `${WORD_EDGE}(?:${USER_OPTIONS})[\\s=]{0,4}["']?`,
    `cookie\\\\{0,4}["']?\\s{0,8}(?::\\s{0,8}\\\\{0,4}["']?[^"'\\n\\\\]{0,${MAX_COOKIE_LENGTH}})?`,
    '-----BEGIN[A-Z0-9 +]{0,60}-{0,4}',
  ].join('|')})$`,
  'i',
);

const SPACE = /\s/;

/** Start of the word that `at` is in. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !SPACE.test(text[start - 1] ?? '')) start--;
  return start;
}

/** Start of a key block that has not ended within `text`, or -1. */
function openKey(text: string): number {
  const begins = new RegExp(KEY_BEGIN, 'g');
  for (let begin = begins.exec(text); begin !== null; begin = begins.exec(text)) {
    const end = endOfKey(text, begins.lastIndex);
    if (end < 0) return begin.index;
    begins.lastIndex = end;
  }
  return -1;
}

/** Contexts open within each other that are gone back over; of more, as only a hostile text has, all is held. */
const MAX_STEPS = 4;

/** How much of `held` may be let go; each step goes back over one open context. */
function safeLength(held: string): number {
  let length = wordStart(held, held.length);
  const key = openKey(held);
  if (key >= 0) length = Math.min(length, wordStart(held, key));
  for (let steps = 0; length > 0; steps++) {
    if (steps === MAX_STEPS) return 0;
    const from = Math.max(0, length - CONTEXT_LENGTH);
    const open = OPEN_CONTEXT.exec(held.slice(from, length));
    if (open === null) break;
    length = wordStart(held, from + open.index);
  }
  return length;
}

/** What to do with text that comes: hold it, or drop it until a word or a key block that was too long has ended. */
type Mode = 'hold' | 'drop-word' | 'drop-key';

/** Holds back one stream of text. */
export class HeldText {
  readonly #mask: Mask;
  #held = '';
  #mode: Mode = 'hold';

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** Text that may be shown now, redacted; possibly empty. */
  push(text: string): string {
    this.#held += text;
    if (this.#mode !== 'hold' && !this.#dropped()) return '';
    const length = safeLength(this.#held);
    const safe = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return maskText(safe, this.#mask) + this.#overflow();
  }

  /** The rest, at the end of the stream. */
  end(): string {
    const rest = this.#mode === 'hold' ? this.#held : '';
    this.#held = '';
    return maskText(rest, this.#mask);
  }

  /** True when what was dropped has ended; the held text then begins behind it. */
  #dropped(): boolean {
    const end = this.#mode === 'drop-key' ? endOfKey(this.#held, 0) : this.#held.search(SPACE);
    if (end < 0) {
      this.#held = this.#mode === 'drop-key' ? this.#held.slice(-END_LINE_LENGTH) : '';
      return false;
    }
    this.#held = this.#held.slice(end);
    this.#mode = 'hold';
    return true;
  }

  #overflow(): string {
    if (this.#held.length <= MAX_HELD_LENGTH) return '';
    const isKey = openKey(this.#held) >= 0;
    const replaced = this.#mask(this.#held, isKey ? 'private-key' : 'held-text');
    this.#mode = isKey ? 'drop-key' : 'drop-word';
    this.#held = isKey ? this.#held.slice(-END_LINE_LENGTH) : '';
    return replaced;
  }
}
