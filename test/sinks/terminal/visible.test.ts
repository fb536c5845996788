import { expect, it } from 'vitest';
import { visible, visibleLines } from '../../../src/sinks/terminal/visible.ts';

it('shows control characters as pictures and others by their code point', () => {
  expect(visible('a\u001b[31mb\u0000\u007f')).toBe('a␛[31mb␀␡');
  expect(visible('\u0085\u202e\u{e0041}\u2028')).toBe('<U+0085><U+202E><U+E0041><U+2028>');
});

it('replaces lone surrogates and keeps pairs', () => {
  expect(visible('\ud83d\ude00 \ud83d \ude00')).toBe('😀 � �');
});

it('leaves ordinary text of any script and emoji sequences alone', () => {
  for (const text of ['naïve', '日本語', 'שלום', '👩‍👩‍👧', '❤️', 'e\u0301']) expect(visible(text)).toBe(text);
});

it('splits lines at line breaks and shows a lone carriage return', () => {
  expect(visibleLines('a\r\nb\n\tc\rd')).toEqual(['a', 'b', '  c␍d']);
});
