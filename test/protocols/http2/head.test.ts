import { describe, expect, test } from 'vitest';
import {
  headKind,
  learnFromRequest,
  learnFromResponse,
  mayBeHead,
  requestHead,
  responseHead,
} from '../../../src/protocols/http2/head.ts';
import { type Field, HpackDecoder, UnknownRef } from '../../../src/protocols/http2/hpack/index.ts';
import { concat, indexed, insertedAt, literal } from './kit.ts';

/** Fields of a block on a connection that was joined late: index 62 and up are unknown. */
const late = (...parts: readonly Uint8Array[]): readonly Field[] => {
  const decoder = new HpackDecoder();
  decoder.forget();
  return decoder.decode(concat(...parts)).fields;
};
const names = (fields: readonly Field[]) => fields.map((f) => (f instanceof UnknownRef ? f.name : f[0]));
const AUTHORITY = literal(':authority', 'a');

test('the Host field stands in for :authority', () => {
  expect(
    requestHead([
      [':method', 'GET'],
      ['host', 'h'],
    ]).authority,
  ).toBe('h');
});

test('a status that is none is not known', () => {
  expect(responseHead([[':status', '2000']]).status).toBeNull();
  expect(responseHead([[':status', '404']]).status).toBe(404);
});

test('pseudo-fields tell a head and its kind', () => {
  expect(headKind(late(indexed(62), indexed(2)))).toBe('request');
  expect(headKind(late(indexed(8)))).toBe('response');
  expect(headKind(late(indexed(62), literal('x', 'y')))).toBeUndefined();
  const isOne = (pseudoFields: number) => (fields: Parameters<typeof mayBeHead>[0]) => mayBeHead(fields, pseudoFields);
  const blocks = [
    late(indexed(62)),
    late(indexed(62, 2, 63)),
    late(indexed(62, 63), literal('x', 'y')),
    late(literal('x', 'y')),
    [],
  ];
  expect(blocks.map(isOne(1))).toEqual([true, true, true, false, false]);
  expect(blocks.map(isOne(3))).toEqual([false, true, false, false, false]);
});

describe('a name follows by necessity', () => {
  test('when the first field of a response head is not known', () => {
    const fields = late(indexed(62), literal('server', 's'));
    expect(learnFromResponse(fields)).toBe(true);
    expect(names(fields)).toEqual([':status', 'server']);
  });

  test.each([
    ['the only unknown among the pseudo-fields', [indexed(2, 62, 7)], [':method', ':path', ':scheme']],
    ['the only unknown after them', [indexed(2, 7, 62), literal('x', '')], [':method', ':scheme', ':path', 'x']],
    [
      'the first of several after them, :authority being known',
      [indexed(2, 7), AUTHORITY, indexed(62, 63)],
      [':method', ':scheme', ':authority', ':path', null],
    ],
  ])('%s is the missing one', (_, parts, expected) => {
    const fields = late(...parts);
    expect(learnFromRequest(fields)).toBe(true);
    expect(names(fields)).toEqual(expected);
  });

  test('with a literal value, the field is known from then on', () => {
    const fields = late(indexed(2, 7), AUTHORITY, insertedAt(62, '/path'));
    expect(learnFromRequest(fields)).toBe(true);
    expect(requestHead(fields)).toMatchObject({ path: '/path', unknown: [] });
  });

  test.each([
    ['two are missing', [indexed(2, 62, 63)]],
    ['it may be :authority as well', [indexed(2, 7, 62, 63)]],
    ['several are candidates', [indexed(2, 62, 63, 7)]],
    ['none is missing', [indexed(2, 7, 4, 62)]],
    ['a plain CONNECT has no path', [literal(':method', 'CONNECT'), literal(':scheme', 'x'), indexed(62)]],
  ])('not when %s', (_, parts) => {
    const fields = late(...parts);
    expect(learnFromRequest(fields)).toBe(false);
    expect(names(fields)).toContain(null);
  });
});
