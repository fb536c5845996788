// The editor's record of chats (session-store.db): its tables as far as this version knows them. Columns and tables that are
// missing are left out, those that are new are not looked at; a newer schema version is reported, never guessed.

/// <reference path="./sql-js.d.ts" />

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import initSqlJs, { type Database, type SqlValue } from 'sql.js';
import { TracerError } from '../../errors.ts';

/** Schema that the columns below are of. */
export const KNOWN_VERSION = 3;

export interface StoredSession {
  readonly id: string;
  readonly repository: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly summary: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** A text that somebody wrote or a model answered, and where it is kept. */
export interface StoredText {
  readonly session: string;
  readonly table: string;
  readonly column: string;
  /** Number of the turn or checkpoint in its session. */
  readonly index: number | null;
  readonly text: string;
}

export interface SessionStore {
  /** Null when the database does not say. */
  readonly version: number | null;
  readonly sessions: readonly StoredSession[];
  /** One after the other: a store can be large. */
  texts(): Generator<StoredText>;
  close(): void;
}

interface TextTable {
  readonly table: string;
  readonly index: string | null;
  readonly columns: readonly string[];
}

const TEXTS: readonly TextTable[] = [
  { table: 'turns', index: 'turn_index', columns: ['user_message', 'assistant_response'] },
  {
    table: 'checkpoints',
    index: 'checkpoint_number',
    columns: ['title', 'overview', 'history', 'work_done', 'technical_details', 'important_files', 'next_steps'],
  },
  { table: 'sessions', index: null, columns: ['summary'] },
];

const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined || value instanceof Uint8Array ? null : String(value);

class OpenStore implements SessionStore {
  readonly #database: Database;
  readonly version: number | null;
  readonly sessions: readonly StoredSession[];

  constructor(database: Database) {
    this.#database = database;
    const [row] = this.#columns('schema_version').has('version')
      ? [...this.#rows('SELECT MAX(version) AS version FROM schema_version')]
      : [];
    this.version = typeof row?.['version'] === 'number' ? row['version'] : null;
    this.sessions = [...this.#readSessions()];
  }

  close(): void {
    this.#database.close();
  }

  *texts(): Generator<StoredText> {
    for (const { table, index, columns } of TEXTS) {
      const known = this.#columns(table);
      const session = table === 'sessions' ? 'id' : 'session_id';
      const present = columns.filter((column) => known.has(column));
      if (!known.has(session) || present.length === 0) continue;
      const wanted = [session, ...(index !== null && known.has(index) ? [index] : []), ...present];
      for (const row of this.#rows(`SELECT ${wanted.join(', ')} FROM ${table} ORDER BY rowid`))
        yield* textsOf(row, session, table, index, present);
    }
  }

  *#readSessions(): Generator<StoredSession> {
    const known = this.#columns('sessions');
    if (!known.has('id')) return;
    const names = ['id', 'repository', 'cwd', 'branch', 'summary', 'created_at', 'updated_at'];
    const present = names.filter((name) => known.has(name));
    for (const row of this.#rows(`SELECT ${present.join(', ')} FROM sessions ORDER BY rowid`)) {
      yield {
        id: textOf(row['id']) ?? '',
        repository: textOf(row['repository']),
        cwd: textOf(row['cwd']),
        branch: textOf(row['branch']),
        summary: textOf(row['summary']),
        createdAt: textOf(row['created_at']),
        updatedAt: textOf(row['updated_at']),
      };
    }
  }

  /** Names of a table's columns; empty when there is no such table. Table names are this file's own. */
  #columns(table: string): ReadonlySet<string> {
    return new Set([...this.#rows(`SELECT name FROM pragma_table_info('${table}')`)].map(({ name }) => String(name)));
  }

  *#rows(sql: string): Generator<Record<string, SqlValue>> {
    const statement = this.#database.prepare(sql);
    try {
      while (statement.step()) yield statement.getAsObject();
    } finally {
      statement.free();
    }
  }
}

function* textsOf(
  row: Record<string, SqlValue>,
  session: string,
  table: string,
  index: string | null,
  columns: readonly string[],
): Generator<StoredText> {
  const number = index === null ? null : row[index];
  for (const column of columns) {
    const text = textOf(row[column]);
    if (text === null || text === '') continue;
    yield {
      session: textOf(row[session]) ?? '',
      table,
      column,
      index: typeof number === 'number' ? number : null,
      text,
    };
  }
}

/** Opens a database image. Throws E_STORE_UNREADABLE when SQLite cannot read it. */
export async function openSessionStore(path: string, image: Uint8Array): Promise<SessionStore> {
  const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
  const sql = await initSqlJs({ wasmBinary: new Uint8Array(readFileSync(wasm)) });
  try {
    return new OpenStore(new sql.Database(image));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TracerError('E_STORE_UNREADABLE', { path, reason }, { cause });
  }
}
