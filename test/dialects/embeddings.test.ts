import { describe, expect, it } from 'vitest';
import { body, requestOf } from './feed.ts';

describe('embeddings', () => {
  it('of the Copilot API: inputs, model, usage, size of the vectors', () => {
    expect(requestOf('embeddings', { input: ['a', 'b'], model: 'e', dimensions: 2 })).toMatchObject({
      model: 'e',
      parameters: { dimensions: 2 },
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'a' }] }, { parts: [{ text: 'b' }] }],
    });
    const { reply } = body('embeddings', {
      model: 'e',
      data: [{ embedding: [0, 1] }, { embedding: [1, 0] }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
    expect(reply).toMatchObject({
      model: 'e',
      usage: { input: 4, total: 4 },
      complete: true,
      other: [{ type: 'embeddings', json: { count: 2, dimensions: 2 } }],
    });
  });

  it('of GitHub REST: inputs and embedding_model', () => {
    expect(requestOf('embeddings', { inputs: ['a'], input_type: 'query', embedding_model: 'metis' })).toMatchObject({
      model: 'metis',
      parameters: { input_type: 'query' },
    });
    const { reply } = body('embeddings', { embedding_model: 'metis', embeddings: [[1, 2, 3]] });
    expect(reply.other).toEqual([{ type: 'embeddings', json: { count: 1, dimensions: 3 } }]);
  });

  it('as base64 have the dimensions of their floats', () => {
    expect(body('embeddings', { data: [{ embedding: 'AAAAAAAAAAAAAAAAAAAAAA==' }] }).reply.other).toEqual([
      { type: 'embeddings', json: { count: 1, dimensions: 4 } },
    ]);
  });

  it('say what went wrong, and what is left of a cut answer', () => {
    expect(body('embeddings', { message: 'Not Found' }).reply.error).toEqual({ code: 'error', message: 'Not Found' });
    expect(body('embeddings', '{"model":"e","data":[{"embedding":[0,').reply).toMatchObject({
      model: 'e',
      complete: false,
    });
  });
});
