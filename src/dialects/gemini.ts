// Google's native Gemini wire: `generateContent` (one JSON body) and `streamGenerateContent` (SSE with `alt=sse`, else a
// JSON list of chunks). The model stands in the path. Thinking tokens are counted apart from the candidates' tokens.

import type { LlmReply, LlmRequest, Message, Part, ReplyDelta, ToolOffer } from '../model/index.ts';
import type { Dialect, DialectHint, ReplyDecoder, StreamMessage } from './dialect.ts';
import { readJson } from './json.ts';
import { ReplyBuilder } from './reply-builder.ts';
import { base64Bytes, buildRequest, other, roleOf } from './request-builder.ts';
import {
  indexOrNone,
  isObject,
  type JsonObject,
  jsonText,
  listOf,
  numberOrNone,
  objectOf,
  textOf,
  textOrNone,
} from './values.ts';

const KNOWN = new Set(['contents', 'systemInstruction', 'system_instruction', 'tools']);
const PATH = /\/models\/([^/:?]+):((?:stream)?[gG]enerateContent)/;

function request(body: unknown, path: string | null): LlmRequest {
  const root = objectOf(body);
  const match = path === null ? null : PATH.exec(path);
  const system = root['systemInstruction'] ?? root['system_instruction'];
  const messages = listOf(root['contents']).map(messageOf);
  return buildRequest({
    dialect: 'gemini',
    body: root,
    known: KNOWN,
    messages: system === undefined ? messages : [{ ...messageOf(system), role: 'system' }, ...messages],
    tools: listOf(root['tools']).flatMap(toolsOf),
    model: textOrNone(root['model']) ?? match?.[1] ?? null,
    stream: match?.[2]?.startsWith('stream') ?? false,
  });
}

function messageOf(json: unknown): Message {
  const content = objectOf(json);
  const parts = listOf(content['parts']).map(partOf);
  return { role: content['role'] === undefined ? 'user' : roleOf(content['role']), parts };
}

function partOf(json: unknown): Part {
  const part = objectOf(json);
  const text = part['text'];
  if (typeof text === 'string') {
    return part['thought'] === true ? { kind: 'thinking', text } : { kind: 'text', text };
  }
  if (isObject(part['functionCall'])) return toolCall(part['functionCall']);
  if (isObject(part['functionResponse'])) return toolResult(part['functionResponse']);
  if (isObject(part['inlineData'])) return inline(part['inlineData']);
  return other(Object.keys(part)[0] ?? 'part', json);
}

const toolCall = (call: JsonObject): Part => ({
  kind: 'tool-call',
  id: textOf(call['id']),
  name: textOf(call['name']),
  argumentsText: jsonText(call['args']),
});

const toolResult = (result: JsonObject): Part => ({
  kind: 'tool-result',
  callId: textOf(result['id']) || textOf(result['name']),
  parts: [{ kind: 'text', text: jsonText(result['response']) }],
});

function inline(data: JsonObject): Part {
  const mediaType = textOf(data['mimeType']);
  const kind = mediaType.startsWith('image/') ? 'image' : 'document';
  return { kind, mediaType, bytes: base64Bytes(textOf(data['data'])) };
}

function toolsOf(json: unknown): ToolOffer[] {
  const tool = objectOf(json);
  const declared = listOf(tool['functionDeclarations'] ?? tool['function_declarations']).map(objectOf);
  if (declared.length === 0) {
    return Object.keys(tool).map((name) => ({ name, description: '', schema: tool[name], deferred: false }));
  }
  return declared.map((entry) => ({
    name: textOf(entry['name']),
    description: textOf(entry['description']),
    schema: entry['parameters'] ?? entry['parametersJsonSchema'] ?? null,
    deferred: false,
  }));
}

const CHUNK_KEYS = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId', 'createTime', 'error']);

class GeminiReply implements ReplyDecoder {
  readonly #reply = new ReplyBuilder();
  #wholeBody = false;

