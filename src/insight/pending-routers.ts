// Links the router's call to the turn whose question it carried: the router is asked first, with the same words.

import type { CallCompleted, CallId } from '../model/index.ts';
import type { TurnRouting } from './conversation.ts';
import { type Fingerprint, fingerprintText } from './fingerprint.ts';
import { keep } from './keep.ts';

export interface PendingRouter {
  readonly call: CallId;
  readonly routing: TurnRouting;
}

/** Decisions that wait for their turn; a question is asked at once or never. */
const MAX_PENDING = 100;
/** Beginning by which questions are compared: what is kept of a router's prompt. */
const COMPARED_CHARS = 1000;

/** The same for a question as the router gets it and as the prompt carries it. */
export const questionKey = (text: string): Fingerprint =>
  fingerprintText(text.trim().slice(0, COMPARED_CHARS).replace(/\s+/g, ' '));

export class PendingRouters {
  readonly #pending = new Map<Fingerprint, PendingRouter>();

  add({ service, id }: CallCompleted): void {
    if (service?.facts !== 'router' || service.prompt === undefined) return;
    const { label, chosen, isFallback } = service;
    const routing: TurnRouting = {
      ...(label !== undefined && { label }),
      ...(chosen !== undefined && { chosen }),
      ...(isFallback !== undefined && { isFallback }),
    };
    keep(this.#pending, questionKey(service.prompt), { call: id, routing }, MAX_PENDING);
  }

  take(question: string): PendingRouter | undefined {
    const key = questionKey(question);
    const decision = this.#pending.get(key);
    this.#pending.delete(key);
    return decision;
  }
}
