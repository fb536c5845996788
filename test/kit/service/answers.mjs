// Invented answers of language models in the three wire formats and the completions format: each builder returns the
// server-sent events and what a decoder must make of them (`expect`).

/** @typedef {{ id: string, name: string, argumentsText: string }} ToolCall */
/** @typedef {{ model: string, text: string, thinking?: string, toolCalls: ToolCall[], usage: Record<string, number>, finishReason: string }} Answer */

/** One server-sent event. @param {unknown} data @param {string} [event] */
const sse = (data, event) =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Pieces as a model would stream them; a cut may fall inside a word, never inside a code point. @param {string} text @param {number} size */
const tokens = (text, size = 7) => {
  const points = [...text];
  const pieces = [];
  for (let at = 0; at < points.length; at += size) pieces.push(points.slice(at, at + size).join(''));
  return pieces;
};

/** @param {Answer} answer @param {string} dialect */
const expectation = (answer, dialect) => ({ dialect, ...answer });

/** @param {Answer} answer */
const chatUsage = ({ usage }) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cached },
});

/** @param {Answer} answer @param {string} [dialect] name of the decoder that should take it */
export function chatCompletions(answer, dialect = 'openai-chat') {
  const base = { id: 'chatcmpl-standin1', created: 1_790_000_000, model: answer.model };
  /** @param {object} delta @param {string | null} finish */
  const chunk = (delta, finish = null) => sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const calls = answer.toolCalls.flatMap((call, index) => [
    chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }),
    ...tokens(call.argumentsText).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  const events = [
    sse({ choices: [], created: 0, id: '', prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }),
    ': keep-alive comment\n\n',
    chunk({ role: 'assistant', content: '' }),
    ...tokens(answer.text).map((content) => chunk({ content })),
    ...calls,
    chunk({}, answer.finishReason),
    sse({ ...base, choices: [], usage: chatUsage(answer) }),
    sse('[DONE]'),
  ];
  return { events, expect: expectation(answer, dialect) };
}

/** @param {Answer} answer */
const responsesUsage = ({ usage }) => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  total_tokens: usage.input + usage.output,
});

/** The Responses events as JSON values: server-sent with `event:` lines, or bare on a WebSocket. @param {Answer} answer */
export function responsesEvents(answer) {
  const id = 'resp_standin1';
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: answer.text, annotations: [] }],
  };
  const calls = answer.toolCalls.map((call) => ({
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: call.argumentsText,
    status: 'completed',
  }));
  const response = {
    id,
    model: answer.model,
    created_at: 1_790_000_000,
    status: 'completed',
    output: [message, ...calls],
    usage: responsesUsage(answer),
  };
  const events = [
    { type: 'response.created', response: { id, model: answer.model, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
    ...tokens(answer.text).map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: 'response.output_item.done', output_index: 0, item: message },
    ...calls.flatMap((item, i) => [
      {
        type: 'response.output_item.added',
        output_index: i + 1,
        item: { ...item, arguments: '', status: 'in_progress' },
      },
      ...tokens(item.arguments).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        item_id: item.id,
        output_index: i + 1,
        delta,
      })),
      { type: 'response.output_item.done', output_index: i + 1, item },
    ]),
    { type: 'response.completed', response },
  ];
  return { events, expect: expectation(answer, 'openai-responses') };
}

/** @param {Answer} answer */
export function responses(answer) {
  const { events, expect } = responsesEvents(answer);
  return { events: events.map((event) => sse(event, event.type)), expect };
}

/** @param {Answer} answer */
export function messages(answer) {
  const { usage } = answer;
  const start = {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: 1,
  };
  /** @param {number} index @param {object} block @param {object[]} deltas */
  const block = (index, block, deltas) => [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const thinking = answer.thinking ?? '';
  const values = [
    {
      type: 'message_start',
      message: {
        id: 'msg_standin1',
        type: 'message',
        role: 'assistant',
        model: answer.model,
        content: [],
        usage: start,
      },
    },
    { type: 'ping' },
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
      ...tokens(thinking).map((text) => ({ type: 'thinking_delta', thinking: text })),
      { type: 'signature_delta', signature: 'c3RhbmQtaW4=' },
    ]),
    ...block(
      1,
      { type: 'text', text: '' },
      tokens(answer.text).map((text) => ({ type: 'text_delta', text })),
    ),
    ...answer.toolCalls.flatMap((call, i) =>
      block(
        i + 2,
        { type: 'tool_use', id: call.id, name: call.name, input: {} },
        tokens(call.argumentsText).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: answer.finishReason, stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ];
  return { events: values.map((value) => sse(value, value.type)), expect: expectation(answer, 'anthropic-messages') };
}

/** Ghost text. @param {Answer} answer */
export function completions(answer) {
  const base = { id: 'cmpl-standin1', created: 1_790_000_000, model: answer.model };
  const events = [
    ...tokens(answer.text).map((text) =>
      sse({ ...base, choices: [{ index: 0, text, finish_reason: null, logprobs: null }] }),
    ),
    sse({
      ...base,
      choices: [{ index: 0, text: '', finish_reason: answer.finishReason, logprobs: null }],
      usage: chatUsage(answer),
    }),
    sse('[DONE]'),
  ];
  return { events, expect: expectation(answer, 'openai-completions') };
}
