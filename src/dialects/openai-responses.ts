// OpenAI Responses, over HTTP with SSE and over WebSocket (where the request is a `response.create` message with the same
// members). A request may name the response that it continues; then its input holds only what is new.

import type { LlmRequest, Message, Part, ToolOffer } from '../model/index.ts';
import type { Dialect, DialectHint } from './dialect.ts';
import { openAiResponsesReply } from './openai-responses-reply.ts';
import { base64Bytes, buildRequest, imageOf, other, roleOf, typeName } from './request-builder.ts';
import { isObject, type JsonObject, jsonText, listOf, objectOf, textOf, textOrNone } from './values.ts';

const KNOWN = new Set(['input', 'instructions', 'tools', 'previous_response_id', 'type']);

function request(body: unknown): LlmRequest {
  const root = objectOf(body);
  const previous = textOrNone(root['previous_response_id']);
  const overSocket = root['type'] === 'response.create';
  return {
    ...buildRequest({
      dialect: 'openai-responses',
      body: root,
      known: KNOWN,
      messages: [...instructions(root['instructions']), ...inputMessages(root['input'])],
      tools: listOf(root['tools']).map(toolOf),
      stream: overSocket || root['stream'] === true,
    }),
    ...(previous === undefined ? {} : { previousResponseId: previous }),
  };
}

const instructions = (value: unknown): Message[] =>
  typeof value === 'string' && value !== '' ? [{ role: 'system', parts: [{ kind: 'text', text: value }] }] : [];

function inputMessages(input: unknown): Message[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: input }] }];
  return listOf(input).map(itemMessage);
}

function itemMessage(json: unknown): Message {
  const item = objectOf(json);
  const type = textOf(item['type']);
  if (type === 'function_call' || type === 'custom_tool_call') {
    return { role: 'assistant', parts: [toolCall(item)] };
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const parts = contentParts(item['output']);
    return { role: 'tool', parts: [{ kind: 'tool-result', callId: textOf(item['call_id']), parts }] };
  }
  if (type === 'reasoning') return { role: 'assistant', parts: [reasoning(item)] };
  if (type === 'message' || 'role' in item) {
    return { role: roleOf(item['role']), parts: contentParts(item['content']) };
  }
  return { role: 'other', parts: [other(typeName(json), json)] };
}

const toolCall = (item: JsonObject): Part => ({
  kind: 'tool-call',
  id: textOf(item['call_id']) || textOf(item['id']),
  name: textOf(item['name']),
  argumentsText: jsonText(item['arguments'] ?? item['input']),
});

function reasoning(item: JsonObject): Part {
  const texts = [...listOf(item['summary']), ...listOf(item['content'])];
  const text = texts.map((part) => textOf(objectOf(part)['text'])).join('\n');
  const opaque = textOf(item['encrypted_content']);
  return { kind: 'thinking', text, ...(opaque === '' ? {} : { opaqueBytes: opaque.length }) };
}

function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (content === null || content === undefined) return [];
  return Array.isArray(content) ? content.map(contentPart) : [other('content', content)];
}

const TEXT_TYPES = new Set(['input_text', 'output_text', 'text', 'summary_text']);

function contentPart(json: unknown): Part {
  const part = objectOf(json);
  const type = textOf(part['type']);
  if (TEXT_TYPES.has(type) && typeof part['text'] === 'string') return { kind: 'text', text: part['text'] };
  if (type === 'input_image') {
    const url = isObject(part['image_url']) ? part['image_url']['url'] : part['image_url'];
    return typeof url === 'string' ? imageOf(url) : other(type, json);
  }
  return type === 'input_file' ? file(part) : other(typeName(json), json);
}

function file(part: JsonObject): Part {
  const data = textOf(part['file_data']);
  const head = /^data:([^;,]*)[^,]{0,100},/.exec(data.slice(0, 512));
  const name = textOrNone(part['filename']) ?? textOrNone(part['file_id']) ?? textOrNone(part['file_url']);
  return {
    kind: 'document',
    mediaType: head?.[1] ?? '',
    ...(name === undefined ? {} : { name }),
    ...(data === '' ? {} : { bytes: base64Bytes(data.slice(head?.[0].length ?? 0)) }),
  };
}

function toolOf(json: unknown): ToolOffer {
  const tool = objectOf(json);
  return {
    name: textOf(tool['name']) || textOf(tool['server_label']) || textOf(tool['type']),
    description: textOf(tool['description']),
    schema: tool['parameters'] ?? null,
    deferred: tool['defer_loading'] === true,
  };
}

function score(hint: DialectHint): number {
  if (hint.path !== null && /\/responses$/.test(hint.path)) return 80;
  const body = objectOf(hint.body);
  if (body['type'] === 'response.create') return 90;
  if (Array.isArray(body['input']) && !('dimensions' in body) && hasResponsesMember(body)) return 50;
  const reply = objectOf(hint.reply);
  return textOf(reply['type']).startsWith('response.') || reply['object'] === 'response' ? 70 : 0;
}

const hasResponsesMember = (body: JsonObject): boolean =>
  ['max_output_tokens', 'reasoning', 'store', 'previous_response_id', 'include', 'instructions'].some(
    (key) => key in body,
  ) || listOf(body['input']).some((item) => isObject(item));

export const openAiResponses: Dialect = { name: 'openai-responses', score, request, reply: openAiResponsesReply };
