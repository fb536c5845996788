import { describe, expect, it } from 'vitest';
import { body, requestOf, stream } from './feed.ts';

describe('Ollama', () => {
  it('requests stream unless told otherwise', () => {
    const chat = requestOf('ollama', {
      model: 'l',
      messages: [
        { role: 'user', content: 'q', images: ['AAAA'] },
        { role: 'tool', tool_name: 'f', content: 'r' },
      ],
    });
    expect(chat).toMatchObject({ stream: true, model: 'l' });
    expect(chat.messages[0]?.parts).toEqual([
      { kind: 'text', text: 'q' },
      { kind: 'image', mediaType: '', bytes: 3 },
    ]);
    expect(chat.messages[1]?.parts).toEqual([
      { kind: 'tool-result', callId: 'f', parts: [{ kind: 'text', text: 'r' }] },
    ]);
    expect(requestOf('ollama', { model: 'l', prompt: 'p', stream: false, system: 's' })).toMatchObject({
      stream: false,
      prompt: 'p',
      messages: [{ role: 'system' }],
    });
  });

  it('answers in lines, the last of which has the counts', () => {
    const { reply } = stream('ollama', [
      { model: 'l', message: { role: 'assistant', thinking: 'hm' }, done: false },
      {
        model: 'l',
        message: { content: 'a', tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }] },
        done: false,
      },
      { model: 'l', message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 2 },
    ]);
    expect(reply).toMatchObject({
      model: 'l',
      text: 'a',
      thinking: 'hm',
      finishReason: 'stop',
      usage: { input: 5, output: 2 },
      complete: true,
    });
    expect(reply.toolCalls).toEqual([{ id: '', name: 'f', argumentsText: '{"x":1}' }]);
    expect(stream('ollama', [{ response: 'x', done: false }]).reply).toMatchObject({ text: 'x', complete: false });
  });

  it('answers with one body, or an error', () => {
    expect(body('ollama', { response: 'hi', done: true }).reply).toMatchObject({ text: 'hi', complete: true });
    expect(body('ollama', { error: 'model not found' }).reply.error).toEqual({
      code: 'error',
      message: 'model not found',
    });
  });
});
