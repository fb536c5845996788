// Regular expressions of filters, from text to a tree. The subset of ECMAScript that can be matched in linear time: no
// back-references, no look-around. Always without regard to case, over UTF-16 units.

/** A place in a regular expression, and what is wrong there. */
export class PatternError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'PatternError';
    this.offset = offset;
  }
}

export type CharTest = (code: number) => boolean;
export type Anchor = 'start' | 'end' | 'word' | 'not-word';

export type PatternTree =
  | { readonly kind: 'char'; readonly matches: CharTest }
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  | { readonly kind: 'sequence'; readonly items: readonly PatternTree[] }
  | { readonly kind: 'choice'; readonly items: readonly PatternTree[] }
  | { readonly kind: 'repeat'; readonly item: PatternTree; readonly min: number; readonly max: number };

/** A filter is typed by hand; longer ones are mistakes. */
const MAX_PATTERN_CHARS = 1_000;
const MAX_GROUP_DEPTH = 50;
/** Upper bound of `{n}`; beyond it, and with nesting, the bound on states holds as well. */
const MAX_COUNT = 1_000;

const between =
  (from: number, to: number): CharTest =>
  (code) =>
    code >= from && code <= to;
const not =
  (test: CharTest): CharTest =>
  (code) =>
    !test(code);

export const isWordChar: CharTest = (code) =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || (code >= 0x61 && code <= 0x7a);

