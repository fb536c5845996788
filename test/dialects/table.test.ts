import { describe, expect, it } from 'vitest';
import { bestDialect, DIALECTS, dialectByName } from '../../src/dialects/table.ts';

const best = (path: string | null, body?: unknown, reply?: unknown) =>
  bestDialect({ path, headers: [], body, reply })?.dialect.name;

describe('choice of a dialect', () => {
  it.each([
    ['/chat/completions', 'openai-chat'],
    ['/api/v1/chat/completions', 'openai-chat'],
    ['/openai/deployments/d/chat/completions', 'openai-chat'],
    ['/v1/responses', 'openai-responses'],
    ['/v1/messages', 'anthropic-messages'],
    ['/v1/engines/m/completions', 'openai-completions'],
    ['/v1/completions', 'openai-completions'],
    ['/v1/embeddings', 'embeddings'],
    ['/v1beta/models/g:generateContent', 'gemini'],
    ['/api/generate', 'ollama'],
    ['/nothing', undefined],
  ])('by path: %s is %s', (path, name) => {
    expect(best(path)).toBe(name);
  });

  it.each([
    [{ messages: [], temperature: 0 }, 'openai-chat'],
    [{ messages: [], system: [], max_tokens: 1 }, 'anthropic-messages'],
    [{ messages: [], tools: [{ input_schema: {} }] }, 'anthropic-messages'],
    [{ input: [{ role: 'user' }], store: false }, 'openai-responses'],
    [{ type: 'response.create', input: [] }, 'openai-responses'],
    [{ input: ['a'], model: 'e', dimensions: 5 }, 'embeddings'],
    [{ inputs: ['a'], embedding_model: 'e' }, 'embeddings'],
    [{ prompt: 'a', suffix: 'b' }, 'openai-completions'],
    [{ contents: [] }, 'gemini'],
    [{ anything: 1 }, undefined],
    ['text', undefined],
  ])('by request body: %j is %s', (body, name) => {
    expect(best(null, body)).toBe(name);
  });

  it.each([
    [{ choices: [{ delta: {} }] }, 'openai-chat'],
    [{ choices: [{ text: 'a' }] }, 'openai-completions'],
    [{ type: 'response.created' }, 'openai-responses'],
    [{ type: 'content_block_delta' }, 'anthropic-messages'],
    [{ candidates: [] }, 'gemini'],
    [{ message: {}, done: false }, 'ollama'],
  ])('by the first message of the answer: %j is %s', (reply, name) => {
    expect(best(null, undefined, reply)).toBe(name);
  });

  it('finds each row by its name', () => {
    for (const dialect of DIALECTS) expect(dialectByName(dialect.name)).toBe(dialect);
    expect(dialectByName('none')).toBeUndefined();
  });
});
