// Schemas other than the known one, made with SQLite itself.
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { openSessionStore } from '../../../src/app/store/session-store.ts';

interface Writable {
  run(sql: string): void;
  export(): Uint8Array;
}

async function imageOf(sql: string): Promise<Uint8Array> {
  const init = createRequire(import.meta.url)('sql.js');
  const database: Writable = new (await init()).Database();
  database.run(sql);
  return database.export();
}

const open = async (sql: string) => openSessionStore('x.db', await imageOf(sql));

it('reads what it knows of a newer schema', async () => {
  const store = await open(`
    CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (3), (9);
    CREATE TABLE sessions (id TEXT, tenant TEXT, summary TEXT); INSERT INTO sessions VALUES ('s', 't', 'sum');
    CREATE TABLE turns (session_id TEXT, turn_index INTEGER, user_message TEXT, tokens INTEGER);
    INSERT INTO turns VALUES ('s', 4, 'hello', 7);`);
  expect(store.version).toBe(9);
  expect(store.sessions).toEqual([
    { id: 's', repository: null, cwd: null, branch: null, summary: 'sum', createdAt: null, updatedAt: null },
  ]);
  expect([...store.texts()]).toEqual([
    { session: 's', table: 'turns', column: 'user_message', index: 4, text: 'hello' },
    { session: 's', table: 'sessions', column: 'summary', index: null, text: 'sum' },
  ]);
});

it('finds nothing in a database of something else', async () => {
  const store = await open('CREATE TABLE turns (a TEXT); CREATE TABLE other (b TEXT)');
  expect([store.version, store.sessions, [...store.texts()]]).toEqual([null, [], []]);
});

it('takes numbers and blobs where texts should be', async () => {
  const store = await open(
    "CREATE TABLE turns (session_id, user_message, assistant_response); INSERT INTO turns VALUES (1, 42, x'00ff')",
  );
  expect([...store.texts()].map(({ text }) => text)).toEqual(['42']);
});
