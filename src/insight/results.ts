// Results of tools: they come with the next request, so that the time between is what the tool took.

import type { Part } from '../model/index.ts';
import type { Turn } from './conversation.ts';
import type { Asked } from './ledger.ts';
import type { TextKeeper } from './texts.ts';

/** Rounds whose tools may still be waited for: tools of one answer may be answered one by one. */
const OPEN_ROUNDS = 2;

/** Results that the request `asked` brings for tools that the last answers of `turn` called. */
export function noteResults(turn: Turn, asked: Asked, keeper: TextKeeper): void {
  const open = new Map(
    turn.rounds
      .slice(-OPEN_ROUNDS)
      .flatMap(({ endNs, tools }) => tools.map((tool) => [tool.id, { endNs, tool }] as const))
      .filter(([, { tool }]) => tool.durationNs === undefined),
  );
  if (open.size === 0) return;
  for (const part of asked.request.messages.flatMap((message) => message.parts)) {
    const found = part.kind === 'tool-result' ? open.get(part.callId) : undefined;
    if (part.kind !== 'tool-result' || found === undefined) continue;
    found.tool.durationNs = asked.call.startNs - found.endNs;
    found.tool.result = keeper.keep(textOfResult(part.parts));
    if (part.isError === true) found.tool.isError = true;
  }
}

const textOfResult = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('\n');
