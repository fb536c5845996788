// THE classification table. First match wins, so order has meaning: loopback servers, then known providers, then Copilot's
// paths from the special to the general (`/models/session/intent` before `/models/session` before `/models/{id}`), then
// hosts of one purpose. What no row names is `copilot.unknown` at a Copilot host, else `http.other`.

import { ACCOUNT, MODELS } from './classes-account.ts';
import { AGENTS } from './classes-agents.ts';
import { BYOK, LLM, LOCAL } from './classes-llm.ts';
import { AROUND, PLATFORM } from './classes-platform.ts';
import { SEARCH } from './classes-search.ts';
import type { ClassRule } from './rule.ts';

export const CLASSES: readonly ClassRule[] = [
  ...LOCAL,
  ...BYOK,
  ...ACCOUNT,
  ...MODELS,
  ...SEARCH,
  ...AGENTS,
  ...LLM,
  ...PLATFORM,
  ...AROUND,
];

/** Classes that no row gives: see classify.ts. */
export const FALLBACK_CLASSES = {
  'copilot.unknown': 'a Copilot host, or Copilot headers, with a path that no rule knows',
  'byok.custom': 'an LLM call at a host that is not known',
  'http.other': 'anything else',
} as const;
