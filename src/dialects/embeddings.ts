// Embeddings, in the shape of the Copilot API (OpenAI's: `input`, `data[].embedding`) and of GitHub's REST API (`inputs`,
// `embedding_model`, `embeddings[]`). Each input text becomes one user message: it left the machine like a prompt does.
// Of the answer only count and dimensions of the vectors are kept.

import type { LlmReply, LlmRequest } from '../model/index.ts';
import type { Dialect, DialectHint, ReplyDecoder } from './dialect.ts';
import { readJson } from './json.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { ReplyBuilder } from './reply-builder.ts';
import { base64Bytes, buildRequest, other } from './request-builder.ts';
import { isObject, type JsonObject, jsonText, listOf, objectOf, textOf, textOrNone } from './values.ts';

const KNOWN = new Set(['input', 'inputs', 'embedding_model']);

function request(body: unknown): LlmRequest {
  const root = objectOf(body);
  const inputs = root['inputs'] ?? root['input'];
  const list = typeof inputs === 'string' ? [inputs] : listOf(inputs);
  return buildRequest({
    dialect: 'embeddings',
    body: root,
    known: KNOWN,
    messages: list.map((input) => ({
      role: 'user',
      parts: [typeof input === 'string' ? { kind: 'text', text: input } : other('input', input)],
    })),
    tools: [],
    model: textOrNone(root['model']) ?? textOrNone(root['embedding_model']) ?? null,
  });
}

class EmbeddingsReply implements ReplyDecoder {
  readonly #reply = new ReplyBuilder();
  #whole = false;

  message({ data }: { data: string }) {
    return this.json(data);
  }

  json(body: string): readonly never[] {
    const { value, whole } = readJson(body);
    this.#whole = whole;
    const root = objectOf(value);
    this.#reply.model = textOrNone(root['model']) ?? textOrNone(root['embedding_model']) ?? null;
    readOpenAiUsage(this.#reply.usage, root['usage']);
    if (isObject(root['error'])) this.#fail(root['error']);
    else if (typeof root['message'] === 'string') this.#reply.fail('error', root['message']);
    this.#noteVectors(root);
    return [];
  }

  end(_transportComplete: boolean): LlmReply {
    return this.#reply.build(this.#whole);
  }

  #fail(error: JsonObject): void {
    this.#reply.fail(
      textOf(error['code']) || textOf(error['type']) || 'error',
      textOf(error['message']) || jsonText(error),
    );
  }

  #noteVectors(root: JsonObject): void {
    const vectors = Array.isArray(root['embeddings']) ? root['embeddings'] : listOf(root['data']);
    if (vectors.length === 0) return;
    const first = isObject(vectors[0]) ? vectors[0]['embedding'] : vectors[0];
    // Vectors also come as base64 of 32-bit floats.
    const dimensions = typeof first === 'string' ? Math.floor(base64Bytes(first) / 4) : listOf(first).length;
    this.#reply.note('embeddings', { count: vectors.length, dimensions });
  }
}

function score(hint: DialectHint): number {
  if (hint.path !== null && /\/embeddings$/.test(hint.path)) return 90;
  const body = objectOf(hint.body);
  if (Array.isArray(body['inputs']) && 'embedding_model' in body) return 80;
  const inputs = listOf(body['input']);
  return inputs.length > 0 && inputs.every((input) => typeof input === 'string') && 'model' in body ? 45 : 0;
}

export const embeddings: Dialect = { name: 'embeddings', score, request, reply: () => new EmbeddingsReply() };
