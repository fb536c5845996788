// Which conversation a call belongs to. How a call finds its place, in this order: by the response that it continues, by its
// request id (all rounds of a turn share it), by the summary that a compaction had made, by the longest beginning that it
// shares with a conversation's latest request and its answer. A request without any answer in its history begins a
// conversation, unless it repeats a failed one: the same question asked twice is two conversations.
//
// LIMITS: conversations without request ids that had the same question and the same answer cannot be told apart.

import type { CallCompleted, LlmRequest } from '../model/index.ts';
import { headerValue } from '../model/index.ts';
import type { Conversation } from './conversation.ts';
import { answerFingerprints, commonPrefix, type Fingerprint, fingerprintsOf } from './fingerprint.ts';
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
  /** Fingerprints of the answer to it: what the next request quotes after these messages. */
  answer: readonly Fingerprint[];
  /** The latest request got no whole answer. */
  failed: boolean;
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
  /** By response id: the conversation, and all that was said when the answer was. */
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
      oldest.answer = [];
      oldest.failed = false;
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
      const length = sharedLength(led, asked);
      if (length < led.opening || length <= bestLength) continue;
      if (isFirst && !(repeatsFailed(led, asked) && mayBeSameTurn(led, asked))) continue;
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
    const scored = this.recent().map((led) => ({ led, length: sharedLength(led, asked) }));
    return scored.filter(({ led, length }) => length >= led.opening).sort((a, b) => b.length - a.length)[0]?.led;
  }

  /** The call is the conversation's latest now. */
  remember(led: Led, asked: Asked): void {
    const answer = answerFingerprints(asked.call.llm);
    Object.assign(led, { messages: asked.messages, answer, failed: asked.failed, summary: undefined });
    this.#use(led);
    const key = this.#key(asked);
    if (key !== undefined) keep(this.#byRequestId, key, led, MAX_REQUEST_IDS);
    const responseId = asked.call.llm?.responseId;
    if (responseId !== undefined)
      keep(this.#byResponseId, responseId, { led, messages: [...asked.messages, ...answer] }, MAX_RESPONSE_IDS);
  }
}

/** Pieces of the latest request, and of its answer after them, that the request repeats. */
function sharedLength({ messages, answer }: Led, asked: Asked): number {
  const length = commonPrefix(messages, asked.messages);
  return length < messages.length ? length : length + commonPrefix(answer, asked.messages.slice(length));
}

/** The conversation's latest request failed, and the same is asked again. */
export function repeatsFailed({ failed, messages }: Led, asked: Asked): boolean {
  const { length } = messages;
  return failed && length === asked.messages.length && commonPrefix(messages, asked.messages) === length;
}

/** Request ids do not say otherwise: one may be missing where a socket's request is sent again over HTTP. */
function mayBeSameTurn({ conversation }: Led, { requestId }: Asked): boolean {
  const last = conversation.turns.at(-1)?.requestId ?? null;
  return last === null || requestId === null || last === requestId;
}
