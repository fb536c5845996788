// Public list prices, US dollars per million tokens: standard tier, no batch discount, no temporary offer unless it says so.
// Each group names where its prices stand and the month in which they were compared with it. `--prices FILE` replaces the
// table (docs/cost.md); models that no row names have no price here, and none is guessed.
//
// OpenAI: developers.openai.com/api/docs/pricing. From GPT-5.4 on a prompt beyond 272,000 tokens is billed whole at twice the
// price of input and cache and one and a half of output; from GPT-5.6 on writing to the cache costs 1.25 times input.
// Anthropic: platform.claude.com/docs/en/about-claude/pricing; cache writes are those that live five minutes.
// Google: ai.google.dev/gemini-api/docs/pricing. xAI, Microsoft, Moonshot and GitHub's own models: docs.github.com, "Models
// and pricing for GitHub Copilot" (data/tables/copilot/models-and-pricing.yml in github/docs).

import type { ModelPrice, PriceTable, Rates } from './prices.ts';

interface Group {
  readonly asOf: string;
  readonly source: string;
  readonly prices: readonly Omit<ModelPrice, 'asOf' | 'source'>[];
}

/** OpenAI's rule for long prompts. */
const beyond272k = ({ input, cached, cacheWrite, output }: Rates): NonNullable<ModelPrice['long']> => ({
  above: 272_000,
  input: input * 2,
  ...(cached === undefined ? {} : { cached: cached * 2 }),
  ...(cacheWrite === undefined ? {} : { cacheWrite: cacheWrite * 2 }),
  output: output * 1.5,
});

/** A model of OpenAI with the rule for long prompts. */
const withLong = (models: readonly string[], rates: Rates): ModelPrice => ({
  models,
  ...rates,
  long: beyond272k(rates),
});

const OPENAI: Group = {
  asOf: '2026-11',
  source: 'OpenAI',
  prices: [
    withLong(['gpt-6.2-astra*'], { input: 8, cached: 0.4, cacheWrite: 10, output: 40 }),
    withLong(['gpt-6-astra*'], { input: 10, cached: 1, cacheWrite: 12.5, output: 50 }),
    withLong(['gpt-6.2-sol*', 'gpt-6.1-sol*'], { input: 2, cached: 0.1, cacheWrite: 2.5, output: 10 }),
    withLong(['gpt-6-sol*'], { input: 2, cached: 0.2, cacheWrite: 2.5, output: 10 }),
    withLong(['gpt-6.1-terra*'], { input: 1, cached: 0.05, cacheWrite: 1.25, output: 5 }),
    withLong(['gpt-6-luna*'], { input: 0.1, cached: 0.01, cacheWrite: 0.125, output: 0.5 }),
    // An offer of $4 and $20 was announced "through 2026-11-21 at least": this is the price without it.
    withLong(['gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-sol-2026*'], { input: 5, cached: 0.5, cacheWrite: 6.25, output: 30 }),
    withLong(['gpt-5.6-terra*'], { input: 2, cached: 0.2, cacheWrite: 2.5, output: 12 }),
    withLong(['gpt-5.6-luna*'], { input: 0.2, cached: 0.02, cacheWrite: 0.25, output: 1.2 }),
    withLong(['gpt-5.5', 'gpt-5.5-2026*'], { input: 5, cached: 0.5, output: 30 }),
    withLong(['gpt-5.4', 'gpt-5.4-2026*'], { input: 2.5, cached: 0.25, output: 15 }),
    { models: ['gpt-5.4-mini*'], input: 0.75, cached: 0.075, output: 4.5 },
    { models: ['gpt-5.4-nano*'], input: 0.2, cached: 0.02, output: 1.25 },
    {
      models: ['gpt-5.2', 'gpt-5.2-2025*', 'gpt-5.2-chat*', 'gpt-5.2-codex*', 'gpt-5.3-codex', 'gpt-5.3-codex-2026*'],
      input: 1.75,
      cached: 0.175,
      output: 14,
    },
    {
      models: [
        'gpt-5',
        'gpt-5-2025*',
        'gpt-5-chat*',
        'gpt-5-codex',
        'gpt-5.1',
        'gpt-5.1-2025*',
        'gpt-5.1-chat*',
        'gpt-5.1-codex',
        'gpt-5.1-codex-max*',
      ],
      input: 1.25,
      cached: 0.125,
      output: 10,
    },
    { models: ['gpt-5-mini*', 'gpt-5.1-codex-mini*'], input: 0.25, cached: 0.025, output: 2 },
    { models: ['gpt-5-nano*'], input: 0.05, cached: 0.005, output: 0.4 },
    { models: ['gpt-4.1', 'gpt-4.1-2025*'], input: 2, cached: 0.5, output: 8 },
    { models: ['gpt-4.1-mini*'], input: 0.4, cached: 0.1, output: 1.6 },
    { models: ['gpt-4.1-nano*'], input: 0.1, cached: 0.025, output: 0.4 },
    { models: ['gpt-4o', 'gpt-4o-2024-08*', 'gpt-4o-2024-11*'], input: 2.5, cached: 1.25, output: 10 },
    { models: ['gpt-4o-mini', 'gpt-4o-mini-2024*'], input: 0.15, cached: 0.075, output: 0.6 },
    { models: ['o3', 'o3-2025*'], input: 2, cached: 0.5, output: 8 },
    { models: ['o4-mini', 'o4-mini-2025*'], input: 1.1, cached: 0.275, output: 4.4 },
    { models: ['o3-mini', 'o3-mini-2025*'], input: 1.1, cached: 0.55, output: 4.4 },
    { models: ['text-embedding-3-small*'], input: 0.02, output: 0 },
    { models: ['text-embedding-3-large*'], input: 0.13, output: 0 },
  ],
};