  message({ data }: StreamMessage): readonly ReplyDelta[] {
    const { value } = readJson(data);
    return isObject(value) ? this.#chunk(value) : this.#reply.note('unreadable', data.slice(0, 1024));
  }

  json(body: string): readonly ReplyDelta[] {
    const { value, whole } = readJson(body);
    this.#wholeBody = whole;
    return (Array.isArray(value) ? value : [value]).flatMap((chunk) => this.#chunk(objectOf(chunk)));
  }

  end(transportComplete: boolean): LlmReply {
    return this.#reply.build(this.#wholeBody || (transportComplete && this.#reply.finishReason !== null));
  }

  #chunk(chunk: JsonObject): readonly ReplyDelta[] {
    this.#reply.id ??= textOrNone(chunk['responseId']) ?? null;
    this.#reply.model ??= textOrNone(chunk['modelVersion']) ?? null;
    this.#usage(objectOf(chunk['usageMetadata']));
    if (isObject(chunk['error'])) this.#fail(chunk['error']);
    for (const [key, value] of Object.entries(chunk)) if (!CHUNK_KEYS.has(key)) this.#reply.note(key, value);
    return listOf(chunk['candidates']).flatMap((candidate) => this.#candidate(objectOf(candidate)));
  }

  #fail(error: JsonObject): void {
    const code = textOf(error['status']) || jsonText(error['code']) || 'error';
    this.#reply.fail(code, textOf(error['message']));
  }

  #candidate(candidate: JsonObject): readonly ReplyDelta[] {
    const index = indexOrNone(candidate['index']) ?? 0;
    const deltas = listOf(objectOf(candidate['content'])['parts']).flatMap((part) => this.#part(index, objectOf(part)));
    const reason = textOrNone(candidate['finishReason']);
    if (reason !== undefined && (index === 0 || this.#reply.finishReason === null)) this.#reply.finishReason = reason;
    for (const key of ['safetyRatings', 'citationMetadata', 'groundingMetadata']) {
      if (candidate[key] !== undefined) this.#reply.note(key, candidate[key]);
    }
    return deltas;
  }

  #part(index: number, part: JsonObject): readonly ReplyDelta[] {
    this.#reply.addOpaque('thoughtSignature', part['thoughtSignature']);
    const text = part['text'];
    if (typeof text === 'string') {
      return part['thought'] === true ? this.#reply.addThinking(text) : this.#reply.addText(index, text);
    }
    const call = part['functionCall'];
    if (!isObject(call)) return this.#reply.note(Object.keys(part)[0] ?? 'part', part);
    const slot = this.#reply.openTool(textOf(call['id']), textOf(call['name']));
    return slot === undefined ? [] : this.#reply.addArguments(slot, jsonText(call['args']));
  }

  /** Every chunk repeats the counts so far; the last one stands. */
  #usage(json: JsonObject): void {
    const usage = this.#reply.usage;
    const candidates = numberOrNone(json['candidatesTokenCount']);
    const thoughts = numberOrNone(json['thoughtsTokenCount']);
    const counts = {
      input: numberOrNone(json['promptTokenCount']),
      cached: numberOrNone(json['cachedContentTokenCount']),
      output: candidates === undefined && thoughts === undefined ? undefined : (candidates ?? 0) + (thoughts ?? 0),
      reasoning: thoughts,
      total: numberOrNone(json['totalTokenCount']),
    };
    for (const [name, value] of Object.entries(counts)) {
      if (value !== undefined) usage[name as keyof typeof counts] = value;
    }
  }
}

function score(hint: DialectHint): number {
  if (hint.path !== null && PATH.test(hint.path)) return 90;
  if (Array.isArray(objectOf(hint.body)['contents'])) return 60;
  const reply = Array.isArray(hint.reply) ? hint.reply[0] : hint.reply;
  return Array.isArray(objectOf(reply)['candidates']) ? 70 : 0;
}

export const gemini: Dialect = { name: 'gemini', score, request, reply: () => new GeminiReply() };
