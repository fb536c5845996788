// Legacy completions: ghost text at Copilot's completions host. `prompt` is the text before the cursor, `suffix` the text
// after it, `extra.context` the two context blocks. The model stands in the path, not in the body.

import type { LlmRequest } from '../model/index.ts';
import type { Dialect, DialectHint } from './dialect.ts';
import { openAiChatReply } from './openai-chat-reply.ts';
import { buildRequest } from './request-builder.ts';
import { isObject, listOf, objectOf, textOf, textOrNone } from './values.ts';

const KNOWN = new Set(['prompt', 'suffix', 'tools']);
const ENGINE_PATH = /\/engines\/([^/?]+)\/completions/;

function request(body: unknown, path: string | null): LlmRequest {
  const root = objectOf(body);
  const engine = path === null ? undefined : ENGINE_PATH.exec(path)?.[1];
  // A prompt may also be a list of texts (OpenAI's own API); `extra` stays among the parameters as sent.
  const prompt = typeof root['prompt'] === 'string' ? root['prompt'] : listOf(root['prompt']).map(textOf).join('\n');
  return {
    ...buildRequest({
      dialect: 'openai-completions',
      body: root,
      known: KNOWN,
      messages: [],
      tools: [],
      model: textOrNone(root['model']) ?? (engine === undefined ? null : decode(engine)),
    }),
    prompt,
    ...(typeof root['suffix'] === 'string' ? { suffix: root['suffix'] } : {}),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not percent-encoding: the segment is the name as it is.
    return segment;
  }
}

function score(hint: DialectHint): number {
  if (hint.path !== null && ENGINE_PATH.test(hint.path)) return 90;
  if (hint.path !== null && /(^|[^t])\/completions$/.test(hint.path)) return 70;
  const body = objectOf(hint.body);
  if ('prompt' in body && ('suffix' in body || isObject(body['extra']))) return 60;
  const reply = objectOf(hint.reply);
  const choice = objectOf(listOf(reply['choices'])[0]);
  return reply['object'] === 'text_completion' || typeof choice['text'] === 'string' ? 70 : 0;
}

/** The answers differ from chat only in where the text stands; the chat decoder reads both places. */
export const openAiCompletions: Dialect = { name: 'openai-completions', score, request, reply: openAiChatReply };
