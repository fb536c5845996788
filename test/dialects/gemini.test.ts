import { describe, expect, it } from 'vitest';
import { body, requestOf, stream } from './feed.ts';

const chunk = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
  modelVersion: 'g-1',
  responseId: 'r',
});

describe('Gemini', () => {
  it('requests: contents, system, tools, model from the path', () => {
    const request = requestOf(
      'gemini',
      {
        systemInstruction: { parts: [{ text: 'rules' }] },
        contents: [
          { role: 'user', parts: [{ text: 'q' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
          { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: { ok: true } } }, { novel: 1 }] },
        ],
        tools: [
          { functionDeclarations: [{ name: 'f', description: 'd', parameters: { x: 1 } }] },
          { googleSearch: {} },
        ],
        generationConfig: { temperature: 0 },
      },
      '/v1beta/models/gemini-3-flash:streamGenerateContent',
    );
    expect(request).toMatchObject({
      model: 'gemini-3-flash',
      stream: true,
      parameters: { generationConfig: { temperature: 0 } },
    });
    expect(request.tools.map((tool) => tool.name)).toEqual(['f', 'googleSearch']);
    expect(request.messages.map((message) => [message.role, message.parts.map((part) => part.kind)])).toEqual([
      ['system', ['text']],
      ['user', ['text', 'image']],
      ['assistant', ['tool-call']],
      ['user', ['tool-result', 'other']],
    ]);
  });

  it('streams: text, thoughts, whole function calls, counts of the last chunk', () => {
    const { reply } = stream('gemini', [
      chunk([{ text: 'hm', thought: true }]),
      { ...chunk([{ text: 'a' }]), usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1 } },
      {
        ...chunk([{ text: 'b' }, { functionCall: { name: 'f', args: { a: 1 } } }], { finishReason: 'STOP' }),
        usageMetadata: {
          promptTokenCount: 10,
          cachedContentTokenCount: 4,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 3,
          totalTokenCount: 18,
        },
      },
    ]);
    expect(reply).toMatchObject({
      id: 'r',
      model: 'g-1',
      text: 'ab',
      thinking: 'hm',
      finishReason: 'STOP',
      complete: true,
    });
    expect(reply.toolCalls).toEqual([{ id: '', name: 'f', argumentsText: '{"a":1}' }]);
    expect(reply.usage).toEqual({ input: 10, cached: 4, output: 8, reasoning: 3, total: 18 });
  });

  it('bodies: one answer, or a list of chunks, possibly cut', () => {
    expect(body('gemini', chunk([{ text: 'hi' }], { finishReason: 'STOP' })).reply).toMatchObject({
      text: 'hi',
      complete: true,
    });
    const list = JSON.stringify([chunk([{ text: 'a' }]), chunk([{ text: 'b' }])]);
    expect(body('gemini', list).reply.text).toBe('ab');
    expect(body('gemini', list.slice(0, -30)).reply).toMatchObject({ text: 'ab', complete: false });
  });

  it('errors: by status', () => {
    expect(body('gemini', { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'm' } }).reply.error).toEqual({
      code: 'RESOURCE_EXHAUSTED',
      message: 'm',
    });
  });
});
