// One comparison of a filter, `field op value`, as a test on a field's values. What does not fit together (a size compared
// with a word, a regular expression on a number) is refused here, with the place in the filter.

import type { FieldRow, FieldUnit } from './event-facts.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';

export type Operator = ':' | '=' | '!=' | '~' | '!~' | '<' | '<=' | '>' | '>=';

/** True when one of the values fits. */
export type ValueTest = (value: string | number) => boolean;

/** What is wrong with a filter and where: index of the character, from 0. */
export class FilterProblem extends Error {
  readonly at: number;

  constructor(what: string, at: number) {
    super(what);
    this.name = 'FilterProblem';
    this.at = at;
  }
}

const UNITS: Readonly<Record<FieldUnit, Readonly<Record<string, number>>>> = {
  text: {},
  prose: {},
  number: { '': 1, k: 1e3, m: 1e6 },
  bytes: { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 },
  /** Milliseconds. */
  time: { '': 1, ms: 1, s: 1000, m: 60_000 },
};

const EXAMPLES: Readonly<Record<FieldUnit, string>> = {
  text: '',
  prose: '',
  number: '8000 or 8k',
  bytes: '4096, 64k or 1M',
  time: '800ms, 1.5s or 2m',
};

function toNumber(text: string, unit: FieldUnit, at: number): number {
  const match = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text);
  const factor = UNITS[unit][(match?.[2] ?? '?').toLowerCase()];
  if (match === null || factor === undefined) throw new FilterProblem(`expected a number like ${EXAMPLES[unit]}`, at);
  return Number(match[1]) * factor;
}

const ORDER: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** A glob as a regular expression: `*` is any text. In prose it may stand anywhere, elsewhere it is the whole value. */
function globPattern(glob: string, unit: FieldUnit): Pattern {
  const source = glob.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replace(/\*+/g, '[\\s\\S]*');
  return compilePattern(unit === 'prose' ? source : `^${source}$`);
}

function textTest({ unit }: FieldRow, operator: Operator, value: string, at: number): ValueTest {
  if (operator === '=') return (actual) => String(actual) === value;
  if (operator === ':' || operator === '~') {
    const pattern = patternAt(unit, operator, value, at);
    return (actual) => pattern.test(String(actual));
  }
  throw new FilterProblem(`${operator} compares numbers; this field is text, use : = or ~`, at);
}

function patternAt(unit: FieldUnit, operator: ':' | '~', value: string, at: number): Pattern {
  try {
    return operator === ':' ? globPattern(value, unit) : compilePattern(value);
  } catch (error) {
    if (error instanceof PatternError)
      throw new FilterProblem(error.message, at + (operator === '~' ? error.offset : 0));
    throw error;
  }
}

/** `4xx` */
function statusClass(value: string): ValueTest | null {
  const match = /^([1-5])xx$/i.exec(value);
  if (match === null) return null;
  const first = Number(match[1]) * 100;
  return (actual) => Number(actual) >= first && Number(actual) < first + 100;
}

function numberTest(row: FieldRow, operator: Operator, value: string, at: number): ValueTest {
  const byClass = row.name === 'status' && (operator === ':' || operator === '=') ? statusClass(value) : null;
  if (byClass !== null) return byClass;
  const order = ORDER[operator === ':' ? '=' : operator];
  if (order === undefined) throw new FilterProblem(`${operator} searches text; this field is a number`, at);
  const wanted = toNumber(value, row.unit, at);
  return (actual) => order(Number(actual), wanted);
}

/** The positive one of a pair: `!=` is not `=`, `!~` is not `~`. */
export const positiveOf = (operator: Operator): { readonly operator: Operator; readonly isNegated: boolean } =>
  operator.startsWith('!')
    ? { operator: operator === '!=' ? '=' : '~', isNegated: true }
    : { operator, isNegated: false };

/** `at` is where the value begins. Throws FilterProblem. */
export function comparison(row: FieldRow, operator: Operator, value: string, at: number): ValueTest {
  return row.unit === 'text' || row.unit === 'prose'
    ? textTest(row, operator, value, at)
    : numberTest(row, operator, value, at);
}
