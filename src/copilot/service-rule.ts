// How rows of the classification table that are no LLM calls are written: in one line where they fit.

import type { FactsName } from './facts/table.ts';
import type { ClassRule } from './rule.ts';

/** For paths that are GitHub's own on any host, such as those under `/copilot_internal/`. */
export const ANY_OURS = ['dotcom', 'any'] as const;
export const GET = ['GET'];
export const POST = ['POST'];

/** Facts of the row's calls are kept, see facts/table.ts. */
export function keeps(facts: FactsName, row: ClassRule): ClassRule {
  return { ...row, keeps: facts };
}

/** A row whose id is its class: one row, one class. */
export function rule(
  name: string,
  hosts: ClassRule['hosts'],
  path: RegExp,
  source: string,
  confidence: ClassRule['confidence'],
  about: string,
  methods?: readonly string[],
): ClassRule {
  return {
    id: name,
    class: name,
    hosts,
    path,
    source,
    confidence,
    about,
    ...(methods === undefined ? {} : { methods }),
  };
}
