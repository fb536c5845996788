// Turns while they happen: what changed since the last look, and which are over. A turn is over when the next one of its
// conversation begins, when its last answer called no tool and nothing followed for a while, or at the end.

import { BRIEF, type Conversation, createCallGrouper, type Turn } from '../insight/index.ts';
import type { CallCompleted } from '../model/index.ts';
import type { LiveTurn } from '../sinks/index.ts';
import { turnFacts } from './turn-facts.ts';

/** Helpers (a title, follow-up questions) are asked within seconds of the answer. */
const QUIET_MS = 30_000;
/** Calls after which grouping starts anew, so that a session of weeks keeps no more than some 20 MB. */
const MAX_CALLS = 20_000;

/** How far the turns of a conversation were told. */
interface Progress {
  /** Turns that were told to be over. */
  over: number;
  /** What its last turn looked like, and since when. */
  shape: string;
  sinceMs: number;
}

const shapeOf = ({ turns }: Conversation): string => {
  const last = turns.at(-1);
  return [turns.length, last?.rounds.length, last?.helpers.length, last?.compactions.length].join(' ');
};

const awaitsTool = (turn: Turn | undefined): boolean => (turn?.rounds.at(-1)?.tools.length ?? 0) > 0;

export class LiveTurns {
  #grouper = createCallGrouper(BRIEF);
  #progress: Progress[] = [];
  #calls = 0;
  /** Conversations of earlier groupings. */
  #before = 0;

  /** A redacted call, in the order in which they end. */
  accept(call: CallCompleted): void {
    this.#calls += 1;
    this.#grouper.accept(call);
  }

  /** Turns that are new, changed or not over yet; each is told to be over once. */
  news(nowMs: number, isEnd: boolean): LiveTurn[] {
    const { conversations } = this.#grouper.grouping;
    const isLast = isEnd || this.#calls >= MAX_CALLS;
    const news = conversations.flatMap((conversation, at) => this.#newsOf(conversation, at, nowMs, isLast));
    if (isLast) this.#startAnew(conversations.length);
    return news;
  }

  #newsOf(conversation: Conversation, at: number, nowMs: number, isLast: boolean): LiveTurn[] {
    const { turns } = conversation;
    const progress = this.#progress[at] ?? { over: 0, shape: '', sinceMs: nowMs };
    this.#progress[at] = progress;
    const shape = shapeOf(conversation);
    if (shape === progress.shape && progress.over >= turns.length) return [];
    if (shape !== progress.shape) Object.assign(progress, { shape, sinceMs: nowMs });
    const isQuiet = nowMs - progress.sinceMs >= QUIET_MS && !awaitsTool(turns.at(-1));
    const over = isLast || isQuiet ? turns.length : turns.length - 1;
    const from = Math.min(progress.over, turns.length - 1);
    const news = turns.slice(from).flatMap((turn, index) => {
      const isOver = from + index >= progress.over && from + index < over;
      return turnFacts(conversation, turn, from + index, this.#before).map((facts) => ({ turn: facts, isOver }));
    });
    progress.over = Math.max(progress.over, over);
    return news;
  }

  #startAnew(conversations: number): void {
    this.#before += conversations;
    this.#grouper = createCallGrouper(BRIEF);
    this.#progress = [];
    this.#calls = 0;
  }
}
