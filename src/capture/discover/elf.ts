// ELF64 little-endian headers (System V gABI, chapters 4 and 5): what is where in a program file. Works from the program
// headers; sections are used where they exist, because strip and packers remove them. Hostile or cut files give a typed
// `no`, never an exception. Knows nothing of symbols' meaning or of TLS.

import type { Reader } from './reader.ts';

export const MACHINE = { x86_64: 62, aarch64: 183 } as const;

/** A loaded part of the file. */
export interface Segment {
  readonly address: number;
  readonly offset: number;
  readonly fileBytes: number;
  readonly isCode: boolean;
}

export interface Section {
  /** Where its name begins in the section that holds the names. */
  readonly nameAt: number;
  readonly type: number;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly link: number;
  readonly entryBytes: number;
}

/** Where something that is no PT_LOAD lies. */
export interface Extent {
  readonly address: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

export interface ElfImage {
  readonly reader: Reader;
  readonly machine: 'x86_64' | 'aarch64';
  /** ET_EXEC: linked at fixed addresses, so code may hold absolute 32-bit addresses. */
  readonly isFixed: boolean;
  readonly segments: readonly Segment[];
  readonly sections: readonly Section[];
  readonly dynamic: Extent | undefined;
  readonly ehFrameHeader: Extent | undefined;
  readonly buildId: string | undefined;
}

export type ElfAnswer = { readonly ok: true; readonly image: ElfImage } | { readonly ok: false; readonly why: string };

const PT = { load: 1, dynamic: 2, note: 4, ehFrame: 0x6474_e550 } as const;
const PF_EXECUTE = 1;
const NOTE_BUILD_ID = 3;

export const SECTION = { symbols: 2, relocations: 4, dynamicSymbols: 11 } as const;

/** gABI allows 65,535 program headers; linkers write a dozen. Sections: -ffunction-sections objects are not programs. */
const MAX_HEADERS = 4096;

interface ProgramHeader extends Extent {
  readonly type: number;
  readonly flags: number;
}

/** Reads the headers, or says why this is not a program that can be looked into. A file of debug symbols alone has the
 * program's headers without its code: `needsCode` false. */
export function parseElf(reader: Reader, needsCode = true): ElfAnswer {
  const no = (why: string): ElfAnswer => ({ ok: false, why });
  if (reader.u32(0) !== 0x464c_457f) return no('not an ELF file');
  if (reader.u8(4) !== 2 || reader.u8(5) !== 1) return no('not a 64-bit little-endian ELF file');
  const machine = reader.u16(18);
  if (machine !== MACHINE.x86_64 && machine !== MACHINE.aarch64) return no(`machine ${machine} is not supported`);
  const headers = readProgramHeaders(reader);
  const segments = headers.filter((h) => h.type === PT.load && h.sizeBytes > 0).map(toSegment);
  if (needsCode && !segments.some((s) => s.isCode)) return no('no code segment');
  return {
    ok: true,
    image: {
      reader,
      machine: machine === MACHINE.x86_64 ? 'x86_64' : 'aarch64',
      isFixed: reader.u16(16) === 2,
      segments,
      sections: readSections(reader),
      dynamic: headers.find((h) => h.type === PT.dynamic),
      ehFrameHeader: headers.find((h) => h.type === PT.ehFrame),
      buildId: readBuildId(reader, headers),
    },
  };
}

const toSegment = (h: ProgramHeader): Segment => ({
  address: h.address,
  offset: h.offset,
  fileBytes: h.sizeBytes,
  isCode: (h.flags & PF_EXECUTE) !== 0,
});

function readProgramHeaders(reader: Reader): ProgramHeader[] {
  const table = reader.u64(32) ?? 0;
  const step = reader.u16(54) ?? 0;
  const count = step < 56 ? 0 : Math.min(reader.u16(56) ?? 0, MAX_HEADERS);
  const headers: ProgramHeader[] = [];
  for (let i = 0; i < count; i++) {
    const at = table + i * step;
    const type = reader.u32(at);
    const flags = reader.u32(at + 4);
    const offset = reader.u64(at + 8);
    const address = reader.u64(at + 16);
    const claimed = reader.u64(at + 32);
    if (type === undefined || flags === undefined || offset === undefined) continue;
    if (address === undefined || claimed === undefined) continue;
    // A cut file keeps the sizes of the whole one.
    const sizeBytes = Math.max(0, Math.min(claimed, reader.source.sizeBytes - offset));
    headers.push({ type, flags, offset, address, sizeBytes });
  }
  return headers;
}

function readSections(reader: Reader): Section[] {
  const table = reader.u64(40) ?? 0;
  const step = reader.u16(58) ?? 0;
  const count = table === 0 || step < 64 ? 0 : Math.min(reader.u16(60) ?? 0, MAX_HEADERS);
  const sections: Section[] = [];
  for (let i = 0; i < count; i++) {
    const at = table + i * step;
    const offset = reader.u64(at + 24) ?? 0;
    const claimed = reader.u64(at + 32) ?? 0;
    // Kept even when damaged: `link` counts positions in this list.
    sections.push({
      nameAt: reader.u32(at) ?? 0,
      type: reader.u32(at + 4) ?? 0,
      offset,
      sizeBytes: Math.max(0, Math.min(claimed, reader.source.sizeBytes - offset)),
      link: reader.u32(at + 40) ?? 0,
      entryBytes: reader.u64(at + 56) ?? 0,
    });
  }
  return sections;
}

/** The first section with this name. */
export function sectionNamed({ reader, sections }: ElfImage, name: string): Section | undefined {
  const names = sections[reader.u16(62) ?? 0];
  if (names === undefined) return undefined;
  return sections.find((s) => s.nameAt < names.sizeBytes && reader.text(names.offset + s.nameAt) === name);
}

/** The NT_GNU_BUILD_ID note in hex: names this build of the program whatever its path. */
function readBuildId(reader: Reader, headers: readonly ProgramHeader[]): string | undefined {
  for (const note of headers.filter((h) => h.type === PT.note)) {
    const found = findBuildIdNote(reader, note.offset, note.offset + note.sizeBytes);
    if (found !== undefined) return found;
  }
  return undefined;
}

const alignNote = (n: number): number => (n + 3) & ~3;

function findBuildIdNote(reader: Reader, start: number, end: number): string | undefined {
  let at = start;
  for (let i = 0; i < MAX_HEADERS && at + 12 <= end; i++) {
    const nameBytes = reader.u32(at) ?? 0;
    const valueBytes = reader.u32(at + 4) ?? 0;
    // A build-id is 8 to 32 bytes in practice; a larger length is a damaged note.
    if (nameBytes > 256 || valueBytes > 65_536) return undefined;
    const valueAt = at + 12 + alignNote(nameBytes);
    if (reader.u32(at + 8) === NOTE_BUILD_ID && reader.text(at + 12) === 'GNU' && valueBytes <= 64) {
      const value = reader.bytes(valueAt, valueBytes);
      return value && Buffer.from(value).toString('hex');
    }
    at = valueAt + alignNote(valueBytes);
  }
  return undefined;
}

/** File offset of a virtual address, the number that a uprobe wants (never the address itself). */
export function offsetOf(image: ElfImage, address: number): number | undefined {
  const s = image.segments.find((s) => address >= s.address && address < s.address + s.fileBytes);
  return s && address - s.address + s.offset;
}

export function addressOf(image: ElfImage, offset: number): number | undefined {
  const s = image.segments.find((s) => offset >= s.offset && offset < s.offset + s.fileBytes);
  return s && offset - s.offset + s.address;
}

/** Segments that hold data. Linkers before 2018, and some settings since, put read-only data and code into one segment: it
 * then begins with the file's own header. */
export const dataSegments = (image: ElfImage): readonly Segment[] =>
  image.segments.filter((s) => !s.isCode || s.offset === 0);

/** 0 is the null pointer, also where a code segment with the file's header begins there. */
export const isCode = (image: ElfImage, address: number): boolean =>
  address !== 0 && image.segments.some((s) => s.isCode && address >= s.address && address < s.address + s.fileBytes);
