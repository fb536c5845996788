import { expect, test } from 'vitest';
import { TokenMeter, tokenizerOf } from '../../../src/insight/index.ts';

test('models of OpenAI and of the completions host have a public tokenizer, others the nearest one', () => {
  expect(tokenizerOf('gpt-4o-mini')).toEqual({ encoding: 'o200k_base', own: true });
  expect(tokenizerOf('gpt-5.4')).toEqual({ encoding: 'o200k_base', own: true });
  expect(tokenizerOf('o4-mini')).toEqual({ encoding: 'o200k_base', own: true });
  expect(tokenizerOf('gpt-4')).toEqual({ encoding: 'cl100k_base', own: true });
  expect(tokenizerOf('gpt-3.5-turbo')).toEqual({ encoding: 'cl100k_base', own: true });
  expect(tokenizerOf('text-embedding-3-small')).toEqual({ encoding: 'cl100k_base', own: true });
  expect(tokenizerOf('claude-sonnet-4.6')).toEqual({ encoding: 'o200k_base', own: false });
  expect(tokenizerOf(null)).toEqual({ encoding: 'o200k_base', own: false });
});

test('what the model list says about the tokenizer wins', () => {
  expect(tokenizerOf('claude-sonnet-4.6', 'cl100k_base')).toEqual({ encoding: 'cl100k_base', own: true });
  expect(tokenizerOf('claude-sonnet-4.6', 'something-new')).toEqual({ encoding: 'o200k_base', own: false });
});

test('a long text that is met again is not counted again', () => {
  const counted: string[] = [];
  const meter = new TokenMeter((text) => counted.push(text));
  const long = 'x'.repeat(300);
  expect([
    meter.tokens(long, 'o200k_base'),
    meter.tokens(long, 'o200k_base'),
    meter.tokens(long, 'cl100k_base'),
  ]).toEqual([1, 1, 2]);
  expect(counted).toHaveLength(2);
});
