// A file of symbols beside the program: Breakpad's text, or an ELF file with debug symbols. It belongs to one build only, so
// it is used for files with the same build-id and for no others.

import type { Attempt } from '../../proc/attempt.ts';
import { fail, succeed } from '../../proc/attempt.ts';
import { type ElfImage, parseElf } from '../elf.ts';
import { Reader } from '../reader.ts';
import { openFileSource } from '../source.ts';
import { type FoundSymbol, type SymbolLookup, searchTables } from '../symbols.ts';
import { breakpadBuildId, isBreakpad, searchBreakpad } from './breakpad.ts';

export interface SymbolFile {
  readonly path: string;
  readonly buildId: string;
  /** Functions of a program of this build. */
  readonly lookupFor: (elf: ElfImage) => SymbolLookup;
  /** Nothing is looked up after it. */
  readonly close: () => void;
}

/** A Breakpad GUID holds 16 bytes of it. */
const MIN_BUILD_ID_DIGITS = 16;

export const isOfBuild = (file: SymbolFile, elf: ElfImage): boolean => {
  const id = elf.buildId ?? '';
  return id.length >= MIN_BUILD_ID_DIGITS && (id.startsWith(file.buildId) || file.buildId.startsWith(id));
};

/** Opens it; the file stays open until it is closed. */
export function openSymbolFile(path: string): Attempt<SymbolFile> {
  const source = openFileSource(path);
  if (!source.ok) return source;
  const reader = new Reader(source.value);
  const file = isBreakpad(reader) ? asBreakpad(path, reader) : asElf(path, reader);
  if (file.ok) return succeed({ ...file.value, close: source.value.close });
  source.value.close();
  return file;
}

type OpenFile = Omit<SymbolFile, 'close'>;

function asBreakpad(path: string, reader: Reader): Attempt<OpenFile> {
  const buildId = breakpadBuildId(reader);
  if (buildId === undefined) return fail('broken', 'its MODULE line has no identifier');
  const lookupFor = (elf: ElfImage): SymbolLookup => {
    const base = elf.segments[0]?.address ?? 0;
    return (names) => {
      const found = searchBreakpad(reader, names);
      return new Map([...found].map(([name, s]) => [name, { ...s, address: s.address + base, table: 'separate' }]));
    };
  };
  return succeed({ path, buildId, lookupFor });
}

function asElf(path: string, reader: Reader): Attempt<OpenFile> {
  const file = readSymbolElf(reader);
  if (!file.ok) return file;
  const { buildId, lookup } = file.value;
  if (buildId === undefined) return fail('broken', 'it has no build-id, so it cannot be told which program it is of');
  return succeed({ path, buildId, lookupFor: () => lookup });
}

export interface SymbolElf {
  readonly machine: ElfImage['machine'];
  readonly buildId: string | undefined;
  readonly lookup: SymbolLookup;
}

/** The symbol table of an ELF file with or without code. */
export function readSymbolElf(reader: Reader): Attempt<SymbolElf> {
  const answer = parseElf(reader, false);
  if (!answer.ok) return fail('broken', `neither a Breakpad symbol file nor an ELF file with symbols (${answer.why})`);
  const { image } = answer;
  const lookup: SymbolLookup = (names) => {
    const found = new Map<string, FoundSymbol>();
    searchTables(image, names, found);
    return new Map([...found].map(([name, symbol]) => [name, { ...symbol, table: 'separate' }]));
  };
  return succeed({ machine: image.machine, buildId: image.buildId, lookup });
}
