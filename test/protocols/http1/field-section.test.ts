import { describe, expect, it } from 'vitest';
import { FieldSection } from '../../../src/protocols/http1/field-section.ts';
import { FIELD_LIMIT, HEAD_LIMIT_BYTES } from '../../../src/protocols/http1/limits.ts';

describe('FieldSection', () => {
  it('keeps fields in order, repeated ones too, and unfolds', () => {
    const section = new FieldSection();
    for (const line of ['A: 1', 'a: 2', ' more', '\t and more']) expect(section.add(line)).toBeUndefined();
    expect(section.fields).toEqual([
      ['a', '1'],
      ['a', '2 more and more'],
    ]);
  });

  it('reports a fold of nothing and leaves it out', () => {
    const section = new FieldSection();
    expect(section.add(' x')?.code).toBe('h1.field');
    expect(section.fields).toEqual([]);
  });

  it('keeps a value with a CR or NUL inside and reports it, as white space behind a name', () => {
    const section = new FieldSection();
    expect(section.add('a: b\rtransfer-encoding: chunked')).toMatchObject({ code: 'h1.field', spec: 'RFC 9110 §5.5' });
    expect(section.add('c: d\0')).toMatchObject({ code: 'h1.field', spec: 'RFC 9110 §5.5' });
    expect(section.add('e : f')).toMatchObject({ code: 'h1.field', spec: 'RFC 9112 §5.1' });
    expect(section.fields.map(([name]) => name)).toEqual(['a', 'c', 'e']);
  });

  it('takes a fold without text for nothing, and a value that begins in a fold', () => {
    const section = new FieldSection();
    for (const line of ['a:', ' ', '\tb', '  ', ' \u00a0']) section.add(line);
    expect(section.fields).toEqual([['a', 'b \u00a0']]);
  });

  it('stops at its limits of fields and of bytes', () => {
    const many = new FieldSection();
    for (let count = 0; count < FIELD_LIMIT; count++) expect(many.add('a: b')).toBeUndefined();
    expect(many.add('a: b')?.code).toBe('h1.head-too-large');
    expect(new FieldSection().add(`a: ${'b'.repeat(HEAD_LIMIT_BYTES)}`)?.code).toBe('h1.head-too-large');
  });
});
