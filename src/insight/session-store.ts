// Queries of an agent to the editor's own history of sessions (`session_store_sql`, Copilot CLI's `sql`), with what came
// back: rows, or an error, after which a model usually looks at the schema.

import { objectOf, readJson, textOf } from '../dialects/index.ts';
import type { ToolUse, Turn } from './conversation.ts';

export interface StoreQuery {
  /** Number of the round in its turn, from 1. */
  readonly round: number;
  readonly toolCallId: string;
  /** `query`, `standup` or `reindex`. */
  readonly action: string;
  readonly sql: string;
  readonly about: string;
  readonly outcome: 'ok' | 'failed' | 'unanswered';
  /** True when it asks for the schema instead of for data. */
  readonly isSchemaQuery: boolean;
  readonly result: string;
}

const MAX_TEXT_CHARS = 4000;

export const storeQueriesOf = (turn: Turn): StoreQuery[] =>
  turn.rounds.flatMap(({ tools }, at) =>
    tools.flatMap((tool) => {
      const query = storeQueryOf(tool);
      return query === undefined ? [] : [{ round: at + 1, toolCallId: tool.id, ...query }];
    }),
  );

export function storeQueryOf(tool: ToolUse): Omit<StoreQuery, 'round' | 'toolCallId'> | undefined {
  if (tool.name !== 'session_store_sql' && tool.name !== 'sql') return undefined;
  const json = objectOf(readJson(tool.arguments.text).value);
  const sql = textOf(json['query']).slice(0, MAX_TEXT_CHARS);
  return {
    action: textOf(json['action']) || 'query',
    sql,
    about: textOf(json['description']).slice(0, MAX_TEXT_CHARS),
    outcome: outcomeOf(tool),
    isSchemaQuery: /sqlite_(master|schema)|pragma\s+table_|information_schema|pragma_table_info|\bdescribe\s/i.test(
      sql,
    ),
    result: (tool.result?.text ?? '').slice(0, MAX_TEXT_CHARS),
  };
}

/** How errors of SQLite and of the tool begin; a row may hold the word, so only the beginning counts. */
const ERROR =
  /^\W*(error\b|sql(ite)?[ _]?error|no such (table|column|function)|near ".{0,40}": syntax error|query failed|parse error)/i;

function outcomeOf({ result, isError }: ToolUse): StoreQuery['outcome'] {
  if (result === undefined) return 'unanswered';
  return isError === true || ERROR.test(result.text) ? 'failed' : 'ok';
}
