// Auto mode: the session that lists its models, and the router that chooses one for a question. The later one-call form
// (`/auto`) answers for both; it is taken for a router.

import { objectOf } from '../../dialects/index.ts';
import type { AutoSessionFacts, RouterFacts } from '../../model/index.ts';
import { countOf, type FactsInput, flagOf, jsonOf, nameOf, namesOf, present, recordOf } from './read.ts';

/** Beginning of the user's question that is kept: enough to recognise it, the whole of most. */
const MAX_PROMPT_CHARS = 2000;

export function autoSessionFacts({ request, response }: FactsInput): AutoSessionFacts {
  const answer = jsonOf(response);
  return present({
    facts: 'auto-session' as const,
    hints: namesOf(objectOf(jsonOf(request)['auto_mode'])['model_hints']),
    available: namesOf(answer['available_models']),
    selected: modelOf(answer['selected_model']),
    expiresAt: countOf(answer['expires_at']),
    discounts: recordOf(answer['discounted_costs'], countOf),
  });
}

/** A model by its id, or as an object that has one. */
const modelOf = (value: unknown): string | undefined => nameOf(value) ?? nameOf(objectOf(value)['id']);

export function routerFacts({ request, response }: FactsInput): RouterFacts {
  return present({ facts: 'router' as const, ...askedOf(request), ...decidedOf(response) });
}

function askedOf(text: string) {
  const json = jsonOf(text);
  const prompt = typeof json['prompt'] === 'string' ? json['prompt'] : undefined;
  return {
    prompt: prompt?.slice(0, MAX_PROMPT_CHARS),
    promptChars: countOf(json['prompt_char_count']) ?? prompt?.length,
    available: namesOf(json['available_models']),
    turnNumber: countOf(json['turn_number']),
    sessionId: nameOf(json['session_id']),
    previousModel: nameOf(json['previous_model']),
    referenceCount: countOf(json['reference_count']),
    hasImage: flagOf(json['has_image']),
  };
}

function decidedOf(text: string) {
  const json = jsonOf(text);
  const scores = { ...recordOf(json['scores'], countOf), ...recordOf(json['hydra_scores'], countOf) };
  const label = nameOf(json['predicted_label']);
  return {
    label,
    confidence: countOf(json['confidence']),
    latencyMs: countOf(json['latency_ms']),
    candidates: namesOf(json['candidate_models']),
    scores: Object.keys(scores).length === 0 ? undefined : scores,
    chosen: modelOf(json['chosen_model']) ?? modelOf(json['selected_model']),
    isSticky: flagOf(json['sticky_override']),
    isFallback: flagOf(json['fallback']) ?? (label === 'fallback' ? true : undefined),
    fallbackReason: nameOf(json['fallback_reason']),
    method: nameOf(json['routing_method']),
    discounts: recordOf(json['discounted_costs'], countOf),
  };
}
