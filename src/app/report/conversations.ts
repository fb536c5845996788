// Conversations of a report: turns, rounds and tools with their times, and the prompt sizes for caching.

import {
  CAUSES,
  type CacheStep,
  type Conversation,
  type Grouping,
  type Round,
  type ToolUse,
  type Turn,
} from '../../insight/index.ts';
import { callIdText } from '../call-events.ts';
import type { ConversationRow, RoundRow, StepRow, ToolRow, TurnRow } from './data.ts';

const MAX_CONVERSATIONS = 200;
const MAX_TURNS = 100;
const MAX_ROUNDS = 200;
const MAX_STEPS = 400;
/** Of a text, what a reader needs to recognise it. */
export const MAX_SHOWN_CHARS = 280;

type MsOf = (ns: bigint) => number;

export function conversationRows({ conversations }: Grouping, steps: readonly CacheStep[], msOf: MsOf) {
  const byConversation = grouped(steps);
  const rows = conversations
    .slice(0, MAX_CONVERSATIONS)
    .map((conversation) => conversationRow(conversation, byConversation.get(conversation.number) ?? [], msOf));
  return { conversations: rows, conversationsLeft: Math.max(0, conversations.length - MAX_CONVERSATIONS) };
}

function grouped(steps: readonly CacheStep[]): ReadonlyMap<number, readonly CacheStep[]> {
  const groups = new Map<number, CacheStep[]>();
  for (const step of steps) {
    const group = groups.get(step.conversation);
    if (group === undefined) groups.set(step.conversation, [step]);
    else group.push(step);
  }
  return groups;
}

function conversationRow(conversation: Conversation, steps: readonly CacheStep[], msOf: MsOf): ConversationRow {
  const { number, kind, parent, turns } = conversation;
  const rounds = turns.flatMap((turn) => turn.rounds);
  return {
    number,
    kind,
    ...(parent === undefined ? {} : { parent: parent.conversation }),
    startMs: Math.min(...rounds.slice(0, 1).map(({ startNs }) => msOf(startNs))),
    endMs: Math.max(0, ...rounds.slice(-1).map(({ endNs }) => msOf(endNs))),
    turns: turns.slice(0, MAX_TURNS).map((turn) => turnRow(turn, msOf)),
    turnsLeft: Math.max(0, turns.length - MAX_TURNS),
    steps: steps.slice(0, MAX_STEPS).map(stepRow),
  };
}

const turnRow = ({ asked, rounds, compactions, helpers }: Turn, msOf: MsOf): TurnRow => ({
  asked: shortened(asked.text),
  rounds: rounds.slice(0, MAX_ROUNDS).map((round) => roundRow(round, msOf)),
  compactions: compactions.map(({ call }) => callIdText(call)),
  helpers: helpers.slice(0, MAX_ROUNDS).map(({ call, kind }) => ({ call: callIdText(call), kind })),
});

const roundRow = ({ call, model, startNs, endNs, said, failed, tools }: Round, msOf: MsOf): RoundRow => ({
  call: callIdText(call),
  model: model ?? 'unknown',
  startMs: msOf(startNs),
  endMs: msOf(endNs),
  said: shortened(said?.text ?? ''),
  failed: failed.length,
  tools: tools.map(toolRow),
});

const toolRow = (tool: ToolUse): ToolRow => ({
  name: tool.name,
  permission: tool.permission,
  arguments: shortened(tool.arguments.text),
  ...(tool.durationNs === undefined ? {} : { durationMs: Number(tool.durationNs / 1000n) / 1000 }),
  isError: tool.isError === true,
  ...(tool.subagent === undefined ? {} : { subagent: tool.subagent }),
});

const stepRow = ({ call, tokens, compared, usage }: CacheStep): StepRow => ({
  call: callIdText(call),
  tokens,
  ...(compared === undefined ? {} : { reusable: compared.tokens }),
  ...(usage.input === undefined ? {} : { input: usage.input }),
  ...(usage.cached === undefined ? {} : { cached: usage.cached }),
  ...(compared?.cause === undefined ? {} : { cause: CAUSES[compared.cause] }),
});

const shortened = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
