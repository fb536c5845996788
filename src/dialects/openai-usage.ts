// Token counts as OpenAI's three wires report them. Chat and legacy completions say prompt/completion, Responses says
// input/output; both put cached and reasoning tokens into details.

import type { Usage } from '../model/index.ts';
import { isObject, numberOrNone, objectOf } from './values.ts';

/** Where each count may stand, in order of preference. A path of names is joined by a dot. */
const FIELDS: readonly (readonly [keyof Usage, readonly string[]])[] = [
  ['input', ['prompt_tokens', 'input_tokens']],
  ['cached', ['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens']],
  ['cacheWrite', ['prompt_tokens_details.cache_write_tokens', 'prompt_tokens_details.cache_creation_tokens']],
  ['output', ['completion_tokens', 'output_tokens']],
  ['reasoning', ['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens']],
  ['acceptedPrediction', ['completion_tokens_details.accepted_prediction_tokens']],
  ['rejectedPrediction', ['completion_tokens_details.rejected_prediction_tokens']],
  ['total', ['total_tokens']],
];

function lookUp(usage: unknown, path: string): number | undefined {
  const [outer = '', inner] = path.split('.');
  const value = objectOf(usage)[outer];
  return numberOrNone(inner === undefined ? value : objectOf(value)[inner]);
}

/** Writes what is reported into `usage`; what is not reported stays as it was. */
export function readOpenAiUsage(usage: Usage, json: unknown): void {
  if (!isObject(json)) return;
  for (const [field, paths] of FIELDS) {
    for (const path of paths) {
      const value = lookUp(json, path);
      if (value === undefined) continue;
      usage[field] = value;
      break;
    }
  }
}
