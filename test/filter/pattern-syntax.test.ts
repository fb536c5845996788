import { describe, expect, test } from 'vitest';
import { compilePattern } from '../../src/filter/pattern.ts';
import { parsePattern } from '../../src/filter/pattern-syntax.ts';

describe('an expression that cannot be used', () => {
  test.each([
    ['a(b', 'missing )', 1],
    ['a)b', 'unmatched )', 1],
    ['[ab', 'missing ]', 0],
    ['*a', 'nothing to repeat', 0],
    ['a\\', '\\ at the end', 1],
    ['(a)\\1', 'back-references are not supported', 3],
    ['x(?=y)', 'look-around and flags are not supported', 1],
    ['a{2,1}', 'numbers out of order in {}', 1],
    ['a{2000}', 'repeats more than 1000 times', 1],
    ['[z-a]', 'range out of order in []', 1],
    ['\\q', 'unknown escape \\q', 0],
    ['((a{100}){100}){100}', 'too large when its repetitions are written out', 0],
  ])('%s is refused: %s', (source, message, offset) => {
    expect(() => compilePattern(source)).toThrow(expect.objectContaining({ message, offset }));
  });
});

test('a lazy quantifier is the same tree as the greedy one', () => {
  expect(JSON.stringify(parsePattern('a+?b*?'))).toBe(JSON.stringify(parsePattern('a+b*')));
});
