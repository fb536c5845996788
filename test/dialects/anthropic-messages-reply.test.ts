import { describe, expect, it } from 'vitest';
import { body, stream } from './feed.ts';

const claude = (messages: readonly unknown[], complete = true) => stream('anthropic-messages', messages, complete);
const start = (usage: object) => ({ type: 'message_start', message: { id: 'a', model: 'c', usage } });
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number | undefined, type: string, more: object) => ({
  type: 'content_block_delta',
  ...(index === undefined ? {} : { index }),
  delta: { type, ...more },
});
const stop = { type: 'message_stop' };

describe('Anthropic Messages answer', () => {
  it('joins text and thinking, and ends at message_stop', () => {
    const { reply, deltas } = claude([
      start({ input_tokens: 1 }),
      block(0, { type: 'thinking', thinking: '' }),
      delta(0, 'thinking_delta', { thinking: 'hm' }),
      delta(0, 'signature_delta', { signature: 'sig' }),
      block(1, { type: 'text', text: '' }),
      delta(1, 'text_delta', { text: 'a' }),
      { type: 'ping' },
      delta(1, 'text_delta', { text: 'b' }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
      stop,
      '[DONE]',
    ]);
    expect(reply).toMatchObject({
      id: 'a',
      model: 'c',
      text: 'ab',
      thinking: 'hm',
      finishReason: 'end_turn',
      complete: true,
    });
    expect(deltas.map((entry) => entry.kind)).toEqual(['thinking', 'text', 'text']);
    expect(reply.other).toEqual([{ type: 'opaque.signature', json: { chars: 3 } }]);
  });

  it('counts the prompt as input, cache creation and cache read together', () => {
    const { reply } = claude([
      start({ input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 1 }),
      { type: 'message_delta', delta: {}, usage: { output_tokens: 8 } },
    ]);
    expect(reply.usage).toEqual({ input: 123, cached: 100, cacheWrite: 20, output: 8, total: 131 });
  });

  it('lets cumulative usage replace earlier values, but zero replaces nothing', () => {
    const { reply } = claude([
      start({ input_tokens: 3, cache_read_input_tokens: 100, output_tokens: 1 }),
      { type: 'message_delta', delta: {}, usage: { input_tokens: 5, cache_read_input_tokens: 0, output_tokens: 8 } },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 12 } },
    ]);
    expect(reply.usage).toEqual({ input: 105, cached: 100, output: 12, total: 117 });
  });

  it('joins the input of tools by block, and of blocks whose start was missed', () => {
    const { reply } = claude([
      block(1, { type: 'tool_use', id: 't', name: 'f', input: {} }),
      block(2, { type: 'tool_use', id: 'u', name: 'g', input: {} }),
      delta(1, 'input_json_delta', { partial_json: '{"a"' }),
      delta(2, 'input_json_delta', { partial_json: '{}' }),
      delta(1, 'input_json_delta', { partial_json: ':1}' }),
      delta(9, 'input_json_delta', { partial_json: '{"z":' }),
      delta(undefined, 'input_json_delta', { partial_json: '0}' }),
    ]);
    expect(reply.toolCalls).toEqual([
      { id: 't', name: 'f', argumentsText: '{"a":1}' },
      { id: 'u', name: 'g', argumentsText: '{}' },
      { id: '', name: '', argumentsText: '{"z":0}' },
    ]);
  });

  it('keeps tools that the provider runs, their results, and context edits beside the answer', () => {
    const { reply } = claude([
      block(0, { type: 'server_tool_use', id: 's', name: 'tool_search_tool_regex', input: {} }),
      delta(0, 'input_json_delta', { partial_json: '{"q":1}' }),
      block(1, { type: 'tool_search_tool_result', tool_use_id: 's' }),
      {
        type: 'message_delta',
        delta: {},
        usage: { server_tool_use: { tool_search_requests: 1 } },
        context_management: { applied_edits: [] },
      },
    ]);
    expect(reply.toolCalls).toEqual([]);
    expect(reply.other).toEqual([
      { type: 'tool_search_tool_result', json: { type: 'tool_search_tool_result', tool_use_id: 's' } },
      { type: 'usage.server_tool_use', json: { tool_search_requests: 1 } },
      { type: 'context_management', json: { applied_edits: [] } },
      {
        type: 'server_tool_use',
        json: { type: 'server_tool_use', id: 's', name: 'tool_search_tool_regex', input: { q: 1 } },
      },
    ]);
  });

  it('fails with an error event or body', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'm' } };
    expect(claude([error]).reply.error).toEqual({ code: 'overloaded_error', message: 'm' });
    expect(body('anthropic-messages', error).reply.error).toEqual({ code: 'overloaded_error', message: 'm' });
  });

  it('is incomplete when the client closes the stream early', () => {
    expect(claude([start({}), delta(0, 'text_delta', { text: 'a' })], false).reply).toMatchObject({
      text: 'a',
      complete: false,
    });
  });

  it('keeps events and deltas that it does not know', () => {
    const { reply } = claude([{ type: 'novel', x: 1 }, delta(0, 'citations_delta', { citation: 2 })]);
    expect(reply.other.map((entry) => entry.type)).toEqual(['novel', 'citations_delta']);
  });

  it('reads a whole body', () => {
    const { reply } = body('anthropic-messages', {
      type: 'message',
      id: 'a',
      model: 'c',
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2 },
      content: [
        { type: 'text', text: 'hi' },
        { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      ],
    });
    expect(reply).toMatchObject({
      text: 'hi',
      toolCalls: [{ id: 't', name: 'f', argumentsText: '{"a":1}' }],
      finishReason: 'tool_use',
      usage: { input: 1, output: 2, total: 3 },
      complete: true,
    });
  });
});
