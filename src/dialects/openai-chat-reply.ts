// Answers of OpenAI Chat Completions, streamed or whole, with GitHub Copilot's additions.
//
// Hazards of this wire: the first chunk may have no choices; usage comes in a chunk of its own; tool calls may lack index
// or id; `finish_reason: "function_call"` may be an echo of server-side work and is no end; `[DONE]` may be absent, and
// a client that has what it wants just closes the stream.

import type { ReplyDelta } from '../model/index.ts';
import { type Choice, ChoiceToolCalls } from './choice-tool-calls.ts';
import type { ReplyDecoder, StreamMessage } from './dialect.ts';
import { readJson } from './json.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { ReplyBuilder } from './reply-builder.ts';
import { indexOrNone, isObject, type JsonObject, jsonText, listOf, objectOf, textOf, textOrNone } from './values.ts';

/** Members that are decoded, or say nothing that anyone asks for (creation time, fingerprints, log-probabilities). */
const CHUNK_KEYS = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'error',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
]);
const CHOICE_KEYS = new Set(['index', 'delta', 'message', 'text', 'finish_reason', 'logprobs', 'native_finish_reason']);
const DELTA_KEYS = new Set(['role', 'content', 'tool_calls', 'function_call', 'refusal']);
/** Names under which providers send thinking text, and the opaque data that goes with it. */
const THINKING_KEYS = ['reasoning_text', 'cot_summary', 'thinking', 'reasoning_content', 'reasoning'];
const OPAQUE_KEYS = ['reasoning_opaque', 'cot_id', 'signature'];
const THOUGHT_KEYS = new Set([...THINKING_KEYS, ...OPAQUE_KEYS]);

export const openAiChatReply = (): ReplyDecoder => new ChatReply();

class ChatReply implements ReplyDecoder {
  readonly #reply = new ReplyBuilder();
  readonly #calls = new ChoiceToolCalls(this.#reply);
  #sawDone = false;
  #sawFinish = false;
  #refusal = '';

  message({ data }: StreamMessage): readonly ReplyDelta[] {
    if (data.trim() === '[DONE]') {
      this.#sawDone = true;
      return [];
    }
    const { value, whole } = readJson(data);
    if (!isObject(value)) return this.#reply.note('unreadable', data.slice(0, 1024));
    if (!whole) this.#reply.note('damaged', data.slice(0, 1024));
    return this.#chunk(value);
  }

  json(body: string): readonly ReplyDelta[] {
    const { value, whole } = readJson(body);
    if (!isObject(value)) return body.trim() === '' ? [] : this.#reply.note('unreadable', body.slice(0, 1024));
    const deltas = this.#chunk(value);
    this.#sawDone = whole;
    return deltas;
  }

  end(transportComplete: boolean) {
    if (this.#refusal !== '') this.#reply.note('refusal', this.#refusal);
    this.#calls.noteFurtherChoices();
    // An error ends the answer: nothing comes after it.
    const sawEnd = this.#sawFinish || this.#reply.error !== undefined;
    return this.#reply.build(this.#sawDone || (transportComplete && sawEnd));
  }

  #chunk(chunk: JsonObject): readonly ReplyDelta[] {
    this.#reply.id ??= textOrNone(chunk['id']) ?? null;
    this.#reply.model ??= textOrNone(chunk['model']) ?? null;
    readOpenAiUsage(this.#reply.usage, chunk['usage']);
    if (chunk['error'] !== undefined && chunk['error'] !== null) this.#fail(chunk['error']);
    for (const [key, value] of Object.entries(chunk)) if (!CHUNK_KEYS.has(key)) this.#reply.note(key, value);
    return listOf(chunk['choices']).flatMap((choice) => this.#choice(choice));
  }

  #fail(error: unknown): void {
    const { code, type, message } = objectOf(error) as { code?: unknown; type?: unknown; message?: unknown };
    const name = typeof code === 'number' ? String(code) : textOf(code) || textOf(type) || 'error';
    this.#reply.fail(name, textOf(message) || jsonText(error));
  }

  #choice(json: unknown): readonly ReplyDelta[] {
    const choice = objectOf(json);
    const index = indexOrNone(choice['index']) ?? 0;
    for (const [key, value] of Object.entries(choice)) {
      if (!CHOICE_KEYS.has(key) && value !== null) this.#reply.note(index === 0 ? key : `${key}.${index}`, value);
    }
    const delta = isObject(choice['delta']) ? choice['delta'] : objectOf(choice['message']);
    const deltas = [...this.#delta(index, delta), ...this.#reply.addText(index, textOf(choice['text']))];
    this.#finish(index, choice['finish_reason']);
    return deltas;
  }

  /** The first choice's reason is the answer's; an echoed `function_call` is kept only while nothing better came. */
  #finish(index: Choice, reason: unknown): void {
    if (typeof reason !== 'string' || reason === '') return;
    if (reason !== 'function_call') this.#sawFinish = true;
    const known = this.#reply.finishReason;
    if (index === 0 ? reason !== 'function_call' || known === null : known === null) this.#reply.finishReason = reason;
  }

  #delta(index: Choice, delta: JsonObject): readonly ReplyDelta[] {
    this.#refusal += textOf(delta['refusal']).slice(0, 65_536 - Math.min(65_536, this.#refusal.length));
    for (const [key, value] of Object.entries(delta)) {
      if (!DELTA_KEYS.has(key) && !THOUGHT_KEYS.has(key) && value !== null) this.#reply.note(key, value);
    }
    for (const key of OPAQUE_KEYS) this.#reply.addOpaque(key, delta[key]);
    return [...this.#thinking(delta), ...this.#content(index, delta), ...this.#calls.add(index, delta)];
  }

  /** One text per delta: some providers send the same thought under two names. */
  #thinking(delta: JsonObject): readonly ReplyDelta[] {
    for (const key of THINKING_KEYS) {
      const text = textOf(delta[key]);
      if (text !== '') return this.#reply.addThinking(text);
      if (delta[key] !== undefined && delta[key] !== null && delta[key] !== '') this.#reply.note(key, delta[key]);
    }
    return [];
  }

  #content(index: Choice, delta: JsonObject): readonly ReplyDelta[] {
    const content = delta['content'];
    if (typeof content === 'string') {
      // A server-side function's result: a JSON list of references, not text for the reader.
      if (delta['role'] === 'function')
        return this.#reply.note('function.references', readJson(content).value ?? content);
      return this.#reply.addText(index, content);
    }
    if (!Array.isArray(content)) {
      return content === null || content === undefined ? [] : this.#reply.note('content', content);
    }
    return content.flatMap((part) => {
      const text = textOrNone(objectOf(part)['text']);
      return text === undefined ? this.#reply.note('content', part) : this.#reply.addText(index, text);
    });
  }
}
