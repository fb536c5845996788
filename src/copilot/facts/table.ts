// THE table of facts: what a row of the classification table may keep of its calls' bodies. A row without facts keeps none.

import type { ServiceFacts } from '../../model/index.ts';
import { accountFacts, tokenFacts } from './account.ts';
import { exclusionFacts } from './exclusion.ts';
import { modelsFacts } from './models.ts';
import type { FactsInput } from './read.ts';
import { autoSessionFacts, routerFacts } from './routing.ts';
import { sentFacts } from './sent.ts';
import { telemetryFacts } from './telemetry.ts';

export type FactsName = ServiceFacts['facts'];

const FACTS: Readonly<Record<FactsName, (input: FactsInput) => ServiceFacts | undefined>> = {
  models: modelsFacts,
  'auto-session': autoSessionFacts,
  router: routerFacts,
  account: accountFacts,
  token: tokenFacts,
  exclusion: exclusionFacts,
  sent: sentFacts,
  telemetry: telemetryFacts,
};

export const FACTS_NAMES = Object.keys(FACTS) as readonly FactsName[];

/** Undefined when the bodies say nothing of that sort. */
export const factsOf = (name: FactsName, input: FactsInput): ServiceFacts | undefined => FACTS[name](input);
