// Breakpad symbol files (docs/symbol_files.md of the Breakpad project), as Chromium and Electron publish them. Lines:
//
//     MODULE Linux x86_64 <GUID><age> name      the GUID is made of the build-id's first 16 bytes
//     INFO CODE_ID <whole build-id>
//     FUNC [m] address size parameter-size name
//     PUBLIC [m] address parameter-size name
//
// Addresses count from the program's first loaded segment. C++ names are demangled, with parameters. Files reach some
// 800 MB, so names are searched and lines are not parsed one by one.

import { findAll } from '../blocks.ts';
import type { ElfSymbol } from '../dynamic.ts';
import type { Reader } from '../reader.ts';

/** MODULE and INFO lines stand at the beginning. */
const HEAD_BYTES = 4096;

/** The head of a line, before the name: three hexadecimal numbers. */
const LINE_HEAD_BYTES = 80;

/** A dozen names occur once each, plus in inline records. */
const MAX_PLACES = 10_000;

const headOf = (reader: Reader): string =>
  Buffer.from(reader.bytes(0, Math.min(HEAD_BYTES, reader.source.sizeBytes)) ?? []).toString('latin1');

export const isBreakpad = (reader: Reader): boolean => headOf(reader).startsWith('MODULE ');

/** The build-id, whole or its first 16 bytes, in hex. */
export function breakpadBuildId(reader: Reader): string | undefined {
  const head = headOf(reader);
  const codeId = /^INFO CODE_ID ([0-9A-Fa-f]+)/m.exec(head)?.[1];
  if (codeId !== undefined) return codeId.toLowerCase();
  const [, a, b, c, rest] = /^MODULE \S+ \S+ (\w{8})(\w{4})(\w{4})(\w{16})/.exec(head) ?? [];
  if (a === undefined || b === undefined || c === undefined || rest === undefined) return undefined;
  // The first three fields of a GUID are little-endian.
  const swapped = [a, b, c].map((field) => (field.match(/../g) ?? []).reverse().join(''));
  return [...swapped, rest].join('').toLowerCase();
}

/**
 * Functions by name, with addresses from the first loaded segment on. A C function is named plainly; a name that ends in `(`
 * stands for a C++ function with any parameters. The symbol's own name is the whole text.
 */
export function searchBreakpad(reader: Reader, names: readonly string[]): Map<string, ElfSymbol> {
  const forms = names.flatMap((name) =>
    (name.endsWith('(') ? [` ${name}`] : [` ${name}\n`, ` ${name}(`]).map((text) => ({ name, text })),
  );
  const needles = forms.map(({ text }) => Buffer.from(text, 'latin1'));
  const extent = { offset: 0, sizeBytes: reader.source.sizeBytes };
  const found = new Map<string, ElfSymbol[]>();
  for (const { at, needle } of findAll(reader.source, extent, needles, MAX_PLACES)) {
    const name = forms[needle]?.name;
    const symbol = symbolAt(reader, at);
    if (name !== undefined && symbol !== undefined) found.set(name, [...(found.get(name) ?? []), symbol]);
  }
  // Two functions of one name are not told apart: neither is taken.
  const isSame = ([first, ...others]: readonly ElfSymbol[]): boolean =>
    others.every((s) => s.address === first?.address);
  return new Map([...found].flatMap(([name, all]) => (isSame(all) && all[0] !== undefined ? [[name, all[0]]] : [])));
}

/** The function whose line has its name behind the space at `at`. */
function symbolAt(reader: Reader, at: number): ElfSymbol | undefined {
  const room = Math.min(LINE_HEAD_BYTES, at);
  const before = Buffer.from(reader.bytes(at - room, room) ?? []).toString('latin1');
  const head = before.slice(before.lastIndexOf('\n') + 1);
  const [, address, size] =
    /^FUNC (?:m )?([0-9a-f]+) ([0-9a-f]+) [0-9a-f]+$/.exec(head) ??
    /^PUBLIC (?:m )?([0-9a-f]+) [0-9a-f]+$/.exec(head) ??
    [];
  if (address === undefined) return undefined;
  const room2 = Math.min(MAX_NAME_BYTES, reader.source.sizeBytes - at - 1);
  const name =
    Buffer.from(reader.bytes(at + 1, room2) ?? [])
      .toString('latin1')
      .split('\n', 1)[0] ?? '';
  return { name, address: Number.parseInt(address, 16), sizeBytes: Number.parseInt(size ?? '0', 16) };
}

/** Parameters of the functions sought are short; of longer ones the beginning tells enough. */
const MAX_NAME_BYTES = 512;
