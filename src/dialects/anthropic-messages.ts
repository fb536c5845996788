// Anthropic Messages: the wire of Claude models at the Copilot API, at Anthropic itself, and on loopback between an agent
// SDK and the editor. Cache breakpoints sit on blocks (`cache_control`); tool results are blocks of user messages.

import type { LlmRequest, Message, Part, ToolOffer } from '../model/index.ts';
import { anthropicReply } from './anthropic-messages-reply.ts';
import type { Dialect, DialectHint } from './dialect.ts';
import { base64Bytes, buildRequest, cachedIf, other, roleOf, typeName } from './request-builder.ts';
import { isObject, type JsonObject, jsonText, listOf, objectOf, textOf, textOrNone } from './values.ts';

const KNOWN = new Set(['messages', 'system', 'tools']);

function request(body: unknown): LlmRequest {
  const root = objectOf(body);
  const system = blocks(root['system']);
  return buildRequest({
    dialect: 'anthropic-messages',
    body: root,
    known: KNOWN,
    messages: [
      ...(system.length === 0 ? [] : [{ role: 'system' as const, parts: system }]),
      ...listOf(root['messages']).map(messageOf),
    ],
    tools: listOf(root['tools']).map(toolOf),
  });
}

function messageOf(json: unknown): Message {
  if (!isObject(json)) return { role: 'other', parts: [other(typeName(json), json)] };
  return { role: roleOf(json['role']), parts: blocks(json['content']) };
}

function blocks(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) return [other('content', content)];
  return content.map((block) => cachedIf(blockOf(block), objectOf(block)['cache_control']));
}

function blockOf(json: unknown): Part {
  const block = objectOf(json);
  switch (block['type']) {
    case 'text':
      return { kind: 'text', text: textOf(block['text']) };
    case 'thinking':
      return thinking(textOf(block['thinking']), textOf(block['signature']));
    case 'redacted_thinking':
      return thinking('', textOf(block['data']));
    case 'tool_use':
      return toolUse(block);
    case 'tool_result':
      return toolResult(block);
    case 'image':
    case 'document':
      return media(block['type'], block);
    default:
      return other(typeName(json), json);
  }
}

const thinking = (text: string, opaque: string): Part => ({
  kind: 'thinking',
  text,
  ...(opaque === '' ? {} : { opaqueBytes: opaque.length }),
});

const toolUse = (block: JsonObject): Part => ({
  kind: 'tool-call',
  id: textOf(block['id']),
  name: textOf(block['name']),
  argumentsText: jsonText(block['input']),
});

const toolResult = (block: JsonObject): Part => ({
  kind: 'tool-result',
  callId: textOf(block['tool_use_id']),
  parts: blocks(block['content']),
  ...(block['is_error'] === true ? { isError: true } : {}),
});

function media(kind: 'image' | 'document', block: JsonObject): Part {
  const source = objectOf(block['source']);
  const mediaType = textOf(source['media_type']);
  const url = textOrNone(source['url']);
  const data = textOrNone(source['data']);
  // A document's source may be plain text or nested content, which is text that the model reads: keep it.
  if (source['type'] === 'text' || source['type'] === 'content') return other(kind, block);
  const bytes = data === undefined ? {} : { bytes: base64Bytes(data) };
  if (kind === 'image') return { kind, mediaType, ...bytes, ...(url === undefined ? {} : { url }) };
  const name = textOrNone(block['title']) ?? url;
  return { kind, mediaType, ...bytes, ...(name === undefined ? {} : { name }) };
}

function toolOf(json: unknown): ToolOffer {
  const tool = objectOf(json);
  return {
    name: textOf(tool['name']) || textOf(tool['type']),
    description: textOf(tool['description']),
    schema: tool['input_schema'] ?? null,
    deferred: tool['defer_loading'] === true,
  };
}

/**
 * The wire wants the user's message at the end. Where there is none, the editor adds one that asks to go on: nobody typed it (what
 * a person typed stands in a section of the prompt).
 */
export function isNudge({ dialect, messages }: LlmRequest, at: number): boolean {
  const { role, parts } = messages[at] ?? { role: 'other', parts: [] };
  if (dialect !== 'anthropic-messages' || role !== 'user' || at !== messages.length - 1) return false;
  const [part] = parts;
  const isAlone = parts.length === 1 && part?.kind === 'text' && /^\s*please continue\.?\s*$/i.test(part.text);
  return isAlone && messages[at - 1]?.role === 'assistant';
}

function score(hint: DialectHint): number {
  if (hint.path !== null && /\/messages$/.test(hint.path)) return 80;
  const body = objectOf(hint.body);
  if (Array.isArray(body['messages']) && isAnthropic(body)) return 60;
  const type = textOf(objectOf(hint.reply)['type']);
  return /^(message_(start|delta|stop)|content_block_(start|delta|stop)|message)$/.test(type) ? 70 : 0;
}

const isAnthropic = (body: JsonObject): boolean =>
  'system' in body ||
  'anthropic_version' in body ||
  listOf(body['tools']).some((tool) => 'input_schema' in objectOf(tool));

export const anthropicMessages: Dialect = { name: 'anthropic-messages', score, request, reply: anthropicReply };
