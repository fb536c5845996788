// Functions by name: from the dynamic symbols (hashed: a few reads); only where these have none of the names, from .symtab
// (a linear pass: 40 MB of symbols and more of names in a Node binary that was not stripped).

import { BLOCK_BYTES, findAll, forEachBlock } from './blocks.ts';
import { type DynamicTable, definedFunction, type ElfSymbol } from './dynamic.ts';
import { type ElfImage, SECTION, type Section } from './elf.ts';

export interface FoundSymbol extends ElfSymbol {
  /** `separate`: in a file beside the program. */
  readonly table: 'dynsym' | 'symtab' | 'separate';
}

/** Each wanted name that is defined as a function, once. */
export type SymbolLookup = (names: readonly string[]) => Map<string, FoundSymbol>;

const SYMBOL_BYTES = 24;

/** Places in a string table that end like one of the names. A dozen names occur a few dozen times. */
const MAX_NAME_PLACES = 10_000;

/** From the dynamic symbols, else from .symtab. */
export function findSymbols(
  image: ElfImage,
  dynamic: DynamicTable,
  names: readonly string[],
): Map<string, FoundSymbol> {
  const found = new Map<string, FoundSymbol>();
  for (const name of names) {
    const symbol = dynamic.lookup(name);
    if (symbol !== undefined) found.set(name, { ...symbol, table: 'dynsym' });
  }
  if (found.size > 0) return found;
  searchTables(image, names, found);
  return found;
}

/** The same from .symtab alone. */
export function searchTables(image: ElfImage, names: readonly string[], found: Map<string, FoundSymbol>): void {
  for (const table of image.sections.filter((s) => s.type === SECTION.symbols)) searchTable(image, table, names, found);
}

/** Names are looked up backwards: where does the name stand in the string table, then which symbol points there. Linkers
 * merge tails (`SSL_read` may be the end of `my_SSL_read`), so every occurrence with a NUL behind counts. */
function searchTable(image: ElfImage, table: Section, names: readonly string[], found: Map<string, FoundSymbol>): void {
  const strings = image.sections[table.link];
  if (strings === undefined || table.entryBytes !== SYMBOL_BYTES) return;
  const needles = names.map((name) => Buffer.from(`${name}\0`, 'latin1'));
  const nameAt = new Map<number, string>();
  for (const { at, needle } of findAll(image.reader.source, strings, needles, MAX_NAME_PLACES)) {
    const name = names[needle];
    if (name !== undefined) nameAt.set(at - strings.offset, name);
  }
  if (nameAt.size > 0) collectSymbols(image, table, nameAt, found);
}

function collectSymbols(
  image: ElfImage,
  table: Section,
  nameAt: ReadonlyMap<number, string>,
  found: Map<string, FoundSymbol>,
): void {
  // A block is no multiple of 24 bytes: the overlap makes every block begin at a symbol.
  const overlapBytes = BLOCK_BYTES % SYMBOL_BYTES;
  forEachBlock(image.reader.source, table, overlapBytes, (block) => {
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    for (let at = 0; at + SYMBOL_BYTES <= block.length; at += SYMBOL_BYTES) {
      const name = nameAt.get(view.getUint32(at, true));
      if (name === undefined || found.has(name)) continue;
      const address = Number(view.getBigUint64(at + 8, true));
      const size = Number(view.getBigUint64(at + 16, true));
      const symbol = definedFunction(name, block[at + 4], view.getUint16(at + 6, true), address, size);
      if (symbol !== undefined) found.set(name, { ...symbol, table: 'symtab' });
    }
  });
}
