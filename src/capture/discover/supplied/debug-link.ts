// A program's debug link: the section .gnu_debuglink holds the name of the file with its debug symbols and that file's CRC-32
// (GDB manual, "Separate Debug Files"). GDB looks next to the program, in .debug beside it, and below the debug folder under
// the program's own path; so do we, in the file system that the process sees.
//
// The name and what lies there are the program's owner's: the name is a name without a way, only regular files are opened, reads
// are bounded, and a file whose checksum differs is of another build: refused, and said.

import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readLink } from '../../proc/attempt.ts';
import { forEachBlock } from '../blocks.ts';
import { type ElfImage, sectionNamed } from '../elf.ts';
import { Reader } from '../reader.ts';
import { type ByteSource, openForeignFile } from '../source.ts';
import type { SymbolLookup } from '../symbols.ts';
import { readSymbolElf } from './symbol-file.ts';

export interface DebugSymbols {
  readonly lookup: SymbolLookup | undefined;
  /** Files that should have had them, with the reason: `PATH: why`. */
  readonly refused: readonly string[];
  /** Closes the file that `lookup` reads. */
  readonly close: () => void;
}

const noSymbols = (refused: readonly string[]): DebugSymbols => ({ lookup: undefined, refused, close: () => {} });

export interface DebugLink {
  readonly name: string;
  readonly crc: number;
}

/** A file name of Linux (NAME_MAX), its NUL, padding and the checksum. */
const MAX_LINK_BYTES = 255 + 1 + 3 + 4;

/** Debug files of browsers reach 2 GB, those of programs with OpenSSL in them some 100 MB; a checksum takes 1 s per GB. */
const MAX_DEBUG_BYTES = 1024 * 1024 * 1024;

/** What the section says; undefined when there is none, or its name leads elsewhere. */
export function readDebugLink(elf: ElfImage): DebugLink | undefined {
  const section = sectionNamed(elf, '.gnu_debuglink');
  if (section === undefined || section.sizeBytes > MAX_LINK_BYTES) return undefined;
  const name = elf.reader.text(section.offset) ?? '';
  const crcAt = (Buffer.byteLength(name, 'latin1') + 4) & ~3;
  const crc = crcAt + 4 > section.sizeBytes ? undefined : elf.reader.u32(section.offset + crcAt);
  return crc === undefined || !/^(?!\.\.?$)[^/]+$/.test(name) ? undefined : { name, crc };
}

/** The symbols in the file that the program's debug link names. */
export function symbolsByDebugLink(elf: ElfImage, debugDirs: readonly string[]): DebugSymbols {
  const refused: string[] = [];
  const link = readDebugLink(elf);
  const program = link && programPlace(elf.reader.source.path ?? '');
  if (link === undefined || program === undefined) return noSymbols(refused);
  // A stripped program may still link to what its name was before: to itself.
  const paths = debugLinkPaths(program, link.name, debugDirs).filter((path) => path !== program.path);
  for (const path of paths) {
    const answer = openLinked(elf, link, join(program.root, path));
    if (typeof answer === 'object') return { ...answer, refused };
    if (answer !== undefined) refused.push(`${path}: ${answer}`);
  }
  return noSymbols(refused);
}

/** Where GDB looks, in its order. */
export function debugLinkPaths({ path }: ProgramPlace, name: string, debugDirs: readonly string[]): string[] {
  const directory = dirname(path);
  return [
    join(directory, name),
    join(directory, '.debug', name),
    ...debugDirs.map((dir) => join(dir, directory, name)),
  ];
}

export interface ProgramPlace {
  /** The root of the file system in which the path is meant; empty for our own. */
  readonly root: string;
  readonly path: string;
}

/** From the way by which a program was opened. A deleted program has no place, nor has one without a name (memfd). */
export function programPlace(opened: string): ProgramPlace | undefined {
  const [, root, kind, path = ''] = /^(\/proc\/\d+\/)(exe$|map_files\/|root)(.*)$/.exec(opened) ?? [];
  if (kind === undefined) return opened.startsWith('/') ? { root: '', path: opened } : undefined;
  if (kind === 'root') return { root: `${root}root`, path };
  const link = readLink(opened);
  const isPlace = link.ok && link.value.startsWith('/') && !/ \(deleted\)$|^\/memfd:/.test(link.value);
  return isPlace ? { root: `${root}root`, path: link.value } : undefined;
}

type OpenSymbols = Pick<DebugSymbols, 'lookup' | 'close'>;

/** The symbols, or why the file is refused; undefined when there is none. */
function openLinked(elf: ElfImage, link: DebugLink, path: string): OpenSymbols | string | undefined {
  const source = openForeignFile(path);
  if (!source.ok) return source.why === 'gone' ? undefined : 'it cannot be read';
  const lookup = readLinked(elf, link, source.value);
  if (typeof lookup === 'function') return { lookup, close: source.value.close };
  source.value.close();
  return lookup;
}

function readLinked(elf: ElfImage, link: DebugLink, source: ByteSource): SymbolLookup | string {
  if (source.sizeBytes > MAX_DEBUG_BYTES) return 'it is larger than 1 GiB';
  if (checksum(source) !== link.crc) return 'of another build, its checksum is not that of the program’s debug link';
  const file = readSymbolElf(new Reader(source));
  if (!file.ok) return file.detail;
  const { buildId, machine, lookup } = file.value;
  const isOther = buildId !== undefined && elf.buildId !== undefined && buildId !== elf.buildId;
  return isOther || machine !== elf.machine ? 'of another build' : lookup;
}

function checksum(source: ByteSource): number {
  let sum = 0;
  forEachBlock(source, { offset: 0, sizeBytes: source.sizeBytes }, 0, (block) => {
    sum = crc32(block, sum);
  });
  return sum;
}
