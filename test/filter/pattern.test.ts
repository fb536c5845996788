import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from '../../src/filter/pattern.ts';
import { HANG_MS } from '../kit/hang.ts';

/** Seed of the property tests, printed by fast-check when one fails. */
const piece = fc.constantFrom(
  'a',
  'b',
  'B',
  '7',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '\\b',
  '\\B',
  '^',
  '$',
  '[ab]',
  '[^a]',
  '[a-c7]',
  'ä',
  '\\.',
  ' ',
  '_',
);
const quantified = fc
  .tuple(piece, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?'))
  .map(([atom, count]) => (/^(?:\\[bB]|\^|\$)$/.test(atom) ? atom : atom + count));
const sequence = fc.array(quantified, { maxLength: 5 }).map((items) => items.join(''));
const expression = fc
  .tuple(sequence, sequence, sequence, fc.constantFrom('', '*', '?'))
  .map(([a, b, c, count]) => `${a}(${b}|${c})${count}`);
const subject = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '7', '.', ' ', '\n', '_', 'Ä', 'c'), maxLength: 12 });

describe('a pattern', () => {
  test('matches what the same expression of the language matches', () => {
    fc.assert(
      fc.property(expression, subject, (source, text) => {
        expect([source, text, compilePattern(source).test(text)]).toEqual([
          source,
          text,
          new RegExp(source, 'i').test(text),
        ]);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['gpt-4\\.1', 'a GPT-4.1 model', true],
    ['^gpt', 'my gpt', false],
    ['\\bkey\\b', 'monkey', false],
    ['\\bkey\\b', 'the key.', true],
    ['^$', '', true],
    ['\\x41\\u00e4', 'aÄ', true],
    ['a{3}', 'aa', false],
    ['(?<name>x)(?:y)', 'xy', true],
    ['[\\]\\-\\d]+$', '-]7', true],
    ['', 'anything', true],
  ])('%s on %s: %s', (source, text, expected) => {
    expect(compilePattern(source).test(text)).toBe(expected);
  });

  test.each([
    ['(a+)+$', `${'a'.repeat(50_000)}!`],
    ['(a|aa)+$', `${'a'.repeat(50_000)}!`],
    ['(.*a){12}', 'b'.repeat(50_000)],
    ['(x+x+)+y', 'x'.repeat(50_000)],
  ])('%s takes time in proportion to the text', (source, text) => {
    const startMs = performance.now();
    expect(compilePattern(source).test(text)).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(HANG_MS);
  });

  test('gives up, and says so, when even that would take too long', () => {
    const pattern = compilePattern('[ab]*a[ab]{400}c');
    let text = '';
    for (let i = 0, x = 88_172_645; i < 200_000; i += 1) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      text += (x & 1) === 0 ? 'a' : 'b';
    }
    expect(pattern.test(text)).toBe(false);
    expect(pattern.gaveUp).toBe(1);
  });
});
