import { describe, expect, test } from 'vitest';
import {
  fromFields,
  json,
  list,
  message,
  orNull,
  REFUSED,
  type Schema,
  text,
  toFields,
  uint,
} from '../../../src/sinks/proto/fields.ts';

const Inner: Schema = { name: text };
const schema: Schema = {
  id: text,
  count: uint,
  host: orNull(text),
  free: json,
  tags: list(text),
  inner: message(() => Inner),
};

describe('toFields', () => {
  test('names JSON text as such and leaves null out', () => {
    const fields = toFields(schema, { id: 'a', count: 3, host: null, free: [1], tags: [], inner: { name: 'b' } });
    expect(fields).toEqual({ id: 'a', count: 3, freeJson: '[1]', tags: [], inner: { name: 'b' } });
  });

  test('carries what no field holds as JSON members of the same message', () => {
    const fields = toFields(schema, { id: 7, later: true, inner: { name: 'b', size: 1 } });
    expect(fields).toEqual({ inner: { name: 'b', extraJson: '{"size":1}' }, extraJson: '{"id":7,"later":true}' });
  });
});

describe('fromFields', () => {
  test('gives the members in the order of the schema, the carried ones last', () => {
    const object = fromFields(schema, { inner: { name: 'b' }, id: 'a', extraJson: '{"later":true}' });
    expect(JSON.stringify(object)).toBe('{"id":"a","host":null,"tags":[],"inner":{"name":"b"},"later":true}');
  });

  test('does not take inherited members for fields', () => {
    expect(fromFields({ toString: text } as Schema, {})).toEqual({});
  });
});

test('an integer field refuses what it cannot give back', () => {
  expect([-1, 1.5, 2 ** 53, Number.NaN, '1', null].map((value) => uint.encode(value))).toEqual(Array(6).fill(REFUSED));
  expect(uint.decode({ high: 1, low: -1 })).toBe(2 ** 33 - 1);
});
