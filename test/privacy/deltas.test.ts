import { expect, it } from 'vitest';
import { HeldText } from '../../src/privacy/deltas.ts';

const held = (): HeldText => new HeldText((secret, kind) => `<${kind} ${secret.length}>`);

/** What comes out after each piece, and at the end. */
function shown(...pieces: string[]): string[] {
  const text = held();
  return [...pieces.map((piece) => text.push(piece)), text.end()];
}

it('lets whole words go and holds the last one', () => {
  expect(shown('Rename fo', 'o to bar', '.')).toEqual(['Rename ', 'foo to ', '', 'bar.']);
});

it('holds a name that waits for its value, and the value', () => {
  expect(shown('set password', ' = "correct', ' horse ', 'battery"', ' now ')).toEqual([
    'set ',
    '',
    '',
    '',
    'password = "<secret 21>" now ',
    '',
  ]);
});

it('holds a scheme until its credentials have come', () => {
  expect(shown('use Bearer ', 'abc123', 'def456 ok')).toEqual(['use ', '', 'Bearer <secret 12> ', 'ok']);
});

it('holds a cookie line to its end', () => {
  expect(shown('Cookie: a=1; ', 'b=2', '\nnext ')).toEqual(['', '', 'Cookie: a=<cookie 1>; b=<cookie 1>\nnext ', '']);
});

it('goes back over several open contexts', () => {
  expect(shown('x token = Bearer ', 'abc123def456 y ')).toEqual(['x ', 'token = Bearer <secret 12> y ', '']);
});

it('replaces a word that is too long to hold, and swallows the rest of it', () => {
  const text = held();
  expect(text.push(`go ${'x'.repeat(16_385)}`)).toBe('go <held-text 16385>');
  expect(text.push('xxx')).toBe('');
  expect(text.push('xx on ')).toBe(' on ');
  expect(text.end()).toBe('');
});

it('gives nothing of a swallowed word at the end', () => {
  const text = held();
  text.push('x'.repeat(16_385));
  text.push('yyy');
  expect(text.end()).toBe('');
});

it('holds a chain of contexts that never ends as a whole, instead of going back over it again and again', () => {
  const text = held();
  expect(text.push(`Hello ${'token '.repeat(40)}`)).toBe('');
  expect(text.push('is a word ')).toBe(`Hello ${'token '.repeat(40)}is a word `);
});
