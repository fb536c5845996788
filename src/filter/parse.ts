// The filter language, from text to a tree. In the manner of mitmproxy and the browsers' network panel: `field:value`, a
// bare word searches, `-` or `!` or `not` negate, terms side by side are joined by `and`, which binds closer than `or`.
//
//   or   = and { ("or" | "|" | "||") and }
//   and  = not { [ "and" | "&" | "&&" ] not }
//   not  = ("not" | "!" | "-") not | "(" or ")" | term
//   term = field op value | value        op = : = != ~ !~ < <= > >=        value = word | "…"

import { comparison, FilterProblem, type Operator, positiveOf, type ValueTest } from './compare.ts';
import { FIELDS, type FieldRow, findField } from './event-facts.ts';

export type Condition =
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'test'; readonly row: FieldRow; readonly name: string; readonly test: ValueTest }
  /** A bare word: found in one of these fields. */
  | { readonly kind: 'word'; readonly rows: readonly FieldRow[]; readonly test: ValueTest };

/** Longer ones are not typed, and not read either. */
const MAX_FILTER_CHARS = 4_000;
const MAX_DEPTH = 100;
/** Where a bare word is looked for. */
const WORD_FIELDS = ['class', 'url', 'model', 'role', 'comm', 'finding', 'sni', 'from.host', 'from.user'];

const OPERATOR = /^(?:!=|!~|<=|>=|[:=~<>])/;
const FIELD = /^[A-Za-z][\w.-]*(?=!=|!~|<=|>=|[:=~<>])/;
const CONNECTIVE = /^(?:and|or)(?![\w.:=~<>!-])/i;
const JOINED_BY_OR = /^(?:or(?![\w.:=~<>!-])|\|\|?)/i;
const JOINED_BY_AND = /^(?:and(?![\w.:=~<>!-])|&&?)/i;
const NEGATED = /^(?:not(?![\w.:=~<>!-])|!|-)/i;

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Condition {
    const condition = this.#any();
    if (this.#at < this.#text.length) throw new FilterProblem('unmatched )', this.#at);
    return condition;
  }

  #any(): Condition {
    const conditions = [this.#all()];
    while (this.#take(JOINED_BY_OR)) conditions.push(this.#all());
    return conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'any', conditions };
  }

  #all(): Condition {
    const conditions = [this.#not()];
    for (;;) {
      if (!this.#take(JOINED_BY_AND) && (this.#isAtEnd() || this.#sees(JOINED_BY_OR))) break;
      conditions.push(this.#not());
    }
    return conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'all', conditions };
  }

  #not(): Condition {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new FilterProblem('nested too deeply', this.#at);
    const condition: Condition = this.#take(NEGATED) ? { kind: 'not', condition: this.#not() } : this.#primary();
    this.#depth -= 1;
    return condition;
  }

  #primary(): Condition {
    this.#skipBlanks();
    const start = this.#at;
    if (this.#text[start] !== '(') return this.#term();
    this.#at += 1;
    const inner = this.#any();
    if (!this.#take(/^\)/)) throw new FilterProblem('missing )', start);
    return inner;
  }

  #term(): Condition {
    const start = this.#at;
    const field = FIELD.exec(this.#rest())?.[0];
    if (field === undefined) return this.#word();
    const found = findField(field);
    if (found === null) throw new FilterProblem(`unknown field ${field}${suggestion(field)}`, start);
    this.#at += field.length;
    const operator = (OPERATOR.exec(this.#rest())?.[0] ?? ':') as Operator;
    this.#at += operator.length;
    const positive = positiveOf(operator);
    const isPattern = positive.operator === '~';
    const { value, at } = this.#value(`a value after ${field}${operator}`, isPattern);
    const test: Condition = { kind: 'test', ...found, test: comparison(found.row, positive.operator, value, at) };
    return positive.isNegated ? { kind: 'not', condition: test } : test;
  }

  #word(): Condition {
    if (CONNECTIVE.test(this.#rest())) throw new FilterProblem('expected a condition', this.#at);
    const { value, at } = this.#value('a condition', false);
    const needle = value.toLowerCase();
    if (needle === '') throw new FilterProblem('nothing to search for', at);
    const rows = FIELDS.filter(({ name }) => WORD_FIELDS.includes(name));
    return { kind: 'word', rows, test: (actual) => String(actual).toLowerCase().includes(needle) };
  }

  /** A word or a quoted text, and where it begins. */
  #value(what: string, isPattern: boolean): { value: string; at: number } {
    const start = this.#at;
    const char = this.#text[start];
    if (char === undefined || /[\s)&|]/.test(char)) throw new FilterProblem(`expected ${what}`, start);
    return char === '"' ? this.#quoted(start) : this.#bare(start, isPattern);
  }

  /** `\"` is a quote and `\\"`-like pairs stay as they are, so that regular expressions need no second escaping. */
  #quoted(start: number): { value: string; at: number } {
    const match = /^"((?:[^"\\]|\\.)*)"/s.exec(this.#rest());
    if (match === null) throw new FilterProblem('missing "', start);
    this.#at += match[0].length;
    return { value: (match[1] ?? '').replaceAll('\\"', '"'), at: start + 1 };
  }

  /** Up to a blank, or to a ) that was not opened in the word itself. Only patterns have ( and ) of their own. */
  #bare(start: number, isPattern: boolean): { value: string; at: number } {
    let depth = 0;
    let end = start;
    for (; end < this.#text.length; end += 1) {
      const char = this.#text[end] ?? '';
      if (/\s/.test(char) || (char === ')' && depth === 0)) break;
      if (char === '\\') end += 1;
      else if (char === '(') depth += 1;
      else if (char === ')') depth -= 1;
    }
    this.#at = Math.min(end, this.#text.length);
    const value = this.#text.slice(start, this.#at);
    const paren = isPattern ? -1 : value.search(/[()]/);
    if (paren !== -1) throw new FilterProblem(`${value[paren]} inside a word: quote the word`, start + paren);
    return { value, at: start };
  }

  #rest(): string {
    return this.#text.slice(this.#at);
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #sees(token: RegExp): boolean {
    this.#skipBlanks();
    return token.test(this.#rest());
  }

  #take(token: RegExp): boolean {
    this.#skipBlanks();
    const match = token.exec(this.#rest());
    this.#at += match?.[0].length ?? 0;
    return match !== null;
  }

  #isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at >= this.#text.length || this.#text[this.#at] === ')';
  }
}

/** Edits from one word to the other, or more than `limit`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const MAX_EDITS = 2;

function suggestion(field: string): string {
  const near = FIELDS.map(({ name }) => ({ name, edits: distance(field.toLowerCase().slice(0, 40), name) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits)[0];
  return near === undefined ? '' : ` (did you mean ${near.name}?)`;
}

/** Throws FilterProblem. */
export function parseCondition(text: string): Condition {
  if (text.length > MAX_FILTER_CHARS)
    throw new FilterProblem(`longer than ${MAX_FILTER_CHARS} characters`, MAX_FILTER_CHARS);
  return new Parser(text).whole();
}
