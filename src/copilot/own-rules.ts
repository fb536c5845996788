// Rules of the user's own, from a YAML or JSON file (JSON is YAML 1.2). They stand before the built-in table. Every
// problem of a file is told with its line; a file with a problem gives no rules at all, so that no typing error passes
// for a rule that never fits.

import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { DIALECTS } from '../dialects/index.ts';
import { FACTS_NAMES, type FactsName } from './facts/table.ts';
import { KIND_BY_PROMPT, KIND_NAMES } from './kinds.ts';
import { type ClassRule, type Test, test } from './rule.ts';
import { bodyHas, bodyModel, header } from './view.ts';

export interface RuleProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export type OwnRules =
  | { readonly rules: readonly ClassRule[]; readonly problems: readonly [] }
  | { readonly rules: readonly []; readonly problems: readonly [RuleProblem, ...RuleProblem[]] };

/** Rules of one file; each is tried for each call. */
const MAX_RULES = 1000;

const FIELDS = [
  'class',
  'about',
  'host',
  'method',
  'path',
  'header',
  'model',
  'body',
  'dialect',
  'kind',
  'keeps',
  'confidence',
];
const CONFIDENCES = ['high', 'medium', 'low'] as const;
const DIALECT_NAMES = ['by-body', ...DIALECTS.map((dialect) => dialect.name)];
const KIND_VALUES = [KIND_BY_PROMPT, ...KIND_NAMES];

/** `name` is how the file is called in the evidence. */
export function readOwnRules(text: string, name: string): OwnRules {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const reader = new Reader((offset) => lines.linePos(offset).line, name);
  for (const error of document.errors) reader.problem(error.pos[0], error.message);
  const rules = document.errors.length > 0 ? [] : reader.file(document.contents);
  const [first, ...more] = reader.problems.toSorted((a, b) => a.line - b.line);
  return first === undefined ? { rules, problems: [] } : { rules: [], problems: [first, ...more] };
}

const offsetOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0;

/** A field of a rule: its value, and where it stands. */
interface Field {
  readonly value: unknown;
  readonly at: number;
}

class Reader {
  readonly problems: RuleProblem[] = [];
  readonly #lineOf: (offset: number) => number;
  readonly #name: string;

  constructor(lineOf: (offset: number) => number, name: string) {
    this.#lineOf = lineOf;
    this.#name = name;
  }

