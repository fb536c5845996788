import { expect, it } from 'vitest';
import { earlyEnd } from '../../src/model/index.ts';

it.each([null, 'stop', 'tool_calls', 'function_call', 'completed', 'end_turn', 'tool_use', 'stop_sequence', 'STOP'])(
  'says nothing of %s',
  (reason) => {
    expect(earlyEnd(reason)).toBeUndefined();
  },
);

it.each([
  'length',
  'content_filter',
  'max_tokens',
  'max_output_tokens',
  'refusal',
  'pause_turn',
  'model_context_window_exceeded',
  'cancelled',
  'SAFETY',
  'toString',
])('tells of %s', (reason) => {
  expect(earlyEnd(reason)).toBe(reason);
});
