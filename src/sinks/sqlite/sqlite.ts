// A recording as a SQLite database, for questions in SQL. SQLite itself runs as WebAssembly: nothing to compile, and the
// same on every version of Node.

import type { Database } from 'node-sqlite3-wasm';
import { TracerError } from '../../errors.ts';
import type { CallEvent, TraceEvent } from '../../model/index.ts';
import type { ExportFormat, OpenExport, TurnFacts } from '../export.ts';
import {
  type Cell,
  callRow,
  connectionRow,
  findingRow,
  headerRows,
  lossRow,
  processRow,
  type Row,
  toolRows,
} from './rows.ts';
import { INDEXES, SCHEMA } from './schema.ts';

type Statement = ReturnType<Database['prepare']>;

const toValue = (cell: Cell): string | number | bigint | null =>
  cell === undefined ? null : typeof cell === 'boolean' ? Number(cell) : cell;

class Tables implements OpenExport {
  readonly #path: string;
  readonly #db: Database;
  /** By their text: a handful, for rows of a table have the same columns. */
  readonly #statements = new Map<string, Statement>();

  constructor(path: string, db: Database) {
    this.#path = path;
    this.#db = db;
    this.#guard(() => this.#db.exec(`${SCHEMA} begin;`));
  }

  call(call: CallEvent): void {
    this.#insert('calls', callRow(call));
    for (const row of headerRows(call)) this.#insert('headers', row);
    for (const row of toolRows(call)) this.#insert('tool_calls', row);
  }

  event(event: Exclude<TraceEvent, CallEvent>): void {
    if (event.type === 'process') this.#insert('processes', processRow(event));
    else if (event.type === 'connection') this.#upsertConnection(connectionRow(event));
    else if (event.type === 'loss') this.#insert('losses', lossRow(event));
    else if (event.type === 'finding') this.#insert('findings', findingRow(event));
  }

  turns(turns: readonly TurnFacts[]): void {
    for (const turn of turns) {
      for (const id of turn.calls)
        this.#run('update calls set conversation = ?, turn = ? where id = ?', [turn.conversation, turn.id, id]);
    }
  }

  async end(): Promise<void> {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#guard(() => this.#db.exec(`commit; ${INDEXES}`));
    this.#db.close();
  }

  #insert(table: string, row: Row): void {
    const columns = Object.keys(row);
    const names = columns.map((name) => `"${name}"`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    this.#run(`insert or replace into ${table} (${names}) values (${marks})`, Object.values(row));
  }

  #upsertConnection(row: Row): void {
    const columns = Object.keys(row);
    const sets = columns.filter((name) => name !== 'id').map((name) => `"${name}" = excluded."${name}"`);
    const names = columns.map((name) => `"${name}"`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const text = `insert into connections (${names}) values (${marks}) on conflict (id) do update set ${sets.join(', ')}`;
    this.#run(text, Object.values(row));
  }

  #run(text: string, cells: readonly Cell[]): void {
    const statement = this.#statements.get(text) ?? this.#db.prepare(text);
    this.#statements.set(text, statement);
    this.#guard(() => statement.run(cells.map(toValue)));
  }

  #guard(work: () => unknown): void {
    try {
      work();
    } catch (cause) {
      throw new TracerError('E_EXPORT_FULL', { path: this.#path, reason: (cause as Error).message }, { cause });
    }
  }
}

export const sqliteExport: ExportFormat = {
  name: 'sqlite',
  flag: 'sqlite',
  argument: 'file',
  description: 'SQLite database of calls, headers, tool calls, connections, processes',
  isRaw: false,
  async open(target, host) {
    // SQLite takes an empty file for a new database: so it is made, and closed to others, as every export is.
    host.openFile(target).close();
    // Loaded when it is wanted: its WebAssembly is compiled at once.
    const { default: sqlite } = await import('node-sqlite3-wasm');
    return new Tables(target, new sqlite.Database(target));
  },
};
