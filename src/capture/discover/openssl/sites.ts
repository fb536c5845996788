// OpenSSL's error sites, by which its functions are known in stripped programs. Each names the function it stands in:
//
//     3.x     ERR_set_debug("…/ssl/ssl_lib.c", line, "ssl_read_internal")
//     1.1.1   ERR_put_error(20 /* ERR_LIB_SSL */, 523 /* SSL_F_SSL_READ_INTERNAL */, reason, "…/ssl/ssl_lib.c", line)
//
// A function that holds such a call *is* the named one, or has it inlined.
//
// LIMITS: before 1.1.1 there were no internal functions, and the public ones had another shape.

import { inRanges, type Range } from '../code/machine.ts';
import { machineOf } from '../code/machine-of.ts';
import type { Value } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';
import type { ElfImage } from '../elf.ts';
import { offsetOf } from '../elf.ts';
import type { ProgramImage } from '../image.ts';
import type { AnchorName } from '../strings.ts';
import { textRanges } from '../text-ranges.ts';

/** The functions that matter: the internal ones carry the data, the public ones return the count. */
export type SitedName = 'SSL_read' | 'SSL_write' | 'ssl_read_internal' | 'ssl_write_internal';

export interface OpenSslSites {
  /** Code that forms the address of a site's text. */
  readonly places: readonly number[];
  readonly holds: (trace: FunctionTrace, name: SitedName) => boolean;
  /** Might a place that lies in no recognised function be a site of an internal one? Then its data could go unseen. */
  readonly matters: (place: number) => boolean;
}

const ANCHORS: Readonly<Record<SitedName, AnchorName>> = {
  SSL_read: 'opensslRead',
  SSL_write: 'opensslWrite',
  ssl_read_internal: 'opensslReadInternal',
  ssl_write_internal: 'opensslWriteInternal',
};

/** SSL_F_… in OpenSSL 1.1.1's sslerr.h. */
const CODES: Readonly<Record<SitedName, number>> = {
  SSL_read: 223,
  SSL_write: 208,
  ssl_read_internal: 523,
  ssl_write_internal: 524,
};

const NAMES: readonly SitedName[] = ['SSL_read', 'SSL_write', 'ssl_read_internal', 'ssl_write_internal'];

/**
 * The forms that the sites may have, to be tried in this order. 1.1.1 has the names, too, in a table of texts for its numbers;
 * so where no version is told, only the code can decide.
 */
export function siteForms(image: ProgramImage, version: string | undefined): readonly (() => OpenSslSites)[] {
  const hasNames = NAMES.some((name) => image.anchors().has(ANCHORS[name]));
  const named = hasNames ? [() => namedSites(image)] : [];
  if (version === undefined) return [...named, () => numberedSites(image)];
  return version.startsWith('1.1.1') ? [() => numberedSites(image)] : named;
}

function namedSites(image: ProgramImage): OpenSslSites {
  const paths = textRanges(image, 'opensslLib');
  const ranges = new Map(NAMES.map((name) => [name, nameRanges(image, ANCHORS[name])]));
  const holds = (trace: FunctionTrace, name: SitedName): boolean =>
    trace.calls.some(({ args: [file, , text] }) => isIn(paths, file) && isIn(ranges.get(name) ?? [], text));
  // GCC for AArch64 forms the address of a function's name from that of something near it (section anchors): only the path
  // then leads to the site.
  const byPath = image.elf.machine === 'aarch64' ? paths : [];
  const references = machineOf(image.elf).scanReferences([...[...ranges.values()].flat(), ...byPath]);
  const inner = [...(ranges.get('ssl_read_internal') ?? []), ...(ranges.get('ssl_write_internal') ?? [])];
  const mattering = new Set(references.filter((r) => inRanges([...inner, ...byPath], r.target)).map((r) => r.at));
  return { places: references.map((r) => r.at), holds, matters: (place) => mattering.has(place) };
}

const isIn = (ranges: readonly Range[], value: Value | undefined): boolean =>
  value?.kind === 'const' && inRanges(ranges, value.value);

/** The address behind each anchor's NUL. */
const nameRanges = (image: ProgramImage, name: AnchorName): Range[] =>
  textRanges(image, name).map(({ high }) => ({ low: high, high: high + 1 }));

const LIBRARY_SSL = 20;

function numberedSites(image: ProgramImage): OpenSslSites {
  const paths = textRanges(image, 'opensslLib');
  const isConstant = (value: Value | undefined, wanted: number): boolean =>
    value?.kind === 'const' && value.value === wanted;
  const holds = (trace: FunctionTrace, name: SitedName): boolean =>
    trace.calls.some(
      ({ args: [library, code, , file] }) =>
        isConstant(library, LIBRARY_SSL) && isConstant(code, CODES[name]) && isIn(paths, file),
    );
  const references = machineOf(image.elf).scanReferences(paths);
  return { places: references.map((r) => r.at), holds, matters: (place) => hasInnerCode(image.elf, place) };
}

/** Arguments of one call are set within this distance of each other, whatever the compiler put in between. */
const NEAR_BYTES = 256;

/** Is one of the internal functions' codes loaded into the second argument's register near the place? */
function hasInnerCode(elf: ElfImage, place: number): boolean {
  const at = offsetOf(elf, Math.max(0, place - NEAR_BYTES));
  const code = at === undefined ? undefined : elf.reader.bytes(at, 2 * NEAR_BYTES);
  if (code === undefined) return true;
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length);
  return [CODES.ssl_read_internal, CODES.ssl_write_internal].some((n) => bytes.includes(setSecondArgument(elf, n)));
}

/** `mov esi, n` or `mov w1, #n`. */
function setSecondArgument(elf: ElfImage, n: number): Buffer {
  const bytes = Buffer.alloc(5, 0xbe);
  if (elf.machine === 'x86_64') bytes.writeUInt32LE(n, 1);
  else bytes.writeUInt32LE(0x5280_0001 + n * 32, 0);
  return elf.machine === 'x86_64' ? bytes : bytes.subarray(0, 4);
}
