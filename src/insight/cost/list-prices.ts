// Public list prices, US dollars per million tokens, as the providers' own price pages gave them in the month named below.
// Standard tier, short context, no batch discount. `--prices FILE` replaces the table (docs/cost.md); models that are newer
// than it have no price here.

import type { PriceTable } from './prices.ts';

export const LIST_PRICES: PriceTable = {
  asOf: '2025-11',
  source: 'list prices of OpenAI, Anthropic, Google and xAI',
  prices: [
    {
      models: ['gpt-5', 'gpt-5-2025*', 'gpt-5-chat*', 'gpt-5-codex', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-2025*'],
      input: 1.25,
      cached: 0.125,
      output: 10,
    },
    { models: ['gpt-5-mini*', 'gpt-5.1-codex-mini'], input: 0.25, cached: 0.025, output: 2 },
    { models: ['gpt-5-nano*'], input: 0.05, cached: 0.005, output: 0.4 },
    { models: ['gpt-4.1', 'gpt-4.1-2025*'], input: 2, cached: 0.5, output: 8 },
    { models: ['gpt-4.1-mini*'], input: 0.4, cached: 0.1, output: 1.6 },
    { models: ['gpt-4.1-nano*'], input: 0.1, cached: 0.025, output: 0.4 },
    { models: ['gpt-4o', 'gpt-4o-2024-08*', 'gpt-4o-2024-11*'], input: 2.5, cached: 1.25, output: 10 },
    { models: ['gpt-4o-mini', 'gpt-4o-mini-2024*'], input: 0.15, cached: 0.075, output: 0.6 },
    { models: ['o3', 'o3-2025*'], input: 2, cached: 0.5, output: 8 },
    { models: ['o3-mini*', 'o4-mini', 'o4-mini-2025*'], input: 1.1, cached: 0.275, output: 4.4 },
    { models: ['text-embedding-3-small*'], input: 0.02, output: 0 },
    { models: ['text-embedding-3-large*'], input: 0.13, output: 0 },
    { models: ['claude-opus-4.5*'], input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
    {
      models: ['claude-opus-4', 'claude-opus-4-2025*', 'claude-opus-4.1*', 'claude-opus-41*'],
      input: 15,
      cached: 1.5,
      cacheWrite: 18.75,
      output: 75,
    },
    {
      models: [
        'claude-sonnet-4',
        'claude-sonnet-4-2025*',
        'claude-sonnet-4.5*',
        'claude-3.7-sonnet*',
        'claude-3.5-sonnet*',
      ],
      input: 3,
      cached: 0.3,
      cacheWrite: 3.75,
      output: 15,
    },
    { models: ['claude-haiku-4.5*'], input: 1, cached: 0.1, cacheWrite: 1.25, output: 5 },
    { models: ['claude-3.5-haiku*'], input: 0.8, cached: 0.08, cacheWrite: 1, output: 4 },
    { models: ['gemini-2.5-pro*'], input: 1.25, cached: 0.125, output: 10 },
    { models: ['gemini-2.5-flash', 'gemini-2.5-flash-2025*'], input: 0.3, cached: 0.03, output: 2.5 },
    { models: ['gemini-2.5-flash-lite*'], input: 0.1, cached: 0.01, output: 0.4 },
    { models: ['grok-code-fast-1*'], input: 0.2, cached: 0.02, output: 1.5 },
    { models: ['grok-4', 'grok-4-0709'], input: 3, cached: 0.75, output: 15 },
  ],
};
