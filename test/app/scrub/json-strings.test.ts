import { expect, it } from 'vitest';
import { charactersOf, jsonStrings, textOfCharacters } from '../../../src/app/scrub/json-strings.ts';

const values = (text: string) =>
  jsonStrings(text, 0, text.length).map((place) => textOfCharacters(charactersOf(text, place)));

it('gives string values, not names, with the place of each character', () => {
  const text = '{"a":"x\\u0041\\n"}';
  const [first] = jsonStrings(text, 0, 17);
  expect(charactersOf(text, first!)).toEqual([
    { character: 'x', at: 6, length: 1 },
    { character: 'A', at: 7, length: 6 },
    { character: '\n', at: 13, length: 2 },
  ]);
  expect(values('[{"a":"b","c":["d",1,null,{"e":"f"}]}]')).toEqual(['b', 'd', 'f']);
});

it('tells streams apart by their numbers, wherever those stand', () => {
  const path = (text: string) => jsonStrings(text, 0, text.length)[0]?.path;
  expect(path('{"delta":"a","index":0}')).toBe(path('{"delta":"b","index":0}'));
  expect(path('{"delta":"a","index":0}')).not.toBe(path('{"delta":"a","index":1}'));
});

it('gives what it read of a text that is cut or no JSON', () => {
  expect(values('{"a":"b","c":"d')).toEqual(['b']);
  expect(values('{"a" "b"}')).toEqual([]);
  expect(values('['.repeat(10_000))).toEqual([]);
});
