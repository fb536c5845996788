// The part of sql.js (MIT, SQLite compiled to WebAssembly) that is used; the package has no types of its own.
declare module 'sql.js' {
  export type SqlValue = string | number | Uint8Array | null;
  export interface Statement {
    bind(values: readonly SqlValue[]): boolean;
    step(): boolean;
    get(): SqlValue[];
    getAsObject(): Record<string, SqlValue>;
    free(): boolean;
  }
  export interface Database {
    prepare(sql: string): Statement;
    close(): void;
  }
  export interface SqlJs {
    readonly Database: new (file: Uint8Array) => Database;
  }
  export default function initSqlJs(options?: { readonly wasmBinary?: ArrayBuffer | Uint8Array }): Promise<SqlJs>;
}
