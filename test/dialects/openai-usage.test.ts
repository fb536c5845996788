import { expect, it } from 'vitest';
import { readOpenAiUsage } from '../../src/dialects/openai-usage.ts';
import type { Usage } from '../../src/model/index.ts';

it('reads both namings and leaves out what is not reported', () => {
  const chat: Usage = {};
  readOpenAiUsage(chat, { prompt_tokens: 3, completion_tokens: 0, prompt_tokens_details: null });
  expect(chat).toEqual({ input: 3, output: 0 });
  const responses: Usage = {};
  readOpenAiUsage(responses, { input_tokens: 3, input_tokens_details: { cached_tokens: 2 } });
  expect(responses).toEqual({ input: 3, cached: 2 });
});

it('keeps earlier counts when a later report lacks them', () => {
  const usage: Usage = { input: 3 };
  readOpenAiUsage(usage, { completion_tokens: 4 });
  readOpenAiUsage(usage, 'nonsense');
  readOpenAiUsage(usage, { prompt_tokens: 'many' });
  expect(usage).toEqual({ input: 3, output: 4 });
});