const isDigit = between(0x30, 0x39);
/** ECMA-262 §22.2.2.9: WhiteSpace and LineTerminator. */
const SPACES = new Set([9, 10, 11, 12, 13, 0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);
const isSpace: CharTest = (code) => SPACES.has(code) || (code >= 0x2000 && code <= 0x200a);
const isLineEnd: CharTest = (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

const CLASSES: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWordChar,
  W: not(isWordChar),
  s: isSpace,
  S: not(isSpace),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };

const otherCases = (code: number): readonly number[] => {
  const char = String.fromCharCode(code);
  return [char.toLowerCase(), char.toUpperCase()].filter((text) => text.length === 1).map((text) => text.charCodeAt(0));
};

/** The test without regard to case. */
const anyCase =
  (test: CharTest): CharTest =>
  (code) =>
    test(code) || otherCases(code).some(test);

const exactly = (code: number): CharTest => anyCase((other) => other === code);

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): PatternTree {
    const tree = this.#choice();
    if (this.#at < this.#text.length) throw this.#error('unmatched )');
    return tree;
  }

  #choice(): PatternTree {
    const items = [this.#sequence()];
    while (this.#skip('|')) items.push(this.#sequence());
    return items.length === 1 ? (items[0] as PatternTree) : { kind: 'choice', items };
  }

  #sequence(): PatternTree {
    const items: PatternTree[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) items.push(this.#repeated());
    return { kind: 'sequence', items };
  }

  #repeated(): PatternTree {
    const start = this.#at;
    let item = this.#atom();
    for (let count = this.#quantifier(); count !== null; count = this.#quantifier()) {
      if (item.kind === 'anchor') throw this.#error('nothing to repeat', start);
      item = { kind: 'repeat', item, ...count };
      // Lazy or not makes no difference to whether there is a match.
      this.#skip('?');
    }
    return item;
  }

  #quantifier(): { min: number; max: number } | null {
    if (this.#skip('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#skip('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#skip('?')) return { min: 0, max: 1 };
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.#text.slice(this.#at));
    if (match === null) return null;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (min > MAX_COUNT || (max > MAX_COUNT && Number.isFinite(max)))
      throw this.#error(`repeats more than ${MAX_COUNT} times`);
    if (max < min) throw this.#error('numbers out of order in {}');
    this.#at += match[0].length;
    return { min, max };
  }

  #atom(): PatternTree {
    const start = this.#at;
    const char = this.#next();
    switch (char) {
      case '(':
        return this.#group(start);
      case '[':
        return { kind: 'char', matches: this.#set(start) };
      case '.':
        return { kind: 'char', matches: not(isLineEnd) };
      case '^':
        return { kind: 'anchor', anchor: 'start' };
      case '$':
        return { kind: 'anchor', anchor: 'end' };
      case '\\':
        return this.#escape(start);
      case '*':
      case '+':
      case '?':
        throw this.#error('nothing to repeat', start);
      default:
        return { kind: 'char', matches: exactly(char.charCodeAt(0)) };
    }
  }

  #group(start: number): PatternTree {
    if (this.#skip('?') && !this.#skip(':')) {
      const name = /^<[A-Za-z_]\w*>/.exec(this.#text.slice(this.#at));
      if (name === null) throw this.#error('look-around and flags are not supported', start);
      this.#at += name[0].length;
    }
    this.#depth += 1;
    if (this.#depth > MAX_GROUP_DEPTH) throw this.#error('groups nested too deeply', start);
    const tree = this.#choice();
    this.#depth -= 1;
    if (!this.#skip(')')) throw this.#error('missing )', start);
    return tree;
  }

  #escape(start: number): PatternTree {
    const char = this.#peek();
    if (char === 'b' || char === 'B') {
      this.#at += 1;
      return { kind: 'anchor', anchor: char === 'b' ? 'word' : 'not-word' };
    }
    const test = CLASSES[char];
    if (test !== undefined) this.#at += 1;
    return { kind: 'char', matches: test ?? exactly(this.#escapedCode(start)) };
  }

  /** The character that an escape stands for; the backslash has been read. */
  #escapedCode(start: number): number {
    if (this.#at >= this.#text.length) throw this.#error('\\ at the end', start);
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(this.#text.slice(this.#at));
    if (hex !== null) {
      this.#at += hex[0].length;
      return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    }
    const char = this.#next();
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (/[1-9k]/.test(char)) throw this.#error('back-references are not supported', start);
    if (/[A-Za-z]/.test(char)) throw this.#error(`unknown escape \\${char}`, start);
    return char.charCodeAt(0);
  }

  #set(start: number): CharTest {
    const isNegated = this.#skip('^');
    const tests: CharTest[] = [];
    while (!this.#skip(']')) {
      if (this.#at >= this.#text.length) throw this.#error('missing ]', start);
      tests.push(this.#range());
    }
    const inSet = anyCase((code) => tests.some((test) => test(code)));
    return isNegated ? not(inSet) : inSet;
  }

  #range(): CharTest {
    const start = this.#at;
    const from = this.#setItem();
    if (typeof from === 'function') return from;
    if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']' || this.#at + 1 >= this.#text.length) {
      return (code) => code === from;
    }
    this.#at += 1;
    const to = this.#setItem();
    if (typeof to === 'function' || to < from) throw this.#error('range out of order in []', start);
    return between(from, to);
  }

  #setItem(): number | CharTest {
    const start = this.#at;
    const char = this.#next();
    if (char !== '\\') return char.charCodeAt(0);
    const test = CLASSES[this.#peek()];
    if (test === undefined && this.#skip('b')) return 8;
    if (test === undefined) return this.#escapedCode(start);
    this.#at += 1;
    return test;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #next(): string {
    const char = this.#peek();
    this.#at += 1;
    return char;
  }

  #skip(char: string): boolean {
    if (this.#peek() !== char || char === '') return false;
    this.#at += 1;
    return true;
  }

  #error(message: string, offset = this.#at): PatternError {
    return new PatternError(message, offset);
  }
}

/** Throws PatternError. */
export function parsePattern(text: string): PatternTree {
  if (text.length > MAX_PATTERN_CHARS)
    throw new PatternError(`longer than ${MAX_PATTERN_CHARS} characters`, MAX_PATTERN_CHARS);
  return new Reader(text).whole();
}
