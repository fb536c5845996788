import { describe, expect, it } from 'vitest';
import { body, stream } from './feed.ts';

const delta = (d: object, more: object = {}) => ({ id: 'r', model: 'm', choices: [{ index: 0, delta: d, ...more }] });
const chat = (messages: readonly unknown[], complete = true) => stream('openai-chat', messages, complete);
const call = (entry: object) => delta({ tool_calls: [entry] });

describe('OpenAI Chat Completions answer', () => {
  it('joins text and reports each piece', () => {
    const { reply, deltas } = chat([
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'a' }),
      delta({ content: 'b' }),
      '[DONE]',
    ]);
    expect(deltas).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ]);
    expect(reply).toMatchObject({ id: 'r', model: 'm', text: 'ab', complete: true, alternatives: [] });
  });

  it('takes an empty first chunk that only holds filter results of the prompt', () => {
    const first = { choices: [], created: 0, id: '', prompt_filter_results: [{ prompt_index: 0 }] };
    const { reply } = chat([first, delta({ content: 'a' }), '[DONE]']);
    expect(reply).toMatchObject({
      id: 'r',
      text: 'a',
      other: [{ type: 'prompt_filter_results', json: [{ prompt_index: 0 }] }],
    });
  });

  it('takes usage from a chunk of its own, details included', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 9,
      total_tokens: 109,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 4, accepted_prediction_tokens: 2, rejected_prediction_tokens: 1 },
    };
    const { reply } = chat([delta({ content: 'a' }, { finish_reason: 'stop' }), { choices: [], usage }]);
    expect(reply.usage).toEqual({
      input: 100,
      output: 9,
      total: 109,
      cached: 64,
      reasoning: 4,
      acceptedPrediction: 2,
      rejectedPrediction: 1,
    });
    expect(reply.complete).toBe(true);
  });

  it('ends with an error: nothing is missing after it', () => {
    const chunks = [
      delta({ content: 'par' }),
      { choices: null, error: { code: 'rate_limited', message: 'slow down' } },
    ];
    expect(chat(chunks, true).reply).toMatchObject({ text: 'par', error: { code: 'rate_limited' }, complete: true });
    expect(chat(chunks, false).reply.complete).toBe(false);
  });

  it('is complete without [DONE] when a finish reason came and the exchange ended, and not otherwise', () => {
    const chunks = [delta({ content: 'a' }, { finish_reason: 'stop' })];
    expect(chat(chunks, true).reply.complete).toBe(true);
    expect(chat(chunks, false).reply.complete).toBe(false);
    expect(chat([delta({ content: 'a' })], true).reply).toMatchObject({
      complete: false,
      text: 'a',
      finishReason: null,
    });
  });

  describe('tool calls', () => {
    const calls = (messages: readonly unknown[]) => chat(messages).reply.toolCalls;

    it('are joined by id, even when all have index 0', () => {
      expect(
        calls([
          call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }),
          call({ index: 0, id: 'b', function: { name: 'g', arguments: '{' } }),
          call({ index: 0, id: 'a', function: { arguments: ':1}' } }),
          call({ index: 0, id: 'b', function: { arguments: '}' } }),
        ]),
      ).toEqual([
        { id: 'a', name: 'f', argumentsText: '{"x":1}' },
        { id: 'b', name: 'g', argumentsText: '{}' },
      ]);
    });

    it('without id go to the call of their index', () => {
      expect(
        calls([
          call({ index: 0, id: 'a', function: { name: 'f', arguments: '1' } }),
          call({ index: 1, id: 'b', function: { name: 'g', arguments: '2' } }),
          call({ index: 0, function: { arguments: '1' } }),
          call({ index: 1, id: '', function: { arguments: '2' } }),
        ]).map((entry) => entry.argumentsText),
      ).toEqual(['11', '22']);
    });

    it('without id and index go to the last call', () => {
      expect(
        calls([
          call({ id: 'a', function: { name: 'f', arguments: 'x' } }),
          call({ function: { arguments: 'y' } }),
          call({ index: 7, function: { arguments: 'z' } }),
        ]),
      ).toEqual([{ id: 'a', name: 'f', argumentsText: 'xyz' }]);
    });

    it('without id but with a name under a new index are new calls', () => {
      expect(
        calls([
          call({ index: 0, function: { name: 'f', arguments: '1' } }),
          call({ index: 1, function: { name: 'g', arguments: '2' } }),
        ]).map((entry) => entry.name),
      ).toEqual(['f', 'g']);
    });

    it('are reported as they grow, with id and name', () => {
      const { deltas } = chat([
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
        call({ index: 0, function: { arguments: '{}' } }),
      ]);
      expect(deltas).toEqual([
        { kind: 'tool-call', id: 'a', name: 'f', argumentsText: '' },
        { kind: 'tool-call', id: 'a', name: 'f', argumentsText: '{}' },
      ]);
    });

    it('in the legacy form are joined by name, and their finish reason is no end', () => {
      const { reply } = chat([
        delta({ function_call: { name: 'f', arguments: '{"a"' } }),
        delta({ function_call: { arguments: ':1}' } }, { finish_reason: 'function_call' }),
        delta({ content: 'then text' }),
        delta({}, { finish_reason: 'stop' }),
      ]);
      expect(reply.toolCalls).toEqual([{ id: '', name: 'f', argumentsText: '{"a":1}' }]);
      expect(reply).toMatchObject({ text: 'then text', finishReason: 'stop' });
      const echoed = [delta({}, { finish_reason: 'stop' }), delta({}, { finish_reason: 'function_call' })];
      expect(chat(echoed).reply.finishReason).toBe('stop');
      expect(chat([delta({ function_call: { name: 'f' } }, { finish_reason: 'function_call' })]).reply).toMatchObject({
        finishReason: 'function_call',
        complete: false,
      });
    });

    it('of a hostile stream are bounded', () => {
      const { reply } = chat(Array.from({ length: 3000 }, (_, at) => call({ id: `c${at}`, function: { name: 'f' } })));
      expect(reply.toolCalls).toHaveLength(1024);
      expect(reply.other).toContainEqual({ type: 'limit', json: { piecesDropped: 3000 - 1024 } });
    });
  });

  it.each([
    [{ reasoning_text: 'hm', reasoning_opaque: 'abc' }, 'reasoning_opaque'],
    [{ cot_summary: 'hm', cot_id: 'abc' }, 'cot_id'],
    [{ thinking: 'hm', signature: 'abc' }, 'signature'],
  ])('reads thinking from %j and keeps only the length of what is opaque', (fields, opaque) => {
    const { reply, deltas } = chat([delta(fields)]);
    expect(reply.thinking).toBe('hm');
    expect(deltas).toEqual([{ kind: 'thinking', text: 'hm' }]);
    expect(reply.other).toEqual([{ type: `opaque.${opaque}`, json: { chars: 3 } }]);
  });

  it('keeps references, confirmations and agent errors of chunks whose choices are null', () => {
    const { reply } = chat([
      { choices: null, copilot_references: [{ type: 'client.file' }] },
      { choices: null, copilot_confirmation: { title: 't' } },
      { choices: null, copilot_errors: [{ code: 'e' }] },
      delta({ content: 'a' }),
    ]);
    expect(reply.other.map((entry) => entry.type)).toEqual([
      'copilot_references',
      'copilot_confirmation',
      'copilot_errors',
    ]);
    expect(reply).toMatchObject({ text: 'a' });
    expect(reply.error).toBeUndefined();
  });

  it('fails with an error chunk', () => {
    expect(chat([{ choices: null, error: { code: 'bad', message: 'm' } }]).reply.error).toEqual({
      code: 'bad',
      message: 'm',
    });
    expect(body('openai-chat', { error: { type: 'rate_limit_error', message: 'm' } }).reply.error).toEqual({
      code: 'rate_limit_error',
      message: 'm',
    });
  });

  it('keeps filters and annotations once, not once per chunk', () => {
    const filter = { content_filter_results: { hate: { filtered: false } } };
    const { reply } = chat([
      delta({ content: 'a', copilot_annotations: { IPCodeCitations: [1] } }, filter),
      delta({ content: 'b' }, filter),
      delta({}, { finish_reason: 'content_filter', content_filter_results: { hate: { filtered: true } } }),
    ]);
    expect(reply.finishReason).toBe('content_filter');
    expect(reply.other).toEqual([
      { type: 'content_filter_results', json: { hate: { filtered: false } } },
      { type: 'copilot_annotations', json: { IPCodeCitations: [1] } },
      { type: 'content_filter_results', json: { hate: { filtered: true } } },
    ]);
  });

  it('keeps a refusal and the result of a server-side function beside the text', () => {
    const { reply } = chat([
      delta({ role: 'function', content: '[{"type":"x"}]' }),
      delta({ refusal: 'I ' }),
      delta({ refusal: 'will not' }),
    ]);
    expect(reply.text).toBe('');
    expect(reply.other).toEqual([
      { type: 'function.references', json: [{ type: 'x' }] },
      { type: 'refusal', json: 'I will not' },
    ]);
  });

  it('tells three choices apart and streams the first', () => {
    const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const { reply, streamed } = chat([choice(2, 'c'), choice(0, 'a'), choice(1, 'b'), choice(0, 'A'), choice(2, 'C')]);
    expect(reply.text).toBe('aA');
    expect(reply.alternatives).toEqual(['b', 'cC']);
    expect(streamed).toBe('aA');
  });

  it('keeps tool calls of further choices beside the answer', () => {
    const { reply } = chat([
      { choices: [{ index: 1, delta: { tool_calls: [{ id: 'z', function: { name: 'f', arguments: '{}' } }] } }] },
    ]);
    expect(reply.toolCalls).toEqual([]);
    expect(reply.other).toEqual([
      { type: 'alternative.tool_calls', json: { choice: 1, toolCalls: [{ id: 'z', name: 'f', argumentsText: '{}' }] } },
    ]);
  });

  it('reads a whole body', () => {
    const { reply, deltas } = body('openai-chat', {
      id: 'x',
      model: 'm',
      choices: [
        {
          message: { content: 'hi', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    expect(reply).toMatchObject({
      text: 'hi',
      finishReason: 'tool_calls',
      usage: { input: 1, output: 2 },
      complete: true,
    });
    expect(deltas).toHaveLength(2);
  });

  it('keeps what it cannot read and goes on', () => {
    const { reply } = chat(['not json', '{"choices":[{"index":0,"delta":{"content":"cut', delta({ content: '!' })]);
    expect(reply.text).toBe('cut!');
    expect(reply.other.map((entry) => entry.type)).toEqual(['unreadable', 'damaged']);
  });
});
