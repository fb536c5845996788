// LLM calls that belong to no conversation, counted by class and kind: an editor makes thousands of completions a day.

import type { CallCompleted, CallId } from '../model/index.ts';
import type { Loose } from './conversation.ts';

/** Calls that are named of each sort; the rest is counted. */
const MAX_NAMED = 20;
/** Sorts; more than the tables of classes and kinds know together. */
const MAX_SORTS = 500;

export class LooseCalls {
  readonly #sorts = new Map<string, { class: string; kind: string | undefined; count: number; calls: CallId[] }>();

  add({ id, class: callClass, kind }: CallCompleted): void {
    const key = `${callClass} ${kind ?? ''}`;
    const sort = this.#sorts.get(key) ?? { class: callClass, kind, count: 0, calls: [] };
    if (!this.#sorts.has(key) && this.#sorts.size >= MAX_SORTS) return;
    this.#sorts.set(key, sort);
    sort.count += 1;
    if (sort.calls.length < MAX_NAMED) sort.calls.push(id);
  }

  list(): readonly Loose[] {
    return [...this.#sorts.values()];
  }
}
