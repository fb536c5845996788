// Messages of a chat request as items.

import type { LlmRequest, Message, Part } from '../../model/index.ts';
import type { ContextItem } from './item.ts';
import { nextEditItems } from './next-edit.ts';
import { referenceItem } from './references.ts';
import { sectionItems } from './sections.ts';
import { type CalledTool, toolCallItems, toolResultItems } from './tools.ts';

/** Finds the tool call that a result answers. */
export type FindTool = (callId: string) => CalledTool | undefined;

/** What an item's place in the conversation decides. */
export interface RequestFacts {
  readonly request: LlmRequest;
  /** Who wrote the user messages: a person, or the client or a model on somebody's behalf. */
  readonly author: 'person' | 'client';
}

export function messageItems(message: Message, request: RequestFacts, find: FindTool): ContextItem[] {
  return message.parts.flatMap((part) => partItems(part, message, request, find));
}

function partItems(part: Part, message: Message, request: RequestFacts, find: FindTool): ContextItem[] {
  switch (part.kind) {
    case 'text':
      return textItems(part.text, message, request);
    case 'thinking':
      return [{ kind: 'history', text: part.text, detail: 'thinking', ...opaque(part) }];
    case 'tool-call':
      return toolCallItems(part);
    case 'tool-result':
      return resultItems(part, find);
    case 'reference':
      return [referenceItem(part)];
    case 'image':
    case 'document':
      return [mediaItem(part)];
    case 'other':
      return [{ kind: 'other', text: JSON.stringify(part.json) ?? '', detail: part.type }];
  }
}

const opaque = (part: { readonly text: string; readonly opaqueBytes?: number }): { readonly bytes?: number } =>
  part.opaqueBytes === undefined ? {} : { bytes: part.text.length + part.opaqueBytes };

function mediaItem(part: Extract<Part, { kind: 'image' | 'document' }>): ContextItem {
  const media = { detail: part.mediaType, ...(part.bytes === undefined ? {} : { bytes: part.bytes }) };
  if (part.kind === 'image') return { kind: 'image', text: part.url ?? '', ...media };
  // By reference (an id, a URL): its name is what was sent.
  const text = part.bytes === undefined ? (part.name ?? '') : '';
  return { kind: 'document', text, ...media, ...(part.name === undefined ? {} : { path: part.name }) };
}

function textItems(text: string, message: Message, { request, author }: RequestFacts): ContextItem[] {
  if (message.role === 'assistant') return [{ kind: 'history', text }];
  if (message.role === 'tool') return [{ kind: 'tool-result', text }];
  if (request.dialect === 'embeddings') return [{ kind: 'search-input', text }];
  if (message.role === 'user' && request.dialect === 'nes') {
    const items = nextEditItems(text);
    if (items.length > 0) return items;
  }
  return [...sectionItems(text, message.role === 'system' ? 'system' : author).items];
}

function resultItems(part: Extract<Part, { kind: 'tool-result' }>, find: FindTool): ContextItem[] {
  const texts = part.parts.filter((inner) => inner.kind === 'text');
  const joined = texts.map(({ text }) => text).join('\n');
  const pictures = part.parts.flatMap((inner): ContextItem[] =>
    inner.kind === 'image' || inner.kind === 'document' ? [mediaItem(inner)] : [],
  );
  const other = part.parts.flatMap((inner): ContextItem[] =>
    inner.kind === 'other' ? [{ kind: 'tool-result', text: JSON.stringify(inner.json) ?? '', detail: inner.type }] : [],
  );
  return [...(joined === '' ? [] : toolResultItems(joined, find(part.callId))), ...pictures, ...other];
}
