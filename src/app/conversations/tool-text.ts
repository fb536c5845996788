// Tools whose arguments say more than their JSON: memory and queries of the session store.

import { type KeptText, memoryUseOf, storeQueryOf, type ToolUse } from '../../insight/index.ts';
import { whole } from './block.ts';

/** Undefined when the tool asks nothing of the session store. */
export function queryLines(tool: ToolUse): KeptText | undefined {
  const query = storeQueryOf(tool);
  if (query === undefined) return undefined;
  const about = query.about === '' ? [] : [query.about];
  const words = { ok: 'answered', failed: 'failed', unanswered: 'not answered' } as const;
  const what = query.isSchemaQuery ? 'schema query' : query.action;
  return whole([...about, ...(query.sql === '' ? [] : [query.sql]), `${what} ${words[query.outcome]}`].join('\n'));
}

/** Undefined when the tool does not touch the memory. */
export function memoryLine(tool: ToolUse): string | undefined {
  const use = memoryUseOf(tool);
  if (use === undefined) return undefined;
  const text = use.act === 'write' && use.text !== '' ? `: ${use.text}` : '';
  return `${use.act} ${use.path} (${use.command}, ${use.scope} memory)${text}`;
}
