import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringsOf } from '../../../src/insight/evidence/strings.ts';

const places = (body: string) =>
  [...stringsOf(body)].filter(({ place }) => place !== 'body').map(({ place, text }) => `${place} = ${text}`);

test('strings come with their place, JSON inside strings included', () => {
  const inner = JSON.stringify({ filePath: 'a.ts' });
  expect(places(JSON.stringify({ messages: [{ content: 'x', 'odd key': 'y' }], args: inner }))).toEqual([
    'messages[0].content = x',
    'messages[0]."odd key" = y',
    'args → filePath = a.ts',
    `args = ${inner}`,
  ]);
});

test('lines of NDJSON are read one by one', () => {
  expect(places('{"a":"1"}\n{"a":"2"}\n')).toEqual(['line 1: a = 1', 'line 2: a = 2']);
});

test('what is no JSON, or cut, is searched as it is, too', () => {
  expect([...stringsOf('plain')]).toEqual([{ place: 'body', text: 'plain' }]);
  expect(places('{"a":"b","c":"d')).toEqual(['a = b', 'c = d']);
});

test('any text is taken', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect([...stringsOf(text)].at(-1)).toEqual({ place: 'body', text });
    }),
  );
});
