// OpenAI Chat Completions with GitHub Copilot's additions: `copilot_references`, `copilot_confirmations`,
// `copilot_cache_control` on messages, round-tripped thinking. Also what Azure, OpenRouter, xAI and Ollama's /v1 speak.

import type { Message, Part, ToolOffer } from '../model/index.ts';
import type { Dialect, DialectHint } from './dialect.ts';
import { openAiChatReply } from './openai-chat-reply.ts';
import { buildRequest, imageOf, other, roleOf, typeName } from './request-builder.ts';
import { isObject, type JsonObject, jsonText, listOf, objectOf, otherKeys, textOf, textOrNone } from './values.ts';

/** Decodes the Chat Completions body under the name of a dialect that uses this wire. */
export function openAiChatRequest(dialect: string, body: unknown) {
  const root = objectOf(body);
  const messages = listOf(root['messages']).map(messageOf);
  return buildRequest({ dialect, body: root, known: KNOWN, messages, tools: listOf(root['tools']).map(toolOf) });
}

const KNOWN = new Set(['messages', 'tools']);

const MESSAGE_KEYS = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'copilot_cache_control',
  'copilot_references',
  'reasoning_text',
  'reasoning_opaque',
  'cot_summary',
  'cot_id',
]);

function messageOf(json: unknown): Message {
  if (!isObject(json)) return { role: 'other', parts: [other(typeName(json), json)] };
  const role = roleOf(json['role']);
  const name = textOrNone(json['name']);
  const content = [...thinkingParts(json), ...contentParts(json['content'])];
  const body = role === 'tool' ? [toolResult(json, content)] : content;
  const rest = Object.entries(otherKeys(json, MESSAGE_KEYS)).map(([key, value]) => other(key, value));
  return {
    role,
    parts: [...body, ...toolCallParts(json), ...referenceParts(json), ...rest],
    ...(isObject(json['copilot_cache_control']) ? { cached: true } : {}),
    ...(name === undefined ? {} : { name }),
  };
}

function toolResult(json: JsonObject, parts: readonly Part[]): Part {
  return { kind: 'tool-result', callId: textOf(json['tool_call_id']) || textOf(json['name']), parts };
}

function thinkingParts(json: JsonObject): Part[] {
  const text = textOf(json['reasoning_text']) || textOf(json['cot_summary']);
  const opaque = textOf(json['reasoning_opaque']);
  if (text === '' && opaque === '') return [];
  return [{ kind: 'thinking', text, ...(opaque === '' ? {} : { opaqueBytes: opaque.length }) }];
}

/** Content is a string, null or a list of typed parts. */
export function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (content === null || content === undefined) return [];
  return Array.isArray(content) ? content.map(contentPart) : [other('content', content)];
}

function contentPart(json: unknown): Part {
  if (typeof json === 'string') return { kind: 'text', text: json };
  const part = objectOf(json);
  if (part['type'] === 'text' && typeof part['text'] === 'string') {
    return { kind: 'text', text: part['text'], ...(isObject(part['cache_control']) ? { cached: true } : {}) };
  }
  if (part['type'] === 'image_url') {
    const image = isObject(part['image_url']) ? part['image_url'] : { url: part['image_url'] };
    return imageOf(textOf(image['url']), textOf(objectOf(image)['media_type']));
  }
  return other(typeName(json), json);
}

function toolCallParts(json: JsonObject): Part[] {
  const legacy = isObject(json['function_call']) ? [{ function: json['function_call'] }] : [];
  return [...listOf(json['tool_calls']), ...legacy].map((call) => {
    const entry = objectOf(call);
    const target = objectOf(entry['function']);
    const argumentsText = jsonText(target['arguments']);
    return { kind: 'tool-call', id: textOf(entry['id']), name: textOf(target['name']), argumentsText };
  });
}

function referenceParts(json: JsonObject): Part[] {
  return listOf(json['copilot_references']).map((entry) => {
    const reference = objectOf(entry);
    const id = textOrNone(reference['id']);
    return {
      kind: 'reference',
      type: textOf(reference['type']),
      ...(id === undefined ? {} : { id }),
      data: isObject(entry) ? (reference['data'] ?? null) : entry,
      ...(typeof reference['is_implicit'] === 'boolean' ? { implicit: reference['is_implicit'] } : {}),
    };
  });
}

function toolOf(json: unknown): ToolOffer {
  const tool = objectOf(json);
  const target = isObject(tool['function']) ? tool['function'] : tool;
  return {
    name: textOf(target['name']) || textOf(tool['type']),
    description: textOf(target['description']),
    schema: target['parameters'] ?? null,
    deferred: false,
  };
}

function score(hint: DialectHint): number {
  if (hint.path !== null && /\/chat\/completions$/.test(hint.path)) return 80;
  const body = objectOf(hint.body);
  if (Array.isArray(body['messages']) && !('system' in body) && !('max_output_tokens' in body)) return 40;
  const reply = objectOf(hint.reply);
  return textOf(reply['object']).startsWith('chat.completion') || hasChatChoice(reply) ? 60 : 0;
}

function hasChatChoice(reply: JsonObject): boolean {
  const choice = objectOf(listOf(reply['choices'])[0]);
  return isObject(choice['delta']) || isObject(choice['message']);
}

export const openAiChat: Dialect = {
  name: 'openai-chat',
  score,
  request: (body) => openAiChatRequest('openai-chat', body),
  reply: openAiChatReply,
};
