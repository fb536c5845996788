import { describe, expect, it } from 'vitest';
import { requestOf, stream } from './feed.ts';

describe('legacy completions', () => {
  it('take the model from the path and keep extra as sent', () => {
    const body = {
      prompt: 'const a',
      suffix: ';',
      stream: true,
      n: 1,
      extra: { language: 'ts', context: ['Path: a.ts', ''] },
    };
    expect(requestOf('openai-completions', body, '/v1/engines/gpt-41-copilot/completions')).toEqual({
      dialect: 'openai-completions',
      model: 'gpt-41-copilot',
      stream: true,
      messages: [],
      tools: [],
      parameters: { n: 1, extra: body.extra },
      prompt: 'const a',
      suffix: ';',
    });
    expect(requestOf('openai-completions', {}, '/v1/engines/%zz/completions').model).toBe('%zz');
  });

  it('join the text of each choice', () => {
    const piece = (index: number, text: string) => ({ choices: [{ index, text, finish_reason: null }] });
    const { reply } = stream('openai-completions', [
      piece(0, 'a'),
      piece(1, 'x'),
      piece(0, 'b'),
      piece(2, ''),
      { choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
      '[DONE]',
    ]);
    expect(reply).toMatchObject({ text: 'ab', alternatives: ['x'], finishReason: 'stop', complete: true });
  });

  it('keep annotations beside the text', () => {
    const { reply } = stream('openai-completions', [
      { choices: [{ index: 0, text: 'a', copilot_annotations: { IPCodeCitations: [] } }] },
    ]);
    expect(reply.other).toEqual([{ type: 'copilot_annotations', json: { IPCodeCitations: [] } }]);
  });
});
