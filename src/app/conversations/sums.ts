// What a conversation or a turn adds up to: times, rounds, tools, tokens, models.

import type { Conversation, Turn } from '../../insight/index.ts';
import type { Usage } from '../../model/index.ts';

export interface Sums {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly rounds: number;
  readonly tools: number;
  /** Tool calls by what the tool may do. */
  readonly permissions: Readonly<Record<string, number>>;
  /** Tool calls by MCP server. */
  readonly servers: Readonly<Record<string, number>>;
  readonly retries: number;
  /** Compactions included, as they cost too. */
  readonly usage: Usage;
  /** In the order in which they were first used. */
  readonly models: readonly string[];
}

export const sumsOf = ({ turns }: Conversation): Sums => sumsOfTurns(turns);

export function sumsOfTurns(turns: readonly Turn[]): Sums {
  const rounds = turns.flatMap((turn) => turn.rounds);
  const all = [...rounds, ...turns.flatMap((turn) => turn.compactions)];
  const tools = rounds.flatMap((round) => round.tools);
  const usage: Usage = {};
  for (const { usage: one } of all)
    for (const [name, count] of Object.entries(one) as [keyof Usage, number][])
      usage[name] = (usage[name] ?? 0) + count;
  return {
    startNs: rounds[0]?.startNs ?? 0n,
    endNs: latestOf(all.map(({ endNs }) => endNs)),
    rounds: rounds.length,
    tools: tools.length,
    permissions: countBy(tools.map(({ permission }) => permission)),
    servers: countBy(tools.flatMap(({ server }) => server ?? [])),
    retries: rounds.reduce((sum, round) => sum + round.failed.length, 0),
    usage,
    models: [...new Set(rounds.flatMap(({ model }) => model ?? []))],
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Math.max takes no bigint. */
function latestOf(times: readonly bigint[]): bigint {
  let latest = times[0] ?? 0n;
  for (const time of times) if (time > latest) latest = time;
  return latest;
}
