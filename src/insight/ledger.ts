// Which conversation a call belongs to. How a call finds its place, in this order: by its request id (all rounds of a turn
// share it), by the response that it continues, by the summary that a compaction had made, by the longest beginning that
// it shares with a conversation's latest request. A request without any answer in its history begins a conversation,
// unless it repeats a failed one.
//
// LIMITS: identical short conversations that carry no request id cannot be told apart.

import type { CallCompleted, LlmRequest } from '../model/index.ts';
import { headerValue } from '../model/index.ts';
import type { Conversation } from './conversation.ts';
import { commonPrefix, type Fingerprint, fingerprintsOf } from './fingerprint.ts';
import { keep } from './keep.ts';
import { isHuman } from './user-text.ts';

export const SUBAGENT = /^agent\.(subagent|search_subagent|execution_subagent)$/;

/** Turns that are still looked up by their request id. */
const MAX_REQUEST_IDS = 10_000;
/** Answers that a later request may continue; each holds its messages' fingerprints. */
const MAX_RESPONSE_IDS = 1000;
/** Conversations that a later call may continue, the latest used ones; of others the fingerprints are given back. */
const MAX_ACTIVE = 1000;

/** A conversation and what is needed to recognise its next call. */
export interface Led {
  readonly conversation: Conversation;
  /** Fingerprints of the latest request's pieces, the chained ones before it included. */
  messages: readonly Fingerprint[];
  /** Pieces up to and including the first human request: what distinguishes it from others of the same workspace. */
  readonly opening: number;
  /** Beginning of the summary by which a compaction replaced the history. */
  summary: string | undefined;
}

/** What a call asks, as far as grouping needs it. */
export interface Asked {
  readonly call: CallCompleted;
  readonly request: LlmRequest;
  readonly kind: string;
  readonly messages: readonly Fingerprint[];
  readonly requestId: string | null;
  readonly interactionId: string | null;
  readonly failed: boolean;
}

export class Ledger {
  readonly led: Led[] = [];
  /** Least recently used first. */
  readonly #active = new Set<Led>();
  readonly #byRequestId = new Map<string, Led>();
  /** By response id: the conversation, and the messages of the request that it answered. */
  readonly #byResponseId = new Map<string, { readonly led: Led; readonly messages: readonly Fingerprint[] }>();

  asked(call: CallCompleted, request: LlmRequest): Asked {
    const header = (name: string): string | null => headerValue(call.request.headers, name) ?? null;
    const before = this.#byResponseId.get(request.previousResponseId ?? '')?.messages ?? [];
    return {
      call,
      request,
      kind: call.kind ?? '',
      messages: [...before, ...fingerprintsOf(request.messages)],
      // One WebSocket carries many turns under the headers of its upgrade.
      requestId: call.id.message === undefined ? header('x-request-id') : null,
      interactionId: header('x-interaction-id'),
      failed: call.llm?.error !== undefined || call.end !== 'complete' || (call.status ?? 200) >= 400,
    };
  }

  begin(led: Led): void {
    this.led.push(led);
    this.#use(led);
  }

  /** Most recently used first. */
  recent(): Led[] {
    return [...this.#active].reverse();
  }

  #use(led: Led): void {
    this.#active.delete(led);
    this.#active.add(led);
    if (this.#active.size <= MAX_ACTIVE) return;
    for (const oldest of this.#active) {
      this.#active.delete(oldest);
      oldest.messages = [];
      return;
    }
  }

  find(asked: Asked): Led | undefined {
    const chained = this.#byResponseId.get(asked.request.previousResponseId ?? '')?.led;
    const led = chained ?? this.#byRequestId.get(this.#key(asked) ?? '');
    if (led !== undefined) return led;
    return this.#bySummary(asked) ?? this.#byPrefix(asked);
  }

  /** A subagent has a request id of its own, but a kind that its parent's calls do not have. */
  #key(asked: Asked): string | undefined {
    return asked.requestId === null ? undefined : `${SUBAGENT.test(asked.kind) ? 'sub' : 'main'}:${asked.requestId}`;
  }

  #bySummary(asked: Asked): Led | undefined {
    const recent = this.recent();
    if (!recent.some((led) => led.summary !== undefined)) return undefined;
    const texts = asked.request.messages.filter(isHuman).map((message) => JSON.stringify(message.parts));
    return recent.find(({ summary }) => {
      const escaped = summary === undefined ? undefined : JSON.stringify(summary).slice(1, -1);
      return escaped !== undefined && texts.some((text) => text.includes(escaped));
    });
  }

  #byPrefix(asked: Asked): Led | undefined {
    const isFirst = !asked.request.messages.some((message) => message.role === 'assistant');
    let best: Led | undefined;
    let bestLength = 0;
    for (const led of this.recent()) {
      const length = commonPrefix(led.messages, asked.messages);
      if (length < led.opening || length <= bestLength) continue;
      if (isFirst && !isRepeat(led, asked, length)) continue;
      if (SUBAGENT.test(led.conversation.kind) !== SUBAGENT.test(asked.kind)) continue;
      best = led;
      bestLength = length;
    }
    return best;
  }

  /** The conversation of the same turn, else the one that shares the longest beginning, its opening at least. */
  closest(asked: Asked): Led | undefined {
    const known = this.#byRequestId.get(this.#key(asked) ?? '');
    if (known !== undefined) return known;
    const scored = this.recent().map((led) => ({ led, length: commonPrefix(led.messages, asked.messages) }));
    return scored.filter(({ led, length }) => length >= led.opening).sort((a, b) => b.length - a.length)[0]?.led;
  }

  remember(led: Led, asked: Asked): void {
    this.#use(led);
    const key = this.#key(asked);
    if (key !== undefined) keep(this.#byRequestId, key, led, MAX_REQUEST_IDS);
    const responseId = asked.call.llm?.responseId;
    if (responseId !== undefined)
      keep(this.#byResponseId, responseId, { led, messages: asked.messages }, MAX_RESPONSE_IDS);
  }
}

/** A first request that was sent before: the same messages, and no answer had come. */
function isRepeat(led: Led, asked: Asked, shared: number): boolean {
  const only = led.conversation.turns.length === 1 && led.conversation.turns[0]?.rounds.length === 1;
  return only && shared === asked.messages.length && shared === led.messages.length && asked.requestId === null;
}
