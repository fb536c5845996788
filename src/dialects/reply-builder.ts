// Joins one answer from its pieces, for every dialect: text per choice, thinking, tool calls, usage, the rest. Each method
// that adds a piece returns the delta to report.
//
// LIMITS: what a hostile or endless stream can make it keep is bounded: characters in all (MAX_REPLY_CHARS), tool calls,
// choices and notes by number. What is over a limit is counted and named in `other` as `limit`.

import type { LlmError, LlmReply, ReplyDelta, ToolCall, Usage } from '../model/index.ts';
import { elide } from './elide.ts';

/** Longest answer kept, in UTF-16 units: above any model's output limit (128k tokens are about 0.6 M characters). */
export const MAX_REPLY_CHARS = 16 * 1024 * 1024;
/** Clients offer at most 128 tools; a round with over a thousand calls is not a real one. */
const MAX_TOOL_CALLS = 1024;
const MAX_CHOICES = 128;
const MAX_NOTES = 1000;

/** A tool call that is still growing. */
export interface ToolSlot {
  id: string;
  name: string;
  argumentsText: string;
}

const NONE: readonly ReplyDelta[] = [];

export class ReplyBuilder {
  id: string | null = null;
  model: string | null = null;
  finishReason: string | null = null;
  error: LlmError | undefined;
  readonly usage: Usage = {};
  readonly #texts = new Map<number, string>();
  readonly #toolCalls: ToolSlot[] = [];
  #thinking = '';
  readonly #notes: { type: string; json: unknown }[] = [];
  /** Last JSON text noted per type: providers repeat the same filter result in every chunk. */
  readonly #lastNote = new Map<string, string>();
  /** Length of provider's opaque reasoning (encrypted or signed), by field; the content is of no use to anyone else. */
  readonly #opaque = new Map<string, number>();
  #chars = 0;
  #overLimit = 0;

  /** Text of a choice. Only the first choice's text is reported as it streams. */
  addText(choice: number, text: string): readonly ReplyDelta[] {
    if (text === '' || !this.#admit(text)) return NONE;
    const before = this.#texts.get(choice);
    if (before === undefined && this.#texts.size >= MAX_CHOICES) return this.#over();
    this.#texts.set(choice, (before ?? '') + text);
    return choice === 0 ? [{ kind: 'text', text }] : NONE;
  }

  /** Puts right what was streamed with pieces missing. Deltas that were reported stay reported. */
  replaceText(choice: number, text: string): void {
    this.#texts.set(choice, text.slice(0, MAX_REPLY_CHARS));
  }

  addThinking(text: string): readonly ReplyDelta[] {
    if (text === '' || !this.#admit(text)) return NONE;
    this.#thinking += text;
    return [{ kind: 'thinking', text }];
  }

  /** A new tool call; undefined when there are too many. */
  openTool(id: string, name: string): ToolSlot | undefined {
    if (this.#toolCalls.length >= MAX_TOOL_CALLS) {
      this.#over();
      return undefined;
    }
    const slot: ToolSlot = { id, name, argumentsText: '' };
    this.#toolCalls.push(slot);
    return slot;
  }

  /** A piece of a tool call's arguments (possibly empty, when the call was just opened). */
  addArguments(slot: ToolSlot, text: string): readonly ReplyDelta[] {
    if (!this.#admit(text)) return NONE;
    slot.argumentsText += text;
    return [{ kind: 'tool-call', id: slot.id, name: slot.name, argumentsText: text }];
  }

  get lastTool(): ToolSlot | undefined {
    return this.#toolCalls.at(-1);
  }

  /** Keeps what the provider said beside text. The same JSON twice in a row under one type is kept once. */
  note(type: string, json: unknown): readonly ReplyDelta[] {
    const { value, text } = elide(json);
    if (this.#lastNote.get(type) === text) return NONE;
    if (this.#notes.length >= MAX_NOTES || !this.#admit(text)) return this.#over();
    this.#lastNote.set(type, text);
    this.#notes.push({ type, json: value });
    return NONE;
  }

  addOpaque(field: string, value: unknown): void {
    if (typeof value === 'string' && value !== '')
      this.#opaque.set(field, (this.#opaque.get(field) ?? 0) + value.length);
  }

  fail(code: string, message: string): readonly ReplyDelta[] {
    this.error ??= { code, message: message.slice(0, 8192) };
    return NONE;
  }

  build(complete: boolean): LlmReply {
    const choices = [...this.#texts].sort(([a], [b]) => a - b);
    const first = choices[0]?.[0] === 0 ? choices.shift()?.[1] : undefined;
    return {
      id: this.id,
      model: this.model,
      text: first ?? '',
      alternatives: choices.map(([, text]) => text),
      thinking: this.#thinking,
      toolCalls: this.#toolCalls.map((slot): ToolCall => ({ ...slot })),
      usage: this.usage,
      finishReason: this.finishReason,
      ...(this.error === undefined ? {} : { error: this.error }),
      other: [...this.#notes, ...this.#endNotes()],
      complete,
    };
  }

  #endNotes(): { type: string; json: unknown }[] {
    const opaque = [...this.#opaque].map(([field, chars]) => ({ type: `opaque.${field}`, json: { chars } }));
    return this.#overLimit === 0 ? opaque : [...opaque, { type: 'limit', json: { piecesDropped: this.#overLimit } }];
  }

  #admit(text: string): boolean {
    if (this.#chars + text.length > MAX_REPLY_CHARS) {
      this.#over();
      return false;
    }
    this.#chars += text.length;
    return true;
  }

  #over(): readonly ReplyDelta[] {
    this.#overLimit += 1;
    return NONE;
  }
}
