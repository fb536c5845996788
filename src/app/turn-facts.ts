// Conversations and turns of the insight room as the plain values that exports take.

import type { Conversation, Grouping, Turn } from '../insight/index.ts';
import type { ToolRun, TurnFacts } from '../sinks/index.ts';
import { callIdText } from './call-events.ts';

const turnId = (conversation: number, turn: number): string => `${conversation}.${turn + 1}`;

function toolsOf(turn: Turn, before: number): ToolRun[] {
  return turn.rounds.flatMap((round) =>
    round.tools.map((tool) => ({
      id: tool.id,
      name: tool.name,
      argumentsText: tool.arguments.text,
      ...(tool.result && { resultText: tool.result.text }),
      startNs: round.endNs,
      ...(tool.durationNs !== undefined && { endNs: round.endNs + tool.durationNs }),
      isError: tool.isError ?? false,
      ...(tool.subagent !== undefined && { startedTurn: turnId(before + tool.subagent, 0) }),
    })),
  );
}

/** A turn without a round has no time: it is left out. `before`: conversations that were counted before the grouping began. */
export function turnFacts({ number, kind }: Conversation, turn: Turn, index: number, before = 0): TurnFacts[] {
  const [first] = turn.rounds;
  const last = turn.rounds.at(-1);
  if (first === undefined || last === undefined) return [];
  const rounds = turn.rounds.flatMap((round) => [...round.failed.map((attempt) => attempt.call), round.call]);
  const helpers = [...turn.compactions, ...turn.helpers].map((helper) => helper.call);
  return [
    {
      id: turnId(before + number, index),
      conversation: before + number,
      kind,
      asked: turn.asked.text,
      startNs: first.failed[0]?.startNs ?? first.startNs,
      endNs: last.endNs,
      calls: [...rounds, ...helpers, ...(turn.router === undefined ? [] : [turn.router])].map(callIdText),
      tools: toolsOf(turn, before),
      requestId: turn.requestId,
    },
  ];
}

export const turnsOf = ({ conversations }: Grouping): TurnFacts[] =>
  conversations.flatMap((conversation) =>
    conversation.turns.flatMap((turn, index) => turnFacts(conversation, turn, index)),
  );
