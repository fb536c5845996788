// Next edit suggestions: Chat Completions on the wire, with a prompt made of named sections,
// `<|name|> … <|/name|>`, and an answer in one of several edit notations, kept as text.

import type { Dialect, DialectHint } from './dialect.ts';
import { openAiChatRequest } from './openai-chat.ts';
import { openAiChatReply } from './openai-chat-reply.ts';
import { listOf, objectOf, textOf } from './values.ts';

export interface NesSection {
  readonly name: string;
  readonly body: string;
  /** False when the closing mark is missing (the body was cut). */
  readonly closed: boolean;
}

/** Sections in one prompt; real ones have under twenty. */
const MAX_SECTIONS = 256;

/**
 * The outermost sections of a prompt, in order. Bodies are not escaped: file content may contain marks, so a section
 * ends at the first closing mark of its own name and nested marks stay in its body.
 */
export function nesSections(prompt: string): NesSection[] {
  const sections: NesSection[] = [];
  const opening = /<\|([a-z_]+)\|>/g;
  for (
    let match = opening.exec(prompt);
    match !== null && sections.length < MAX_SECTIONS;
    match = opening.exec(prompt)
  ) {
    const name = match[1] ?? '';
    if (MARKERS.has(name)) continue;
    const end = prompt.indexOf(`<|/${name}|>`, opening.lastIndex);
    sections.push({ name, body: prompt.slice(opening.lastIndex, end < 0 ? undefined : end), closed: end >= 0 });
    if (end < 0) break;
    opening.lastIndex = end;
  }
  return sections;
}

/** Marks that stand alone. */
const MARKERS = new Set(['cursor', 'aggressive', 'edit_intent']);

/** Longest part of a prompt that is searched for a section mark; they open it. */
const SEARCH_CHARS = 256 * 1024;

export const NES_MODEL = /^(copilot-nes-|nes-|xtab-|custom-nes$)/;

/** True when the last message carries a section that only this prompt has. */
export function hasNesSections(body: unknown): boolean {
  return listOf(objectOf(body)['messages']).some((message) => {
    const content = textOf(objectOf(message)['content']);
    return (
      content.slice(0, SEARCH_CHARS).includes('<|code_to_edit|>') ||
      content.slice(-SEARCH_CHARS).includes('<|code_to_edit|>')
    );
  });
}

function score(hint: DialectHint): number {
  return NES_MODEL.test(textOf(objectOf(hint.body)['model'])) || hasNesSections(hint.body) ? 95 : 0;
}

export const nes: Dialect = {
  name: 'nes',
  score,
  request: (body) => openAiChatRequest('nes', body),
  reply: openAiChatReply,
};
