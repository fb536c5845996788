import { expect, it } from 'vitest';
import { autoSessionFacts, routerFacts } from '../../../src/copilot/facts/routing.ts';

const input = (request: unknown, response: unknown) => ({
  path: null,
  request: JSON.stringify(request),
  response: JSON.stringify(response),
});

it('keeps the models and discounts of an Auto session, not its token', () => {
  const facts = autoSessionFacts(
    input(
      { auto_mode: { model_hints: ['auto'] } },
      {
        available_models: ['a', 'b'],
        session_token: 'FAKE',
        expires_at: 9,
        discounted_costs: { a: 0.1 },
        selected_model: { id: 'a' },
      },
    ),
  );
  expect(facts).toEqual({
    facts: 'auto-session',
    hints: ['auto'],
    available: ['a', 'b'],
    selected: 'a',
    expiresAt: 9,
    discounts: { a: 0.1 },
  });
});

it('keeps what the router was asked and what it decided', () => {
  const facts = routerFacts(
    input(
      {
        prompt: 'why?',
        available_models: ['a', 'b'],
        turn_number: 1,
        session_id: 's',
        previous_model: 'b',
        reference_count: 2,
        prompt_char_count: 4,
      },
      {
        predicted_label: 'needs_reasoning',
        confidence: 0.9,
        latency_ms: 12,
        candidate_models: ['a'],
        scores: { needs_reasoning: 0.9, no_reasoning: 0.1 },
        hydra_scores: { code_gen: 0.4 },
        chosen_model: 'a',
        sticky_override: false,
      },
    ),
  );
  expect(facts).toEqual({
    facts: 'router',
    prompt: 'why?',
    promptChars: 4,
    available: ['a', 'b'],
    turnNumber: 1,
    sessionId: 's',
    previousModel: 'b',
    referenceCount: 2,
    label: 'needs_reasoning',
    confidence: 0.9,
    latencyMs: 12,
    candidates: ['a'],
    scores: { needs_reasoning: 0.9, no_reasoning: 0.1, code_gen: 0.4 },
    chosen: 'a',
    isSticky: false,
  });
});

it('takes the label fallback for a fallback and keeps a long question to its beginning', () => {
  const facts = routerFacts(
    input({ prompt: 'x'.repeat(5000) }, { predicted_label: 'fallback', fallback_reason: 'timeout' }),
  );
  expect(facts).toMatchObject({ promptChars: 5000, isFallback: true, fallbackReason: 'timeout' });
  expect(facts.prompt).toHaveLength(2000);
});
