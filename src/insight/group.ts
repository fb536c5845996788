// Groups completed calls into conversations, turns and rounds. Fed in the order in which calls ended; keeps fingerprints
// and small texts, no prompts. Which conversation a call belongs to is the ledger's work; here it gets its place in it.

import type { CallCompleted, CallId } from '../model/index.ts';
import type { Conversation, Grouping, Round, ToolUse, Turn } from './conversation.ts';
import { type Fingerprint, fingerprintText } from './fingerprint.ts';
import { keep } from './keep.ts';
import { type Asked, type Led, Ledger } from './ledger.ts';
import { isHuman, lastHuman, userTextOf } from './user-text.ts';

/** Kinds whose calls lead a conversation. */
const LEADING = /^(agent\.|ask\.turn$|edit\.turn$|inline\.|notebook$|terminal$|lm_api$|codebase\.agent$)/;
const SUBAGENT_TOOLS = /^(runSubagent|search_subagent|execution_subagent|explore_subagent|task|Task)$/;

const MAX_ARGUMENT_CHARS = 64 * 1024;
/** Subagent calls that wait for their conversation. */
const MAX_PENDING = 1000;

export interface CallGrouper {
  accept(call: CallCompleted): void;
  readonly grouping: Grouping;
}

export const createCallGrouper = (): CallGrouper => new Grouper();

/** The grouping of a list of calls. */
export function groupCalls(calls: Iterable<CallCompleted>): Grouping {
  const grouper = createCallGrouper();
  for (const call of calls) grouper.accept(call);
  return grouper.grouping;
}

class Grouper implements CallGrouper {
  readonly #ledger = new Ledger();
  readonly #loose: { call: CallId; class: string; kind?: string }[] = [];
  /** Subagent calls that no conversation was found for yet, by the fingerprint of their prompt. */
  readonly #pendingSubagents = new Map<string, { readonly led: Led; readonly tool: ToolUse }>();

  get grouping(): Grouping {
    return { conversations: this.#ledger.led.map((led) => led.conversation), loose: this.#loose };
  }

  accept(call: CallCompleted): void {
    const request = call.llm?.request;
    if (request === undefined) return;
    const asked = this.#ledger.asked(call, request);
    if (call.kind === 'compaction' || call.kind === 'summarize.session') this.#compaction(asked);
    else if (call.kind !== undefined && LEADING.test(call.kind)) this.#leading(asked);
    else this.#helper(asked);
  }

  #leading(asked: Asked): void {
    const found = this.#ledger.find(asked);
    const led = found ?? this.#begin(asked);
    if (found !== undefined) this.#noteResults(led, asked);
    this.#addRound(led, this.#turnOf(led, asked), asked);
    led.messages = asked.messages;
    led.summary = undefined;
    this.#ledger.remember(led, asked);
  }

