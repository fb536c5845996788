import { expect, it } from 'vitest';
import { storeQueriesOf } from '../../src/insight/session-store.ts';
import { turn, use } from './turns.ts';

const sql = (query: string, result?: string, isError?: boolean) =>
  use('session_store_sql', { action: 'query', query, description: 'why' }, result, isError);

it('tells which query failed and which one looked at the schema', () => {
  const queries = storeQueriesOf(
    turn(
      [sql('SELECT title FROM sessions', 'Error: no such column: title')],
      [sql("SELECT sql FROM sqlite_master WHERE name = 'sessions'", 'CREATE TABLE …')],
      [sql('SELECT summary FROM sessions', 'An error was fixed'), sql('SELECT 1')],
    ),
  );
  expect(queries.map(({ round, outcome, isSchemaQuery }) => [round, outcome, isSchemaQuery])).toEqual([
    [1, 'failed', false],
    [2, 'ok', true],
    [3, 'ok', false],
    [3, 'unanswered', false],
  ]);
  expect(queries[0]).toMatchObject({
    sql: 'SELECT title FROM sessions',
    about: 'why',
    result: 'Error: no such column: title',
  });
});

it('believes the wire when it says that a result is an error', () => {
  expect(storeQueriesOf(turn([sql('SELECT 1', 'denied', true)]))).toMatchObject([{ outcome: 'failed' }]);
});

it('knows actions without a query and leaves other tools alone', () => {
  expect(
    storeQueriesOf(turn([use('session_store_sql', { action: 'standup' }, 'text'), use('grep_search', {})])),
  ).toMatchObject([{ action: 'standup', sql: '', outcome: 'ok' }]);
});
