import { describe, expect, it } from 'vitest';
import { body, stream } from './feed.ts';

const responses = (messages: readonly unknown[]) => stream('openai-responses', messages);
const text = (delta: string, output_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index: 0,
  delta,
});
const completed = (more: object = {}) => ({
  type: 'response.completed',
  response: { id: 'r', model: 'g', status: 'completed', output: [], ...more },
});

describe('OpenAI Responses answer', () => {
  it('joins text, takes usage and the end from the final response', () => {
    const usage = {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 13,
    };
    const { reply, deltas } = responses([
      { type: 'response.created', response: { id: 'r' } },
      text('a'),
      text('b'),
      completed({ usage }),
    ]);
    expect(deltas).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ]);
    expect(reply).toMatchObject({ id: 'r', model: 'g', text: 'ab', finishReason: 'completed', complete: true });
    expect(reply.usage).toEqual({ input: 9, cached: 5, output: 4, reasoning: 2, total: 13 });
  });

  it('does not add the final copies of what was streamed', () => {
    const item = { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'ab' }] };
    const { reply } = responses([
      text('a'),
      text('b'),
      { type: 'response.output_text.done', text: 'ab' },
      { type: 'response.output_item.done', output_index: 0, item },
      completed({ output: [item] }),
    ]);
    expect(reply.text).toBe('ab');
  });

  it('takes text from the final copy when its deltas were missed', () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'ab' }] };
    expect(responses([{ type: 'response.output_item.done', output_index: 0, item }]).reply.text).toBe('ab');
    expect(responses([completed({ output: [item] })]).reply.text).toBe('ab');
    const twice = [{ type: 'response.output_item.done', output_index: 0, item }, completed({ output: [item] })];
    expect(responses(twice).reply.text).toBe('ab');
  });

  it('puts a text right by its final copy when deltas were lost', () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'abc' }] };
    const done = { type: 'response.output_item.done', output_index: 1, item };
    const { reply, streamed } = responses([text('x', 0), text('a', 1), text('c', 1), done]);
    expect(reply.text).toBe('xabc');
    expect(streamed).toBe('xac');
  });

  it('joins the arguments of calls by output index, by item id, or by the item met last', () => {
    const added = (output_index: number, id: string, name: string) => ({
      type: 'response.output_item.added',
      output_index,
      item: { type: 'function_call', id, call_id: `call_${id}`, name },
    });
    const piece = (where: object, delta: string) => ({
      type: 'response.function_call_arguments.delta',
      ...where,
      delta,
    });
    const { reply } = responses([
      added(0, 'x', 'f'),
      added(1, 'y', 'g'),
      piece({ output_index: 0 }, '1'),
      piece({ item_id: 'y' }, '2'),
      piece({}, '2'),
      piece({ output_index: 0, item_id: 'x' }, '1'),
    ]);
    expect(reply.toolCalls).toEqual([
      { id: 'call_x', name: 'f', argumentsText: '11' },
      { id: 'call_y', name: 'g', argumentsText: '22' },
    ]);
  });

  it('trusts the final arguments of a call over its pieces', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' };
    const done = { type: 'response.output_item.done', output_index: 0, item };
    const piece = (delta: string) => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta });
    expect(responses([done]).reply.toolCalls[0]?.argumentsText).toBe('{"a":1}');
    expect(responses([piece('{"a"'), done]).reply.toolCalls).toEqual([
      { id: 'c', name: 'f', argumentsText: '{"a":1}' },
    ]);
    expect(responses([piece(':1}'), done]).reply.toolCalls[0]?.argumentsText).toBe('{"a":1}');
  });

  it('streams a reasoning summary, or takes it from the item when that is the only copy', () => {
    const item = {
      type: 'reasoning',
      id: 'rs',
      summary: [{ type: 'summary_text', text: 'why' }],
      encrypted_content: 'abc',
    };
    const done = { type: 'response.output_item.done', output_index: 0, item };
    const alone = responses([done]);
    expect(alone.reply.thinking).toBe('why');
    expect(alone.deltas).toEqual([{ kind: 'thinking', text: 'why' }]);
    expect(alone.reply.other).toEqual([{ type: 'opaque.encrypted_content', json: { chars: 3 } }]);
    const streamed = responses([
      { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'why' },
      done,
    ]);
    expect(streamed.reply.thinking).toBe('why');
  });

  it('reads flat and nested errors, and a failed response', () => {
    expect(responses([{ type: 'error', code: 'c', message: 'm', param: null }]).reply).toMatchObject({
      error: { code: 'c', message: 'm' },
      complete: true,
    });
    expect(responses([{ type: 'error', error: { code: 'rate_limited', message: 'm' } }]).reply.error).toEqual({
      code: 'rate_limited',
      message: 'm',
    });
    const failed = responses([
      {
        type: 'response.failed',
        response: { id: 'r', status: 'failed', error: { code: 'server_error', message: 'm' } },
      },
    ]);
    expect(failed.reply).toMatchObject({ finishReason: 'failed', error: { code: 'server_error', message: 'm' } });
  });

  it('says why an answer is incomplete or cancelled', () => {
    const incomplete = {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    };
    expect(responses([text('a'), incomplete]).reply).toMatchObject({
      finishReason: 'max_output_tokens',
      complete: true,
    });
    expect(responses([{ type: 'response.cancelled', response: {} }]).reply.finishReason).toBe('cancelled');
  });

  it('is not complete without its end mark', () => {
    expect(responses([text('a')]).reply).toMatchObject({ text: 'a', complete: false });
  });

  it('tolerates a [DONE] and names without type', () => {
    const { reply } = responses([['response.output_text.delta', { delta: 'a' }], completed(), '[DONE]']);
    expect(reply).toMatchObject({ text: 'a', complete: true });
  });

  it('keeps what it does not know, images by length', () => {
    const image = { type: 'image_generation_call', id: 'i', result: 'A'.repeat(100_000) };
    const { reply } = responses([
      { type: 'response.novel', x: 1 },
      { type: 'response.output_item.done', output_index: 0, item: image },
    ]);
    expect(reply.other[0]).toEqual({ type: 'response.novel', json: { type: 'response.novel', x: 1 } });
    expect(reply.other[1]?.type).toBe('image_generation_call');
    expect(JSON.stringify(reply.other[1]).length).toBeLessThan(1000);
    expect(JSON.stringify(reply.other[1])).toContain('100000 characters');
  });

  it('keeps a refusal beside the text', () => {
    expect(responses([{ type: 'response.refusal.delta', delta: 'no' }, completed()]).reply.other).toEqual([
      { type: 'refusal', json: 'no' },
    ]);
  });

  it('reads a whole body', () => {
    const { reply } = body('openai-responses', {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'g',
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      ],
      usage: { input_tokens: 1 },
    });
    expect(reply).toMatchObject({
      text: 'hi',
      toolCalls: [{ id: 'c', name: 'f', argumentsText: '{}' }],
      usage: { input: 1 },
      complete: true,
    });
  });
});
