// Ollama's own wire: `/api/chat` and `/api/generate`, answered with one JSON object per line (NDJSON), or with one object
// when `stream` is false. Tool calls come whole, with their arguments as an object.

import type { LlmReply, LlmRequest, Message, Part, ReplyDelta, ToolOffer } from '../model/index.ts';
import type { Dialect, DialectHint, ReplyDecoder, StreamMessage } from './dialect.ts';
import { readJson } from './json.ts';
import { ReplyBuilder } from './reply-builder.ts';
import { base64Bytes, buildRequest, roleOf } from './request-builder.ts';
import { isObject, type JsonObject, jsonText, listOf, numberOrNone, objectOf, textOf, textOrNone } from './values.ts';

const KNOWN = new Set(['messages', 'tools', 'prompt', 'suffix', 'system']);

function request(body: unknown): LlmRequest {
  const root = objectOf(body);
  const system = textOrNone(root['system']);
  const messages = listOf(root['messages']).map((message) => messageOf(objectOf(message)));
  return {
    ...buildRequest({
      dialect: 'ollama',
      body: root,
      known: KNOWN,
      messages:
        system === undefined ? messages : [{ role: 'system', parts: [{ kind: 'text', text: system }] }, ...messages],
      tools: listOf(root['tools']).map(toolOf),
      // Streaming is the default of this wire.
      stream: root['stream'] !== false,
    }),
    ...(typeof root['prompt'] === 'string' ? { prompt: root['prompt'] } : {}),
    ...(typeof root['suffix'] === 'string' ? { suffix: root['suffix'] } : {}),
  };
}

function messageOf(json: JsonObject): Message {
  const role = roleOf(json['role']);
  const text = textOrNone(json['content']);
  const content: Part[] = text === undefined ? [] : [{ kind: 'text', text }];
  const thinking = textOrNone(json['thinking']);
  const images = listOf(json['images']).map((image): Part => {
    return { kind: 'image', mediaType: '', bytes: base64Bytes(textOf(image)) };
  });
  const calls = listOf(json['tool_calls']).map((call): Part => ({ kind: 'tool-call', ...callOf(call) }));
  const body: Part[] =
    role === 'tool' ? [{ kind: 'tool-result', callId: textOf(json['tool_name']), parts: content }] : content;
  return {
    role,
    parts: [
      ...(thinking === undefined ? [] : [{ kind: 'thinking' as const, text: thinking }]),
      ...body,
      ...images,
      ...calls,
    ],
  };
}

function callOf(json: unknown): { id: string; name: string; argumentsText: string } {
  const target = objectOf(objectOf(json)['function']);
  return {
    id: textOf(objectOf(json)['id']),
    name: textOf(target['name']),
    argumentsText: jsonText(target['arguments']),
  };
}

function toolOf(json: unknown): ToolOffer {
  const target = objectOf(objectOf(json)['function']);
  const description = textOf(target['description']);
  return { name: textOf(target['name']), description, schema: target['parameters'] ?? null, deferred: false };
}

class OllamaReply implements ReplyDecoder {
  readonly #reply = new ReplyBuilder();
  #sawDone = false;

  message({ data }: StreamMessage): readonly ReplyDelta[] {
    return this.json(data);
  }

  json(body: string): readonly ReplyDelta[] {
    const { value } = readJson(body);
    if (!isObject(value)) return body.trim() === '' ? [] : this.#reply.note('unreadable', body.slice(0, 1024));
    this.#reply.model ??= textOrNone(value['model']) ?? null;
    if (typeof value['error'] === 'string') this.#reply.fail('error', value['error']);
    if (value['done'] === true) this.#done(value);
    const message = objectOf(value['message']);
    return [
      ...this.#reply.addThinking(textOf(message['thinking']) || textOf(value['thinking'])),
      ...this.#reply.addText(0, textOf(message['content']) || textOf(value['response'])),
      ...listOf(message['tool_calls']).flatMap((call) => this.#call(call)),
    ];
  }

  end(_transportComplete: boolean): LlmReply {
    return this.#reply.build(this.#sawDone);
  }

  #call(json: unknown): readonly ReplyDelta[] {
    const { id, name, argumentsText } = callOf(json);
    const slot = this.#reply.openTool(id, name);
    return slot === undefined ? [] : this.#reply.addArguments(slot, argumentsText);
  }

  #done(value: JsonObject): void {
    this.#sawDone = true;
    this.#reply.finishReason = textOrNone(value['done_reason']) ?? 'stop';
    const input = numberOrNone(value['prompt_eval_count']);
    const output = numberOrNone(value['eval_count']);
    if (input !== undefined) this.#reply.usage.input = input;
    if (output !== undefined) this.#reply.usage.output = output;
  }
}

function score(hint: DialectHint): number {
  if (hint.path !== null && /^\/api\/(chat|generate)$/.test(hint.path)) return 90;
  const reply = objectOf(hint.reply);
  return typeof reply['done'] === 'boolean' && ('message' in reply || 'response' in reply) ? 70 : 0;
}

export const ollama: Dialect = { name: 'ollama', score, request, reply: () => new OllamaReply() };