const ANTHROPIC: Group = {
  asOf: '2026-11',
  source: 'Anthropic',
  prices: [
    { models: ['claude-fable-5.1*', 'claude-mythos-5.1*'], input: 10, cached: 0.25, cacheWrite: 12.5, output: 50 },
    {
      models: ['claude-fable-5', 'claude-fable-5-2026*', 'claude-mythos-5', 'claude-mythos-5-2026*'],
      input: 10,
      cached: 1,
      cacheWrite: 12.5,
      output: 50,
    },
    { models: ['claude-opus-5.5*'], input: 4, cached: 0.2, cacheWrite: 5, output: 20 },
    {
      models: [
        'claude-opus-5',
        'claude-opus-5-2026*',
        'claude-opus-4.8',
        'claude-opus-4.8-2026*',
        'claude-opus-4.7*',
        'claude-opus-4.6',
        'claude-opus-4.6-2026*',
        'claude-opus-4.5*',
      ],
      input: 5,
      cached: 0.5,
      cacheWrite: 6.25,
      output: 25,
    },
    { models: ['claude-opus-4.8-fast*'], input: 10, cached: 1, cacheWrite: 12.5, output: 50 },
    {
      models: ['claude-opus-4', 'claude-opus-4-2025*', 'claude-opus-4.1*', 'claude-opus-41*'],
      input: 15,
      cached: 1.5,
      cacheWrite: 18.75,
      output: 75,
    },
    { models: ['claude-sonnet-5.5*'], input: 2, cached: 0.1, cacheWrite: 2.5, output: 10 },
    { models: ['claude-sonnet-5', 'claude-sonnet-5-2026*'], input: 2, cached: 0.2, cacheWrite: 2.5, output: 10 },
    {
      models: [
        'claude-sonnet-4',
        'claude-sonnet-4-2025*',
        'claude-sonnet-4.5*',
        'claude-sonnet-4.6*',
        'claude-3.7-sonnet*',
        'claude-3.5-sonnet*',
      ],
      input: 3,
      cached: 0.3,
      cacheWrite: 3.75,
      output: 15,
    },
    {
      models: ['claude-haiku-5.5*'],
      input: 0.1,
      cached: 0.01,
      cacheWrite: 0.125,
      output: 0.5,
      long: { above: 100_000, input: 0.5, cached: 0.05, cacheWrite: 0.625, output: 2.5 },
    },
    { models: ['claude-haiku-4.5*'], input: 1, cached: 0.1, cacheWrite: 1.25, output: 5 },
    { models: ['claude-3.5-haiku*'], input: 0.8, cached: 0.08, cacheWrite: 1, output: 4 },
  ],
};

const GOOGLE: Group = {
  asOf: '2026-10',
  source: 'Google',
  prices: [
    // Until 2026-12-31; twice as much from then on.
    {
      models: ['gemini-3.6-flash*', 'gemini-3.7-flash*', 'gemini-3.8-flash*'],
      input: 0.75,
      cached: 0.075,
      output: 3.75,
    },
    { models: ['gemini-3.5-flash', 'gemini-3.5-flash-preview*'], input: 1.5, cached: 0.15, output: 9 },
    {
      models: ['gemini-3.1-pro*', 'gemini-3-pro', 'gemini-3-pro-preview*'],
      input: 2,
      cached: 0.2,
      output: 12,
      long: { above: 200_000, input: 4, cached: 0.4, output: 18 },
    },
    { models: ['gemini-3-flash', 'gemini-3-flash-preview*'], input: 0.5, cached: 0.05, output: 3 },
    {
      models: ['gemini-2.5-pro*'],
      input: 1.25,
      cached: 0.125,
      output: 10,
      long: { above: 200_000, input: 2.5, cached: 0.25, output: 15 },
    },
    { models: ['gemini-2.5-flash', 'gemini-2.5-flash-2025*'], input: 0.3, cached: 0.03, output: 2.5 },
    { models: ['gemini-2.5-flash-lite*'], input: 0.1, cached: 0.01, output: 0.4 },
  ],
};

const GITHUB: Group = {
  asOf: '2026-09',
  source: 'GitHub Copilot',
  prices: [
    {
      models: ['grok-4.5*', 'grok-4.6*'],
      input: 2,
      cached: 0.5,
      output: 6,
      long: { above: 200_000, input: 4, cached: 1, output: 12 },
    },
    { models: ['mai-code-1-flash*'], input: 0.75, cached: 0.075, output: 4.5 },
    { models: ['mai-code-1.1-flash*'], input: 0.2, cached: 0.02, output: 1.2 },
    { models: ['raptor-mini*'], input: 0.25, cached: 0.025, output: 2 },
    { models: ['kimi-k2.7-code*'], input: 0.95, cached: 0.19, output: 4 },
    { models: ['kimi-k3*'], input: 3, cached: 0.3, output: 15 },
  ],
};

/** Models that are no longer offered: as they were last listed. */
const XAI: Group = {
  asOf: '2025-11',
  source: 'xAI',
  prices: [
    { models: ['grok-code-fast-1*'], input: 0.2, cached: 0.02, output: 1.5 },
    { models: ['grok-4', 'grok-4-0709'], input: 3, cached: 0.75, output: 15 },
  ],
};

const rowsOf = ({ asOf, source, prices }: Group): ModelPrice[] => prices.map((price) => ({ ...price, asOf, source }));

export const LIST_PRICES: PriceTable = {
  asOf: '2026-11',
  source: 'list prices of OpenAI, Anthropic, Google, GitHub and xAI',
  prices: [OPENAI, ANTHROPIC, GOOGLE, GITHUB, XAI].flatMap(rowsOf),
};
