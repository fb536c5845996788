import { describe, expect, it } from 'vitest';
import { requestOf } from './feed.ts';

const responses = (body: unknown) => requestOf('openai-responses', body);

describe('OpenAI Responses request', () => {
  it('reads every kind of input item', () => {
    const { messages, parameters, tools } = responses({
      model: 'g',
      stream: true,
      store: false,
      reasoning: { effort: 'medium' },
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: { a: 1 }, strict: false }],
      input: [
        { role: 'system', content: [{ type: 'input_text', text: 'rules' }] },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'q' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
          ],
        },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_123',
          content: [{ type: 'output_text', text: 'a', annotations: [] }],
        },
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'why' }], encrypted_content: 'xxxx' },
        { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c1' },
        { type: 'function_call_output', call_id: 'c1', output: 'r' },
        { type: 'compaction', id: 'k', encrypted_content: 'yy' },
      ],
    });
    expect(messages).toEqual([
      { role: 'system', parts: [{ kind: 'text', text: 'rules' }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'q' },
          { kind: 'image', mediaType: 'image/png', bytes: 3 },
          { kind: 'document', mediaType: 'application/pdf', name: 'a.pdf', bytes: 3 },
        ],
      },
      { role: 'assistant', parts: [{ kind: 'text', text: 'a' }] },
      { role: 'assistant', parts: [{ kind: 'thinking', text: 'why', opaqueBytes: 4 }] },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c1', name: 'f', argumentsText: '{}' }] },
      { role: 'tool', parts: [{ kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'r' }] }] },
      {
        role: 'other',
        parts: [{ kind: 'other', type: 'compaction', json: { type: 'compaction', id: 'k', encrypted_content: 'yy' } }],
      },
    ]);
    expect(tools).toEqual([{ name: 'f', description: 'd', schema: { a: 1 }, deferred: false }]);
    expect(parameters).toEqual({ store: false, reasoning: { effort: 'medium' } });
  });

  it('reads a WebSocket request with the response that it continues', () => {
    const request = responses({
      type: 'response.create',
      model: 'g',
      initiator: 'agent',
      previous_response_id: 'r1',
      input: [],
    });
    expect(request).toMatchObject({ stream: true, previousResponseId: 'r1', parameters: { initiator: 'agent' } });
  });

  it('takes plain text input and instructions', () => {
    expect(responses({ instructions: 'be brief', input: 'q' }).messages.map((message) => message.role)).toEqual([
      'system',
      'user',
    ]);
  });
});
