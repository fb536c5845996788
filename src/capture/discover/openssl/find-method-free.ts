// The function behind `ssl->method->ssl_free`, which ends every TLS connection. It has no error site; it is found in the
// method tables themselves: those for "any TLS version" (generic, client, server) share their ssl_free, ssl_read and ssl_write.

import type { ElfImage } from '../elf.ts';
import type { MethodLayout } from './layouts.ts';
import { ANY_VERSION, readTables, slotAt } from './method-tables.ts';

/** Every known table has more function pointers in a row. */
const MIN_SLOTS = 14;
/** Generic, client and server; a program that uses only the first still links all three. */
const MIN_TABLES = 2;

/** The ssl_free that several tables share together with ssl_read and ssl_write; nothing when that is not exactly one. A
 * stray table of numbers that look like addresses shares nothing with the others. */
export function findMethodFree(elf: ElfImage, layout: MethodLayout): number | undefined {
  const groups = new Map<string, { free: number | undefined; tables: number }>();
  for (const table of readTables(elf, new Set([ANY_VERSION]), MIN_SLOTS)) {
    const [free, ...others] = [layout.free, layout.read, layout.write].map((offset) => slotAt(table, offset));
    const key = [free, ...others].join();
    groups.set(key, { free, tables: (groups.get(key)?.tables ?? 0) + 1 });
  }
  const [only, ...more] = [...groups.values()].filter((group) => group.tables >= MIN_TABLES);
  return more.length === 0 ? only?.free : undefined;
}
