// A request as the sequence that a provider caches: tools, then system texts, then messages, part by part. A provider reuses
// the longest beginning that is equal, so that one changed character makes all that follows it new.

import { utf8Bytes } from '../../copilot/index.ts';
import type { LlmRequest, Message, Part } from '../../model/index.ts';
import { fingerprintText } from '../fingerprint.ts';
import type { Encoding, TokenMeter } from '../tokens/count.ts';

export type Section = 'tools' | 'system' | 'messages';

export interface PromptBlock {
  readonly section: Section;
  /** What it is: the tool's name, `system`, `message 3 user`, … */
  readonly label: string;
  readonly text: string;
  readonly fingerprint: string;
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

/** Opaque data has a size only: its text does not matter to a comparison. */
const UNCOMPARED = new Set(['cached']);

const withoutMarks = (key: string, value: unknown): unknown => (UNCOMPARED.has(key) ? undefined : value);

const textOfPart = (part: Part): string => (part.kind === 'text' ? part.text : JSON.stringify(part, withoutMarks));

export function blocksOf(request: LlmRequest, meter: TokenMeter, encoding: Encoding): PromptBlock[] {
  const block = (section: Section, label: string, text: string): PromptBlock => {
    const fingerprint = fingerprintText(text);
    return {
      section,
      label,
      text,
      fingerprint,
      bytes: utf8Bytes(text),
      tokens: meter.tokens(text, encoding, fingerprint),
    };
  };
  // Deferred tools are sent, but not part of the prompt until the model searches for them.
  const tools = request.tools
    .filter((tool) => !tool.deferred)
    .map(({ name, description, schema }) => block('tools', name, JSON.stringify({ name, description, schema })));
  const messages = [...request.messages.entries()];
  const parts = (section: Section, wanted: (message: Message) => boolean): PromptBlock[] =>
    messages
      .filter(([, message]) => wanted(message))
      .flatMap(([at, message]) =>
        message.parts.map((part) => block(section, labelOf(at, message, part), textOfPart(part))),
      );
  return [
    ...tools,
    ...parts('system', ({ role }) => role === 'system'),
    ...parts('messages', ({ role }) => role !== 'system'),
  ];
}

function labelOf(at: number, { role }: Message, part: Part): string {
  const kind = part.kind === 'text' ? '' : ` ${part.kind}`;
  return role === 'system' ? 'system text' : `message ${at + 1} (${role}${kind})`;
}