  #begin(asked: Asked): Led {
    const firstHuman = asked.request.messages.filter((message) => message.role !== 'system').findLastIndex(isHuman);
    const parent = this.#parentOf(asked);
    const number = this.#ledger.led.length + 1;
    const conversation: Conversation = {
      number,
      kind: asked.kind,
      ...(parent === undefined
        ? {}
        : { parent: { conversation: parent.led.conversation.number, toolCallId: parent.tool.id } }),
      turns: [],
    };
    if (parent !== undefined) parent.tool.subagent = number;
    const led: Led = {
      conversation,
      messages: asked.messages,
      opening: Math.max(1, firstHuman + 1),
      summary: undefined,
    };
    this.#ledger.led.push(led);
    return led;
  }

  /** The pending subagent call whose prompt is this conversation's first text. */
  #parentOf(asked: Asked): { readonly led: Led; readonly tool: ToolUse } | undefined {
    const first = asked.request.messages.find(isHuman);
    for (const text of [userTextOf(first), userTextOf(asked.request.messages.findLast(isHuman))]) {
      const key = fingerprintText(text);
      const pending = this.#pendingSubagents.get(key);
      if (pending === undefined) continue;
      this.#pendingSubagents.delete(key);
      return pending;
    }
    return undefined;
  }

  #turnOf({ conversation }: Led, asked: Asked): Turn {
    const last = conversation.turns.at(-1);
    if (last !== undefined && this.#goesOn(last, asked)) return last;
    const turn: Turn = {
      requestId: asked.requestId,
      interactionId: asked.interactionId,
      userText: userTextOf(asked.request.messages[lastHuman(asked.request)]),
      rounds: [],
      compactions: [],
      helpers: [],
    };
    conversation.turns.push(turn);
    return turn;
  }

  #goesOn(last: Turn, asked: Asked): boolean {
    if (asked.requestId !== null) return last.requestId === asked.requestId;
    return isWithinTurn(asked) || this.#repeats(last.rounds.at(-1), asked);
  }

  /** The round's latest attempt failed, and the same is asked again. */
  #repeats(round: Round | undefined, asked: Asked): round is Round {
    return round !== undefined && this.#lastFailed.get(round) === fingerprintText(asked.messages.join());
  }

  #addRound(led: Led, turn: Turn, asked: Asked): void {
    const { call } = asked;
    const last = turn.rounds.at(-1);
    const tools = this.#toolsOf(led, call);
    if (this.#repeats(last, asked)) {
      last.failed.push(last.call);
      last.call = call.id;
      last.endNs = call.tsNs;
      last.tools = tools;
      this.#markFailed(last, asked);
      return;
    }
    const model = call.llm?.model ?? null;
    const round: Round = { call: call.id, failed: [], startNs: call.startNs, endNs: call.tsNs, model, tools };
    turn.rounds.push(round);
    this.#markFailed(round, asked);
  }

  /** Rounds whose latest attempt failed, with the fingerprint of what was asked. */
  readonly #lastFailed = new WeakMap<Round, Fingerprint>();

  #markFailed(round: Round, asked: Asked): void {
    if (asked.failed) this.#lastFailed.set(round, fingerprintText(asked.messages.join()));
    else this.#lastFailed.delete(round);
  }

  #toolsOf(led: Led, call: CallCompleted): ToolUse[] {
    return (call.llm?.toolCalls ?? []).map(({ id, name, argumentsText }) => {
      const tool: ToolUse = { id, name, argumentsText: argumentsText.slice(0, MAX_ARGUMENT_CHARS) };
      const prompt = SUBAGENT_TOOLS.test(name) ? promptOf(argumentsText) : undefined;
      if (prompt !== undefined)
        keep(this.#pendingSubagents, fingerprintText(prompt.trim()), { led, tool }, MAX_PENDING);
      return tool;
    });
  }

  /** Results that this request brings for tools that the last answers called. */
  #noteResults({ conversation }: Led, asked: Asked): void {
    const open = new Map<string, { round: Round; tool: ToolUse }>();
    for (const turn of conversation.turns.slice(-1)) {
      for (const round of turn.rounds.slice(-2)) for (const tool of round.tools) open.set(tool.id, { round, tool });
    }
    for (const part of asked.request.messages.flatMap((message) => message.parts)) {
      if (part.kind !== 'tool-result') continue;
      const found = open.get(part.callId);
      if (found === undefined || found.tool.durationNs !== undefined) continue;
      found.tool.durationNs = asked.call.startNs - found.round.endNs;
      if (part.isError === true) found.tool.isError = true;
    }
  }

  /** A compaction belongs to the conversation that it repeats; the next request carries its summary. */
  #compaction(asked: Asked): void {
    const led = this.#ledger.closest(asked);
    const turn = led?.conversation.turns.at(-1);
    if (led === undefined || turn === undefined) {
      this.#addLoose(asked.call);
      return;
    }
    turn.compactions.push(asked.call.id);
    const text = asked.call.llm?.text ?? '';
    const summary = /<summary>\s*([\s\S]{1,200})/.exec(text)?.[1] ?? text.trim().slice(0, 200);
    led.summary = summary.replace(/<\/summary>[\s\S]*/, '').trim() || undefined;
  }

  #helper(asked: Asked): void {
    const turn = this.#turnByInteraction(asked.interactionId) ?? this.#turnByText(asked);
    if (turn === undefined || asked.call.kind === undefined || !isHelper(asked.call)) {
      this.#addLoose(asked.call);
      return;
    }
    turn.helpers.push({ call: asked.call.id, kind: asked.kind });
  }

  #turnByInteraction(id: string | null): Turn | undefined {
    if (id === null) return undefined;
    const turns = this.#ledger.led.flatMap(({ conversation }) =>
      conversation.parent ? [] : conversation.turns.slice(-1),
    );
    return turns.findLast((turn) => turn.interactionId === id);
  }

  /** A title is asked for with the first words of the user. */
  #turnByText(asked: Asked): Turn | undefined {
    const text = userTextOf(asked.request.messages.findLast(isHuman));
    const turns = this.#ledger.led.flatMap(({ conversation }) => conversation.turns.slice(-1));
    return turns.findLast((turn) => turn.userText.length >= MIN_QUOTE_CHARS && text.includes(turn.userText));
  }

  #addLoose({ id, class: callClass, kind }: CallCompleted): void {
    this.#loose.push({ call: id, class: callClass, ...(kind === undefined ? {} : { kind }) });
  }
}

/** Shortest user text by which a helper may be linked to a turn: shorter ones occur anywhere. */
const MIN_QUOTE_CHARS = 8;

/** Completions and suggestions run beside a conversation; they serve no turn. */
const isHelper = (call: CallCompleted): boolean => call.class.startsWith('chat.') || call.class.startsWith('byok.');

/** The request goes on after an answer: its last message is a tool's result, not a person's. */
function isWithinTurn({ request }: Asked): boolean {
  const last = request.messages.at(-1);
  return last !== undefined && !isHuman(last);
}

function promptOf(argumentsText: string): string | undefined {
  try {
    const json: unknown = JSON.parse(argumentsText);
    if (typeof json !== 'object' || json === null) return undefined;
    const { prompt, query } = json as { prompt?: unknown; query?: unknown };
    const text = prompt ?? query;
    return typeof text === 'string' ? text : undefined;
  } catch {
    // Cut arguments: the subagent cannot be linked by its prompt.
    return undefined;
  }
}
