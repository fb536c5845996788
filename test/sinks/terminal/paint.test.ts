import { expect, it } from 'vitest';
import { painter } from '../../../src/sinks/terminal/paint.ts';

it('wraps text in one colour and resets it', () => {
  expect(painter(true)('500', 'bad')).toBe('\u001b[31m500\u001b[0m');
});

it('adds nothing when colours are off, the tone is plain or there is no text', () => {
  expect(painter(false)('500', 'bad')).toBe('500');
  expect(painter(true)('500', 'plain')).toBe('500');
  expect(painter(true)('', 'bad')).toBe('');
});
