import { describe, expect, it } from 'vitest';
import { requestOf } from './feed.ts';

const chat = (body: unknown) => requestOf('openai-chat', body);

describe('OpenAI Chat Completions request', () => {
  it('reads roles, text, tools and parameters', () => {
    const request = chat({
      model: 'm',
      stream: true,
      temperature: 0.1,
      messages: [
        { role: 'developer', content: 'rules' },
        { role: 'user', name: 'u', content: [{ type: 'text', text: 'hi' }] },
      ],
      tools: [{ type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } }],
    });
    expect(request).toEqual({
      dialect: 'openai-chat',
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'rules' }] },
        { role: 'user', name: 'u', parts: [{ kind: 'text', text: 'hi' }] },
      ],
      tools: [{ name: 't', description: 'd', schema: { type: 'object' }, deferred: false }],
      parameters: { temperature: 0.1 },
    });
  });

  it('reads tool calls, tool results, and the legacy function pair', () => {
    const { messages } = chat({
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
        { role: 'assistant', function_call: { name: 'g', arguments: { b: 2 } } },
        { role: 'function', name: 'g', content: 'r' },
      ],
    });
    expect(messages.map((message) => message.parts)).toEqual([
      [{ kind: 'tool-call', id: 'c1', name: 'f', argumentsText: '{"a":1}' }],
      [{ kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'done' }] }],
      [{ kind: 'tool-call', id: '', name: 'g', argumentsText: '{"b":2}' }],
      [{ kind: 'tool-result', callId: 'g', parts: [{ kind: 'text', text: 'r' }] }],
    ]);
  });

  it("reads Copilot's additions: cache marks, references, thinking", () => {
    const { messages } = chat({
      messages: [
        {
          role: 'user',
          content: 'q',
          copilot_cache_control: { type: 'ephemeral' },
          copilot_references: [
            { type: 'client.file', id: 'f', data: { content: 'x' }, is_implicit: true },
            { type: 'github.redacted', id: 'r', data: { type: 'client.file' } },
          ],
          copilot_confirmations: [{ state: 'accepted' }],
        },
        { role: 'assistant', content: 'a', reasoning_text: 'hm', reasoning_opaque: 'abcd' },
      ],
    });
    expect(messages[0]).toEqual({
      role: 'user',
      cached: true,
      parts: [
        { kind: 'text', text: 'q' },
        { kind: 'reference', type: 'client.file', id: 'f', data: { content: 'x' }, implicit: true },
        { kind: 'reference', type: 'github.redacted', id: 'r', data: { type: 'client.file' } },
        { kind: 'other', type: 'copilot_confirmations', json: [{ state: 'accepted' }] },
      ],
    });
    expect(messages[1]?.parts[0]).toEqual({ kind: 'thinking', text: 'hm', opaqueBytes: 4 });
  });

  it('keeps size and type of an image, not its data', () => {
    const url = `data:image/png;base64,${'A'.repeat(400)}`;
    const { messages } = chat({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'image_url', image_url: { url: 'https://x/y.png', media_type: 'image/png' } },
          ],
        },
      ],
    });
    expect(messages[0]?.parts).toEqual([
      { kind: 'image', mediaType: 'image/png', bytes: 300 },
      { kind: 'image', mediaType: 'image/png', url: 'https://x/y.png' },
    ]);
  });

  it('keeps parts, members and messages that it does not know', () => {
    const { messages, parameters } = chat({
      messages: [{ role: 'critic', content: [{ type: 'hologram', x: 1 }], mood: 'up' }, 'loose'],
      future: { y: 2 },
    });
    expect(messages).toEqual([
      {
        role: 'other',
        parts: [
          { kind: 'other', type: 'hologram', json: { type: 'hologram', x: 1 } },
          { kind: 'other', type: 'mood', json: 'up' },
        ],
      },
      { role: 'other', parts: [{ kind: 'other', type: 'string', json: 'loose' }] },
    ]);
    expect(parameters).toEqual({ future: { y: 2 } });
  });

  it('reads what a cut body still has', () => {
    const text = JSON.stringify({
      model: 'm',
      messages: [
        { role: 'user', content: 'first' },
        { role: 'user', content: 'second part' },
      ],
    });
    const request = chat(text.slice(0, text.indexOf('part')));
    expect(request.model).toBe('m');
    expect(request.messages.map((message) => message.parts)).toEqual([
      [{ kind: 'text', text: 'first' }],
      [{ kind: 'text', text: 'second ' }],
    ]);
  });
});
