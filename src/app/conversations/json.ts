// Conversations as plain JSON values: ids and times as text, durations in milliseconds. docs/insight.md is their manual.

import {
  type Boot,
  type Conversation,
  type Loose,
  memoriesOf,
  type Round,
  storeQueriesOf,
  type ToolUse,
  type Turn,
  todosOf,
} from '../../insight/index.ts';
import type { CallId } from '../../model/index.ts';
import { callIdText } from '../call-events.ts';
import { msOf, type WallTime } from '../wall.ts';
import { type Sums, sumsOf, sumsOfTurns } from './sums.ts';

export type WhyOf = (call: CallId) => string | undefined;

/** One line of `conversations --json`: what the table shows. */
export const conversationBrief = (conversation: Conversation, wall: WallTime) => ({
  ...headOf(conversation, wall),
  turns: conversation.turns.map((turn) => ({
    turn: `${conversation.number}.${conversation.turns.indexOf(turn) + 1}`,
    asked: turn.asked.text,
    calls: turn.rounds.map(({ call }) => callIdText(call)),
  })),
});

/** One line of `show --json`: everything that is kept. */
export const conversationJson = (conversation: Conversation, wall: WallTime, whyOf: WhyOf) => ({
  ...headOf(conversation, wall),
  turns: conversation.turns.map((turn, at) => turnJson(conversation, turn, at, wall, whyOf)),
});

function headOf(conversation: Conversation, wall: WallTime) {
  const { number, kind, parent } = conversation;
  return {
    type: 'conversation' as const,
    number,
    kind,
    ...(parent && { parent }),
    ...sumsJson(sumsOf(conversation), wall),
  };
}

function sumsJson({ startNs, endNs, ...sums }: Sums, wall: WallTime) {
  return { time: wall.iso(startNs), durationMs: msOf(endNs - startNs), ...sums };
}

export function turnJson(conversation: Conversation, turn: Turn, at: number, wall: WallTime, whyOf: WhyOf) {
  const { rounds: _, ...sums } = sumsJson(sumsOfTurns([turn]), wall);
  return {
    type: 'turn' as const,
    turn: `${conversation.number}.${at + 1}`,
    ...sums,
    requestId: turn.requestId,
    interactionId: turn.interactionId,
    asked: turn.asked,
    ...(turn.router && { router: { call: callIdText(turn.router), ...turn.routing } }),
    rounds: turn.rounds.map((round) => roundJson(round, wall, whyOf)),
    todos: todosOf(turn),
    memories: memoriesOf(turn),
    queries: storeQueriesOf(turn),
    compactions: turn.compactions.map(({ call, startNs, endNs, summary, usage, afterRound }) => ({
      call: callIdText(call),
      time: wall.iso(startNs),
      durationMs: msOf(endNs - startNs),
      afterRound,
      summary,
      usage,
    })),
    helpers: turn.helpers.map(({ call, kind, said }) => ({ call: callIdText(call), kind, ...(said && { said }) })),
  };
}

function roundJson(round: Round, wall: WallTime, whyOf: WhyOf) {
  const { startNs, sentNs, endNs, failed, tools, call, thought, said, error, kind, answeredBy, ...plain } = round;
  const why = whyOf(call);
  return {
    call: callIdText(call),
    time: wall.iso(startNs),
    durationMs: msOf(endNs - startNs),
    ...(sentNs !== startNs && { sentMs: msOf(sentNs - startNs) }),
    ...plain,
    ...(kind !== undefined && { kind }),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(why !== undefined && { namedBy: why }),
    ...(thought && { thought }),
    ...(said && { said }),
    ...(error && { error }),
    ...(failed.length > 0 && {
      failed: failed.map((attempt) => ({
        call: callIdText(attempt.call),
        durationMs: msOf(attempt.endNs - attempt.startNs),
        reason: attempt.reason,
      })),
    }),
    tools: tools.map(toolJson),
  };
}

function toolJson({ durationNs, ...tool }: ToolUse) {
  return { ...tool, ...(durationNs !== undefined && { durationMs: msOf(durationNs) }) };
}

export const bootJson = ({ startNs, endNs, stages }: Boot, wall: WallTime) => ({
  type: 'boot' as const,
  time: wall.iso(startNs),
  durationMs: msOf(endNs - startNs),
  stages: stages.map(({ stage, calls }) => ({
    stage,
    calls: calls.map((call) => ({
      call: callIdText(call.call),
      class: call.class,
      status: call.status,
      time: wall.iso(call.startNs),
      durationMs: msOf(call.endNs - call.startNs),
    })),
  })),
});

export const looseJson = ({ calls, kind, ...loose }: Loose) => ({
  type: 'loose' as const,
  ...loose,
  ...(kind !== undefined && { kind }),
  calls: calls.map(callIdText),
});
