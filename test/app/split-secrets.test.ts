import { describe, expect, test } from 'vitest';
import { hasSplitSecret, piecesOf } from '../../src/app/split-secrets.ts';

/** Stands for redaction: the word KEY and five digits are a secret. */
const redact = (text: string): string => text.replace(/KEY\d{5}/g, '<secret>');

const delta = (content: string, index = 0): string => JSON.stringify({ choices: [{ index, delta: { content } }] });

describe('a secret that runs across the messages of a stream', () => {
  test('is seen at its place in the JSON, whatever lies between the pieces', () => {
    expect(hasSplitSecret([delta('a KE'), delta('Y1'), delta('2345 b')], redact)).toBe(true);
    expect(
      hasSplitSecret(
        [...'KEY12345'].map((letter) => delta(letter)),
        redact,
      ),
    ).toBe(true);
  });

  test('is seen where messages are no JSON', () => {
    expect(hasSplitSecret(['KEY1', '2345'], redact)).toBe(true);
  });

  test('is not made up: one that a message has whole, or letters of different places', () => {
    expect(hasSplitSecret([delta('a KEY12345'), delta(' b')], redact)).toBe(false);
    expect(hasSplitSecret([JSON.stringify({ a: 'KEY1' }), JSON.stringify({ b: '2345' })], redact)).toBe(false);
    expect(hasSplitSecret([delta('nothing'), delta(' here')], redact)).toBe(false);
    expect(hasSplitSecret([delta('KEY12345')], redact)).toBe(false);
  });

  test('costs a bounded number of places, and no stack', () => {
    const deep = `${'['.repeat(5000)}"KEY1"${']'.repeat(5000)}`;
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 'x'])));
    expect(hasSplitSecret([deep, wide, deep], redact)).toBe(false);
  });
});

describe('the messages of a body', () => {
  test('are the data of the events of a stream, lines joined, other fields left out', () => {
    const stream = 'event: a\ndata: 1\ndata: 2\n\n: comment\n\r\ndata:3\r\n\r\ndata: 4';
    expect(piecesOf(stream)).toEqual(['1\n2', '3', '4']);
  });

  test('are lines of JSON, or the elements of an array', () => {
    expect(piecesOf('{"a":1}\n{"a":2}\n')).toEqual(['{"a":1}', '{"a":2}']);
    expect(piecesOf('[{"a":1},\n{"a":2}]')).toEqual(['{"a":1}', '{"a":2}']);
    expect(piecesOf('[{"a":1},')).toEqual([]);
  });
});
