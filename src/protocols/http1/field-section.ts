// The field lines of one head or trailer section (RFC 9112 §5), collected line by line, bounded in bytes and number.

import type { HeaderField } from '../../model/index.ts';
import { FIELD_LIMIT, HEAD_LIMIT_BYTES } from './limits.ts';
import { parseFieldLine } from './syntax.ts';

export interface FieldProblem {
  readonly code: 'h1.field' | 'h1.head-too-large';
  readonly detail: string;
  readonly spec: string;
}

export class FieldSection {
  readonly #fields: [string, string][] = [];
  #bytes = 0;

  get fields(): readonly HeaderField[] {
    return this.#fields;
  }

  /** Takes a line that is not empty. A damaged line is left out and reported; `h1.head-too-large` ends the section. */
  add(line: string): FieldProblem | undefined {
    this.#bytes += line.length;
    if (this.#bytes > HEAD_LIMIT_BYTES || this.#fields.length >= FIELD_LIMIT) {
      const detail = `${this.#fields.length} fields, ${this.#bytes} bytes`;
      return { code: 'h1.head-too-large', detail, spec: 'RFC 9112 §3' };
    }
    if (line.startsWith(' ') || line.startsWith('\t')) return this.#fold(line);
    const parsed = parseFieldLine(line);
    if (parsed === undefined) return { code: 'h1.field', detail: 'a field line without a name', spec: 'RFC 9112 §5' };
    this.#fields.push([...parsed.field]);
    if (!parsed.hasSpaceBeforeColon) return undefined;
    return {
      code: 'h1.field',
      detail: `white space behind the name ${parsed.field[0].slice(0, 40)}`,
      spec: 'RFC 9112 §5.1',
    };
  }

  /** Obsolete line folding (RFC 9112 §5.2): the line continues the last value, with one space between. */
  #fold(line: string): FieldProblem | undefined {
    const last = this.#fields.at(-1);
    if (last === undefined) return { code: 'h1.field', detail: 'a folded line without a field', spec: 'RFC 9112 §5.2' };
    last[1] = `${last[1]} ${line.trim()}`.trim();
    return undefined;
  }
}
