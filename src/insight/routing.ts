// Decisions of the router of Auto mode, each with the call that it led to and the model that really answered.

import type { CallCompleted, CallId, RouterFacts } from '../model/index.ts';
import { isAutoMode, isCopilotChat } from './caller.ts';
import { type Fingerprint, fingerprintText } from './fingerprint.ts';
import { questionKey } from './pending-routers.ts';
import { copyOf } from './texts.ts';
import { isHuman, userTextOf } from './user-text.ts';

export interface RouterDecision {
  readonly call: CallId;
  readonly atNs: bigint;
  readonly status: number | null;
  readonly facts: RouterFacts;
  /** The chat call with the same question. */
  answer?: { readonly call: CallId; readonly asked: string | null; readonly answeredBy: string | null };
}

/** Decisions that are kept; one per question in Auto mode. */
const MAX_DECISIONS = 1000;
/** Beginning of a question that is kept for the reader. */
const SHOWN_CHARS = 300;

export class RouterLog {
  readonly #decisions: RouterDecision[] = [];
  readonly #open = new Map<Fingerprint, RouterDecision>();

  accept(call: CallCompleted): void {
    if (call.service?.facts === 'router') this.#decided(call, call.service);
    else if (this.#open.size > 0 && isCopilotChat(call)) this.#answered(call);
  }

  list(): readonly RouterDecision[] {
    return this.#decisions;
  }

  #decided({ id, tsNs, status }: CallCompleted, facts: RouterFacts): void {
    if (this.#decisions.length >= MAX_DECISIONS) return;
    const { prompt } = facts;
    const shown = prompt === undefined ? {} : { prompt: copyOf(prompt.slice(0, SHOWN_CHARS)) };
    const decision: RouterDecision = { call: id, atNs: tsNs, status, facts: { ...facts, ...shown } };
    this.#decisions.push(decision);
    this.#open.set(prompt === undefined ? fingerprintText('') : questionKey(prompt), decision);
  }

  /** By the question; where its words differ (a prompt file was expanded), by being the next call in Auto mode. */
  #answered(call: CallCompleted): void {
    const question = call.llm?.request?.messages.findLast(isHuman);
    if (question === undefined) return;
    const key = questionKey(userTextOf(question));
    const only =
      this.#open.size === 1 && isAutoMode(call) && call.kind === 'agent.turn' ? [...this.#open.keys()][0] : undefined;
    const found = this.#open.has(key) ? key : only;
    const decision = found === undefined ? undefined : this.#open.get(found);
    if (found === undefined || decision === undefined) return;
    this.#open.delete(found);
    decision.answer = {
      call: call.id,
      asked: call.llm?.request?.model ?? null,
      answeredBy: call.llm?.answeredBy ?? null,
    };
  }
}
