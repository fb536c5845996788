// A filter over a sequence of events: pieces of an answer follow the verdict on their call's beginning, findings are
// remembered until their call is complete, and what a connection negotiated until it is closed.

import {
  type FindingEvent,
  type FleetEvent,
  type Negotiated,
  NegotiatedConnections,
  type Origin,
} from '../model/index.ts';
import { FilterProblem } from './compare.ts';
import { evaluate, type Verdict } from './evaluate.ts';
import { type Condition, parseCondition } from './parse.ts';

/** Calls that are remembered at a time, for their pieces and findings; the oldest are forgotten. */
const MAX_CALLS = 4_096;

export interface EventFilter {
  /** A finding that comes with or after its call: known before the verdict on the call. */
  expect(finding: FindingEvent, origin?: Origin | null): void;
  /** Whether the event is wanted. Events of one session come in their order. */
  accepts(event: FleetEvent, origin?: Origin | null): boolean;
}

/** Where and why a filter cannot be read. */
export interface FilterMistake {
  readonly what: string;
  /** From 1. */
  readonly column: number;
  /** The filter with a mark at that place. */
  readonly marked: string;
}

interface OpenCall {
  isWanted: boolean;
  readonly findings: string[];
}

/** Calls of two sessions may have the same id. */
const keyOf = (call: string, origin: Origin | null): string => `${origin?.session ?? ''} ${call}`;

class SequenceFilter implements EventFilter {
  readonly #condition: Condition;
  readonly #calls = new Map<string, OpenCall>();
  readonly #connections = new NegotiatedConnections();

  constructor(condition: Condition) {
    this.#condition = condition;
  }

  expect({ call, rule, severity }: FindingEvent, origin: Origin | null = null): void {
    const { findings } = this.#call(keyOf(call, origin));
    for (const word of ['secret', rule, severity]) if (!findings.includes(word)) findings.push(word);
  }

  accepts(event: FleetEvent, origin: Origin | null = null): boolean {
    const key = (id: string): string => keyOf(id, origin);
    switch (event.type) {
      case 'call.started': {
        const isWanted = this.#verdict(event, origin, []) === true;
        this.#call(key(event.id)).isWanted = isWanted;
        return isWanted;
      }
      case 'call.delta':
        // A piece has hardly a field of its own: what says nothing about it follows its call.
        return this.#verdict(event, origin, []) ?? this.#calls.get(key(event.id))?.isWanted === true;
      case 'finding':
        this.expect(event, origin);
        return this.#verdict(event, origin, []) === true;
      case 'call': {
        const findings = this.#calls.get(key(event.id))?.findings ?? [];
        this.#calls.delete(key(event.id));
        return this.#verdict(event, origin, findings, this.#connections.ofCall(event.id, origin?.session)) === true;
      }
      case 'connection':
        return this.#verdict(event, origin, [], this.#connections.learn(event, origin?.session)) === true;
      default:
        return this.#verdict(event, origin, []) === true;
    }
  }

  #verdict(
    event: FleetEvent,
    origin: Origin | null,
    findings: readonly string[],
    negotiated?: Negotiated | undefined,
  ): Verdict {
    return evaluate(this.#condition, event, { findings, origin, negotiated });
  }

  #call(key: string): OpenCall {
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const oldest = this.#calls.keys().next();
    if (this.#calls.size >= MAX_CALLS && oldest.done !== true) this.#calls.delete(oldest.value);
    const call = { isWanted: false, findings: [] };
    this.#calls.set(key, call);
    return call;
  }
}

/** Text around the mistake that is shown. */
const SHOWN_CHARS = 40;

function marked(text: string, at: number): string {
  const from = Math.max(0, at - SHOWN_CHARS);
  return `${from > 0 ? '…' : ''}${text.slice(from, at)}▸${text.slice(at, at + SHOWN_CHARS)}`;
}

/** The filter, or what is wrong with its text. */
export function createFilter(text: string): EventFilter | FilterMistake {
  try {
    return new SequenceFilter(parseCondition(text));
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    return { what: error.message, column: error.at + 1, marked: marked(text, error.at) };
  }
}

export const isMistake = (filter: EventFilter | FilterMistake): filter is FilterMistake => 'column' in filter;
