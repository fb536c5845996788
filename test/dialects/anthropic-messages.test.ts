import { describe, expect, it } from 'vitest';
import { requestOf } from './feed.ts';

describe('Anthropic Messages request', () => {
  it('reads system, blocks, cache breakpoints and deferred tools', () => {
    const request = requestOf('anthropic-messages', {
      model: 'c',
      max_tokens: 10,
      stream: true,
      thinking: { type: 'adaptive' },
      system: [{ type: 'text', text: 'rules', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'abc' },
            { type: 'redacted_thinking', data: 'xyzw' },
            { type: 'text', text: 'a' },
            { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              is_error: true,
              content: [
                { type: 'text', text: 'r' },
                { type: 'tool_reference', tool_name: 'g' },
              ],
              cache_control: { type: 'ephemeral' },
            },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'document', title: 'd', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
          ],
        },
      ],
      tools: [
        { name: 'tool_search_tool_regex', type: 'tool_search_tool_regex_20251119' },
        { name: 'f', description: 'd', input_schema: { x: 1 } },
        { name: 'g', description: 'e', input_schema: {}, defer_loading: true },
      ],
    });
    expect(request.messages).toEqual([
      { role: 'system', parts: [{ kind: 'text', text: 'rules', cached: true }] },
      { role: 'user', parts: [{ kind: 'text', text: 'q' }] },
      {
        role: 'assistant',
        parts: [
          { kind: 'thinking', text: 'hm', opaqueBytes: 3 },
          { kind: 'thinking', text: '', opaqueBytes: 4 },
          { kind: 'text', text: 'a' },
          { kind: 'tool-call', id: 't', name: 'f', argumentsText: '{"a":1}' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            kind: 'tool-result',
            callId: 't',
            isError: true,
            cached: true,
            parts: [
              { kind: 'text', text: 'r' },
              { kind: 'other', type: 'tool_reference', json: { type: 'tool_reference', tool_name: 'g' } },
            ],
          },
          { kind: 'image', mediaType: 'image/png', bytes: 3 },
          { kind: 'document', mediaType: 'application/pdf', name: 'd', bytes: 3 },
        ],
      },
    ]);
    expect(request.tools.map((tool) => [tool.name, tool.deferred])).toEqual([
      ['tool_search_tool_regex', false],
      ['f', false],
      ['g', true],
    ]);
    expect(request.parameters).toEqual({ max_tokens: 10, thinking: { type: 'adaptive' } });
  });

  it('takes a system text that is a string', () => {
    expect(requestOf('anthropic-messages', { system: 's', messages: [] }).messages).toEqual([
      { role: 'system', parts: [{ kind: 'text', text: 's' }] },
    ]);
  });
});
