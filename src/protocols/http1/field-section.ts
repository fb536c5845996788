// The field lines of one head or trailer section (RFC 9112 §5), collected line by line, bounded in bytes and number.

import type { HeaderField } from '../../model/index.ts';
import { FIELD_LIMIT, HEAD_LIMIT_BYTES } from './limits.ts';
import { parseFieldLine, withoutSpace } from './syntax.ts';

export interface FieldProblem {
  readonly code: 'h1.field' | 'h1.head-too-large';
  readonly detail: string;
  readonly spec: string;
}

/** Recipients disagree on what these do: one takes a CR for a line end, another does not. */
const FORBIDDEN = /[\r\0]/;

const doubtful = (detail: string, spec: string): FieldProblem => ({ code: 'h1.field', detail, spec });

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
    if (parsed === undefined) return doubtful('a field line without a name', 'RFC 9112 §5');
    const [name, value] = parsed.field;
    this.#fields.push([name, value]);
    if (parsed.hasSpaceBeforeColon)
      return doubtful(`white space behind the name ${name.slice(0, 40)}`, 'RFC 9112 §5.1');
    if (FORBIDDEN.test(value)) return doubtful(`a CR or NUL in the value of ${name.slice(0, 40)}`, 'RFC 9110 §5.5');
    return undefined;
  }

  /** Obsolete line folding (RFC 9112 §5.2): the line continues the last value, with one space between. */
  #fold(line: string): FieldProblem | undefined {
    const last = this.#fields.at(-1);
    if (last === undefined) return doubtful('a folded line without a field', 'RFC 9112 §5.2');
    const text = withoutSpace(line);
    // Only joined, never copied: a value may have a hundred thousand of these.
    if (text !== '') last[1] = last[1] === '' ? text : `${last[1]} ${text}`;
    return undefined;
  }
}
