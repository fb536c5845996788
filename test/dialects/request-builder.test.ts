import { expect, it } from 'vitest';
import { base64Bytes, cachedIf, imageOf, roleOf } from '../../src/dialects/request-builder.ts';

it('knows the roles of all wires and calls the rest other', () => {
  expect(
    ['system', 'developer', 'user', 'assistant', 'model', 'tool', 'function', 'constructor', 7].map(roleOf),
  ).toEqual(['system', 'system', 'user', 'assistant', 'assistant', 'tool', 'tool', 'other', 'other']);
});

it('counts the bytes of base64', () => {
  expect(['', 'QQ==', 'QUI=', 'QUJD', 'QQ'].map(base64Bytes)).toEqual([0, 1, 2, 3, 1]);
});

it('counts hostile base64 in linear time', () => {
  expect(base64Bytes(`${'='.repeat(4_000_000)}A`)).toBe(3_000_000);
});

it('keeps a plain URL of an image and only the size of a data URL', () => {
  expect(imageOf('https://h/i.png', 'image/png')).toEqual({
    kind: 'image',
    mediaType: 'image/png',
    url: 'https://h/i.png',
  });
  expect(imageOf('data:image/gif;base64,QUJD')).toEqual({ kind: 'image', mediaType: 'image/gif', bytes: 3 });
});

it('marks a cache breakpoint only on parts that carry one', () => {
  expect(cachedIf({ kind: 'text', text: 'a' }, { type: 'ephemeral' })).toEqual({
    kind: 'text',
    text: 'a',
    cached: true,
  });
  expect(cachedIf({ kind: 'text', text: 'a' }, undefined)).toEqual({ kind: 'text', text: 'a' });
  expect(cachedIf({ kind: 'thinking', text: 'a' }, { type: 'ephemeral' })).toEqual({ kind: 'thinking', text: 'a' });
});