  problem(offset: number, message: string): undefined {
    this.problems.push({ line: this.#lineOf(offset), message });
  }

  /** The rules of a file: a list, or a map whose `rules` is one. */
  file(contents: unknown): ClassRule[] {
    const list = isMap(contents) ? contents.get('rules', true) : contents;
    if (!isSeq(list)) {
      this.problem(offsetOf(contents), 'expected a list of rules, or a map with the field `rules`');
      return [];
    }
    if (isMap(contents)) this.#refuseOthers(contents, ['rules']);
    if (list.items.length > MAX_RULES) this.problem(offsetOf(list), `more than ${MAX_RULES} rules`);
    return list.items.slice(0, MAX_RULES).flatMap((item) => this.#rule(item) ?? []);
  }

  #refuseOthers(map: YAMLMap, known: readonly string[]): void {
    for (const { key } of map.items as Pair<unknown, unknown>[]) {
      const name = isScalar(key) ? String(key.value) : 'a key that is no text';
      if (!known.includes(name))
        this.problem(offsetOf(key), `unknown field \`${name}\`; known are ${known.join(', ')}`);
    }
  }

  #rule(item: unknown): ClassRule | undefined {
    if (!isMap(item)) return this.problem(offsetOf(item), 'a rule is a map of fields');
    this.#refuseOthers(item, FIELDS);
    const field = (name: string): Field | undefined => {
      const node = item.get(name, true) as Node | undefined;
      return node === undefined ? undefined : { value: node.toJSON(), at: offsetOf(node) };
    };
    const callClass = this.#text(field('class'), /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, 'a name such as acme.chat');
    if (field('class') === undefined) this.problem(offsetOf(item), 'a rule needs the field `class`');
    const tests = [...this.#hostTest(field('host')), ...this.#otherTests(field)];
    const path = this.#pattern(field('path'));
    const methods = this.#texts(field('method'))?.map((method) => method.toUpperCase());
    const dialect = this.#oneOf(field('dialect'), DIALECT_NAMES);
    const kind = this.#kind(field('kind'), dialect);
    const keeps = this.#oneOf(field('keeps'), FACTS_NAMES) as FactsName | undefined;
    if (dialect !== undefined && keeps !== undefined)
      this.problem(offsetOf(item), '`dialect` is for LLM calls, `keeps` for others: use one of them');
    return {
      id: `${this.#name}:${this.#lineOf(offsetOf(item))}`,
      class: callClass ?? '',
      about: this.#text(field('about'), /^/, 'text') ?? '',
      hosts: ['any'],
      ...(methods === undefined ? {} : { methods }),
      path: path ?? /^/,
      tests,
      ...(dialect === undefined ? {} : { dialect }),
      ...(kind === undefined ? {} : { kind }),
      ...(keeps === undefined ? {} : { keeps }),
      source: 'own rule',
      confidence: (this.#oneOf(field('confidence'), CONFIDENCES) as ClassRule['confidence'] | undefined) ?? 'high',
    };
  }

  #text(field: Field | undefined, form: RegExp, expected: string): string | undefined {
    if (field === undefined) return undefined;
    if (typeof field.value === 'string' && form.test(field.value)) return field.value;
    return this.problem(field.at, `expected ${expected}`);
  }

  /** One text, or a list of them. */
  #texts(field: Field | undefined): readonly string[] | undefined {
    if (field === undefined) return undefined;
    const list: unknown[] = Array.isArray(field.value) ? field.value : [field.value];
    if (list.length > 0 && list.every((item) => typeof item === 'string')) return list;
    return this.problem(field.at, 'expected a text or a list of texts');
  }

  #oneOf(field: Field | undefined, names: readonly string[]): string | undefined {
    if (field === undefined) return undefined;
    const { value } = field;
    if (typeof value === 'string' && names.includes(value)) return value;
    return this.problem(field.at, `expected one of ${names.join(', ')}`);
  }

  #kind(field: Field | undefined, dialect: string | undefined): string | undefined {
    if (field === undefined || dialect !== undefined) return this.#oneOf(field, KIND_VALUES);
    return this.problem(field.at, '`kind` is for LLM calls: it needs the field `dialect`');
  }

  #pattern(field: Field | undefined): RegExp | undefined {
    if (field === undefined) return undefined;
    if (typeof field.value !== 'string') return this.problem(field.at, 'expected a regular expression as text');
    return this.#compile(field.value, field.at, '');
  }

  #compile(source: string, at: number, flags: string): RegExp | undefined {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      return this.problem(at, (error as Error).message);
    }
  }

  /** Host names; `*.acme.example` stands for any name below it. */
  #hostTest(field: Field | undefined): Test[] {
    const names = this.#texts(field)?.map((name) => name.toLowerCase());
    if (names === undefined) return [];
    const fits = (host: string): boolean =>
      names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
    return [test(`host ${names.join(' or ')}`, ({ host }) => host !== null && fits(host))];
  }

  #otherTests(field: (name: string) => Field | undefined): Test[] {
    const keys = this.#texts(field('body')) ?? [];
    const model = this.#pattern(field('model'));
    return [
      ...this.#headerTests(field('header')),
      ...(model === undefined ? [] : [test(`model ${model.source}`, (view) => model.test(bodyModel(view)))]),
      ...keys.map((key) => test(`body has ${key}`, (view) => bodyHas(view, key))),
    ];
  }

  #headerTests(field: Field | undefined): Test[] {
    if (field === undefined) return [];
    if (typeof field.value !== 'object' || field.value === null || Array.isArray(field.value)) {
      this.problem(field.at, 'expected a map of header names to regular expressions');
      return [];
    }
    return Object.entries(field.value).flatMap(([name, source]) => {
      const pattern = this.#compile(String(source), field.at, 'i');
      const lower = name.toLowerCase();
      return pattern === undefined ? [] : [test(`header ${lower}`, (view) => pattern.test(header(view, lower)))];
    });
  }
}
