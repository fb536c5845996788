// Groups completed calls into conversations, turns and rounds. Fed in the order in which calls ended; keeps fingerprints
// and bounded texts, no prompts. Which conversation a call belongs to is the ledger's work; here it gets its place in it.

import type { CallCompleted } from '../model/index.ts';
import type { Conversation, Grouping, Round, Turn } from './conversation.ts';
import { openingOf } from './fingerprint.ts';
import { type Asked, type Led, Ledger, repeatsFailed } from './ledger.ts';
import { LooseCalls } from './loose.ts';
import { PendingRouters } from './pending-routers.ts';
import { noteResults } from './results.ts';
import { repeated, roundOf } from './rounds.ts';
import { PendingSubagents } from './subagents.ts';
import { BRIEF, copyOf, keptOrNone, TextKeeper, type TextLimits } from './texts.ts';
import { mcpPrefixesOf } from './tools.ts';
import { isHuman, lastHuman, userTextOf } from './user-text.ts';

/** Kinds whose calls lead a conversation. */
const LEADING = /^(agent\.|ask\.turn$|edit\.turn$|inline\.|notebook$|terminal$|lm_api$|codebase\.agent$)/;
const COMPACTING = /^(compaction|summarize\.session)$/;

export interface CallGrouper {
  /** Gives the number of the conversation of which the call is a round now; undefined when it is none. */
  accept(call: CallCompleted): number | undefined;
  readonly grouping: Grouping;
}

/** `limits` bound the texts that are kept of each round. */
export const createCallGrouper = (limits: TextLimits = BRIEF): CallGrouper => new Grouper(limits);

/** The grouping of a list of calls. */
export function groupCalls(calls: Iterable<CallCompleted>, limits?: TextLimits): Grouping {
  const grouper = createCallGrouper(limits);
  for (const call of calls) grouper.accept(call);
  return grouper.grouping;
}

class Grouper implements CallGrouper {
  readonly #keeper: TextKeeper;
  readonly #ledger = new Ledger();
  readonly #loose = new LooseCalls();
  readonly #subagents = new PendingSubagents();
  readonly #routers = new PendingRouters();

  constructor(limits: TextLimits) {
    this.#keeper = new TextKeeper(limits);
  }

  get grouping(): Grouping {
    return { conversations: this.#ledger.led.map((led) => led.conversation), loose: this.#loose.list() };
  }

  accept(call: CallCompleted): number | undefined {
    if (call.copyOf !== undefined) return undefined;
    this.#routers.add(call);
    const request = call.llm?.request;
    if (request === undefined) {
      // Joined late: an answer without its question has no place in a conversation, but was there.
      if (call.llm !== undefined) this.#loose.add(call);
      return undefined;
    }
    const asked = this.#ledger.asked(call, request);
    if (COMPACTING.test(asked.kind)) this.#compaction(asked);
    else if (LEADING.test(asked.kind) || isPlainChat(asked)) return this.#leading(asked);
    else this.#helper(asked);
    return undefined;
  }

  #leading(asked: Asked): number {
    const found = this.#ledger.find(asked);
    const led = found ?? this.#begin(asked);
    const last = led.conversation.turns.at(-1);
    if (found !== undefined && last !== undefined) noteResults(last, asked, this.#keeper);
    this.#addRound(led, this.#turnOf(led, asked), asked);
    this.#ledger.remember(led, asked);
    return led.conversation.number;
  }

  #begin(asked: Asked): Led {
    const parent = this.#subagents.take(asked.request);
    const number = this.#ledger.led.length + 1;
    const link = parent && { conversation: parent.conversation.number, toolCallId: parent.tool.id };
    const conversation: Conversation = {
      number,
      kind: asked.kind === '' ? 'chat' : asked.kind,
      ...(link === undefined ? {} : { parent: link }),
      turns: [],
    };
    if (parent !== undefined) parent.tool.subagent = number;
    const opening = Math.max(1, openingOf(asked.request, isHuman));
    const nothingYet = { messages: [], answer: [], failed: false, summary: undefined };
    const led: Led = { conversation, opening, ...nothingYet };
    this.#ledger.begin(led);
    return led;
  }

