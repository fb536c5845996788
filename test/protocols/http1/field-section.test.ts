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

  it('stops at its limits of fields and of bytes', () => {
    const many = new FieldSection();
    for (let count = 0; count < FIELD_LIMIT; count++) expect(many.add('a: b')).toBeUndefined();
    expect(many.add('a: b')?.code).toBe('h1.head-too-large');
    expect(new FieldSection().add(`a: ${'b'.repeat(HEAD_LIMIT_BYTES)}`)?.code).toBe('h1.head-too-large');
  });
});
