// Shared parts of reading a request: parameters as sent, the model, data URLs. Content parts that a dialect does not know
// become `other` with their JSON.

import type { LlmRequest, Message, Part, Role, ToolOffer } from '../model/index.ts';
import { isObject, type JsonObject, otherKeys, textOf, textOrNone } from './values.ts';

interface RequestParts {
  readonly dialect: string;
  readonly body: JsonObject;
  /** Members of the body that are decoded elsewhere; all others are parameters. */
  readonly known: ReadonlySet<string>;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolOffer[];
  readonly model?: string | null;
  readonly stream?: boolean;
}

export function buildRequest(parts: RequestParts): LlmRequest {
  return {
    dialect: parts.dialect,
    model: parts.model ?? textOrNone(parts.body['model']) ?? null,
    stream: parts.stream ?? parts.body['stream'] === true,
    messages: parts.messages,
    tools: parts.tools,
    parameters: otherKeys(parts.body, new Set([...parts.known, 'model', 'stream'])),
  };
}

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};

export const roleOf = (value: unknown): Role =>
  (Object.hasOwn(ROLES, textOf(value)) ? ROLES[textOf(value)] : undefined) ?? 'other';

export const other = (type: string, json: unknown): Part => ({ kind: 'other', type, json });

/** The type that a part names, for `other`. */
export const typeName = (value: unknown): string =>
  isObject(value) ? (textOrNone(value['type']) ?? 'unnamed') : typeof value;

/** Bytes that base64 text stands for. Padding is counted by hand: a pattern anchored at the end is quadratic here. */
export function base64Bytes(text: string): number {
  let length = text.length;
  while (length > 0 && text[length - 1] === '=') length -= 1;
  return Math.floor((length * 3) / 4);
}

/** An image by URL. A data URL is not kept, only its type and size. */
export function imageOf(url: string, mediaType = ''): Part {
  const data = /^data:([^;,]*)[^,]{0,100},/.exec(url.slice(0, 512));
  if (data === null) return { kind: 'image', mediaType, url };
  return { kind: 'image', mediaType: data[1] ?? mediaType, bytes: base64Bytes(url.slice(data[0].length)) };
}

/** Marks a cache breakpoint on a part that can carry one. */
export function cachedIf(part: Part, mark: unknown): Part {
  if (!isObject(mark) || part.kind === 'thinking' || part.kind === 'reference' || part.kind === 'other') return part;
  return { ...part, cached: true };
}