  #turnOf(led: Led, asked: Asked): Turn {
    const last = led.conversation.turns.at(-1);
    if (last !== undefined && goesOn(led, last, asked)) return last;
    const text = userTextOf(asked.request.messages[lastHuman(asked.request)]);
    const router = this.#routers.take(text);
    const turn: Turn = {
      requestId: asked.requestId === null ? null : copyOf(asked.requestId),
      interactionId: asked.interactionId === null ? null : copyOf(asked.interactionId),
      asked: this.#keeper.keep(text),
      router: router?.call,
      routing: router?.routing,
      rounds: [],
      compactions: [],
      helpers: [],
    };
    led.conversation.turns.push(turn);
    return turn;
  }

  #addRound(led: Led, turn: Turn, asked: Asked): void {
    const fresh = roundOf(asked.call, this.#keeper, mcpPrefixesOf(asked.request));
    const last = turn.rounds.at(-1);
    if (last !== undefined && repeatsFailed(led, asked)) turn.rounds.splice(-1, 1, repeated(last, fresh));
    else turn.rounds.push(fresh);
    this.#notePending(led.conversation, fresh, asked.call);
  }

  #notePending(conversation: Conversation, { tools }: Round, { llm }: CallCompleted): void {
    for (const [at, sent] of (llm?.toolCalls ?? []).entries()) {
      const tool = tools[at];
      if (tool !== undefined) this.#subagents.add(conversation, tool, sent);
    }
  }

  /** A compaction belongs to the conversation that it repeats; the next request carries its summary. */
  #compaction(asked: Asked): void {
    const led = this.#ledger.closest(asked);
    const turn = led?.conversation.turns.at(-1);
    if (led === undefined || turn === undefined) {
      this.#loose.add(asked.call);
      return;
    }
    const { id, startNs, tsNs, llm } = asked.call;
    const summary = summaryOf(llm?.text ?? '');
    turn.compactions.push({
      call: id,
      startNs,
      endNs: tsNs,
      summary: this.#keeper.keep(summary),
      usage: llm?.usage ?? {},
      afterRound: turn.rounds.length,
    });
    led.summary = copyOf(summary.slice(0, MATCHED_SUMMARY_CHARS)) || undefined;
  }

  #helper(asked: Asked): void {
    const isServing = asked.call.kind !== undefined && isChat(asked.call);
    const turn = isServing ? (this.#turnByInteraction(asked.interactionId) ?? this.#turnByText(asked)) : undefined;
    if (turn === undefined) this.#loose.add(asked.call);
    else
      turn.helpers.push({
        call: asked.call.id,
        kind: asked.kind,
        said: keptOrNone(this.#keeper, asked.call.llm?.text),
      });
  }

  #turnByInteraction(id: string | null): Turn | undefined {
    if (id === null) return undefined;
    const led = this.#ledger.recent().filter(({ conversation }) => conversation.parent === undefined);
    return latestTurns(led).find((turn) => turn.interactionId === id);
  }

  /** A title is asked for with the first words of the user. */
  #turnByText(asked: Asked): Turn | undefined {
    const text = userTextOf(asked.request.messages.findLast(isHuman));
    const turns = latestTurns(this.#ledger.recent().slice(0, QUOTABLE));
    return turns.find((turn) => turn.asked.text.length >= MIN_QUOTE_CHARS && text.includes(turn.asked.text));
  }
}

const latestTurns = (led: readonly Led[]): Turn[] => led.flatMap(({ conversation }) => conversation.turns.slice(-1));

/** Latest conversations whose words a helper may quote: it is asked within seconds. */
const QUOTABLE = 50;
/** Shortest user text by which a helper may be linked to a turn: shorter ones occur anywhere. */
const MIN_QUOTE_CHARS = 8;
/** Beginning of a summary by which the next request is recognised. */
const MATCHED_SUMMARY_CHARS = 200;

/** What stands between the marks of the answer, else all of it. */
function summaryOf(text: string): string {
  const inside = /<summary>\s*([\s\S]*)/.exec(text)?.[1] ?? text;
  return inside.replace(/<\/summary>[\s\S]*/, '').trim();
}

/** Completions and suggestions run beside a conversation; they serve no turn. */
const isChat = (call: CallCompleted): boolean => /^(chat|byok|local)\./.test(call.class);

/** A chat that no kind is known of: an own key, or a rule of the user's. One that continues a response may bring results alone. */
const isPlainChat = ({ call, request }: Asked): boolean =>
  call.kind === undefined &&
  !/^(completions|nes|embeddings|apply|search)/.test(call.class) &&
  (request.messages.some(isHuman) || request.messages.at(-1)?.role === 'tool');

function goesOn(led: Led, last: Turn, asked: Asked): boolean {
  if (asked.requestId !== null && last.requestId !== null) return last.requestId === asked.requestId;
  return isWithinTurn(asked) || repeatsFailed(led, asked);
}

/** The request goes on after an answer: its last message is a tool's result, not a person's. */
function isWithinTurn({ request }: Asked): boolean {
  return request.messages.length > 0 && lastHuman(request) < request.messages.length - 1;
}
