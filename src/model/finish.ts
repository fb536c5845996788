// Finish reasons of all wires, parted into those that say "done" and those that a reader must know: cut by a limit or a filter,
// refused, cancelled. A reason that is not known is told: better one word too many than a cut answer that looks whole.

const DONE: ReadonlySet<string> = new Set([
  // OpenAI: chat and legacy completions, Responses (its status)
  'stop',
  'tool_calls',
  'function_call',
  'completed',
  // Anthropic
  'end_turn',
  'tool_use',
  'stop_sequence',
  // Gemini
  'STOP',
]);

/** The reason why an answer ended before the model was done; undefined when it was done, or nothing was said. */
export const earlyEnd = (finishReason: string | null): string | undefined =>
  finishReason === null || DONE.has(finishReason) ? undefined : finishReason;
