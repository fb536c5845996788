// ssl_read and ssl_write of the method tables (ssl3_read and ssl3_write in the source): the level below SSL_read and SSL_write,
// which no caller can have inlined, because it is called through a table. Link-time optimisation may leave nothing else whole.
//
// Right or silent. The tables of all TLS versions, client and server, are the same but for ssl_accept and ssl_connect, of which
// a client's table and a server's have the same "undefined" function each: that tells the layout. ssl_write must hand
// (ssl, 23 = application data, buf, num, done) to the same table's ssl_write_bytes, ssl_read likewise, not peeking. And the
// functions must be reached through such tables only: a build that compares the pointer with the function's address, to
// inline it there (profile-guided), holds that address elsewhere, too.

import { findAll } from '../blocks.ts';
import type { Functions } from '../code/functions.ts';
import type { Machine } from '../code/machine.ts';
import { forEachPointer } from '../code/scan-data.ts';
import { type Call, isArg, type Value } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';
import { readDynamic } from '../dynamic.ts';
import { addressOf, type ElfImage, offsetOf } from '../elf.ts';
import { LAYOUTS, type MethodLayout } from './layouts.ts';
import { ANY_VERSION, type MethodTableData, readTables, slotAt, slotIndex, tablesAt } from './method-tables.ts';

export interface Methods {
  readonly read: number;
  readonly write: number;
  readonly free: number;
}

export type MethodsAnswer =
  | { readonly found: Methods; readonly why?: undefined }
  | { readonly found?: undefined; readonly why: string };

/** TLS 1.0 to 1.3. OpenSSL's table of versions refers to client and server of each, whatever a program uses. */
const TLS_VERSIONS = new Set([ANY_VERSION, 0x301, 0x302, 0x303, 0x304]);

/** Up to ssl_ctrl, which follows the last function that matters here; every known table has more. */
const SLOTS = 17;

const APPLICATION_DATA = 23;

export function findMethods(elf: ElfImage, functions: Functions): MethodsAnswer {
  const tables = readTables(elf, TLS_VERSIONS, SLOTS);
  const families = LAYOUTS.flatMap((layout) => familiesOf(tables, layout).map((table) => ({ table, layout })));
  const [family] = families;
  if (family === undefined || families.length !== 1) return { why: `method tables: ${families.length} families fit` };
  const { table, layout } = family;
  const [read = 0, write = 0, free = 0] = [layout.read, layout.write, layout.free].map((at) => slotAt(table, at));
  if (!writesData(functions, write, layout)) return { why: 'ssl_write of the method table has another shape' };
  if (!readsData(functions, read, layout)) return { why: 'ssl_read of the method table has another shape' };
  const isComplete = isOnlyInTables(elf, functions.machine, read, layout.read);
  if (!isComplete || !isOnlyInTables(elf, functions.machine, write, layout.write))
    return { why: 'the method table’s functions may be inlined elsewhere' };
  return { found: { read, write, free } };
}

/** One table of each family: tables that differ in ssl_accept and ssl_connect only, and in these as client and server do. */
function familiesOf(tables: readonly MethodTableData[], layout: MethodLayout): MethodTableData[] {
  const families = new Map<string, MethodTableData[]>();
  for (const table of tables) {
    const own = [layout.accept, layout.connect].map(slotIndex);
    const key = table.slots.filter((_, i) => !own.includes(i)).join();
    families.set(key, [...(families.get(key) ?? []), table]);
  }
  return [...families.values()].filter((family) => hasBothSides(family, layout)).flatMap(([table]) => table ?? []);
}

function hasBothSides(family: readonly MethodTableData[], layout: MethodLayout): boolean {
  const sides = family.map((table) => ({
    accept: slotAt(table, layout.accept),
    connect: slotAt(table, layout.connect),
  }));
  return sides.some((client) =>
    sides.some(
      (server) =>
        client.accept === server.connect && client.accept !== client.connect && server.accept !== server.connect,
    ),
  );
}

const isConst = (value: Value | undefined, wanted: number): boolean =>
  value?.kind === 'const' && value.value === wanted;

/** `ssl->method->…` at this offset of the table. */
function goesThrough({ through }: Call, layout: MethodLayout, offset: number): boolean {
  const table = through?.base;
  return (
    through?.disp === offset && table?.kind === 'load' && isArg(table.base, 0) && table.disp === layout.methodField
  );
}

/** ssl_write_bytes(ssl, 23, buf, num, done). */
function writesData(functions: Functions, entry: number, layout: MethodLayout): boolean {
  return traceOf(functions, entry).calls.some(
    (call) =>
      goesThrough(call, layout, layout.writeBytes) &&
      isArg(call.args[0], 0) &&
      isConst(call.args[1], APPLICATION_DATA) &&
      [1, 2, 3].every((n) => isArg(call.args[n + 1], n)),
  );
}

/** ssl_read_bytes(ssl, 23, NULL, buf, num, peek = 0, done), in the function itself or in the one that it hands its arguments
 * to, together with the 0. */
function readsData(functions: Functions, entry: number, layout: MethodLayout): boolean {
  const { calls } = traceOf(functions, entry);
  if (calls.some((call) => isRead(call, layout) && isConst(call.args[5], 0))) return true;
  return [...calls, ...tailCall(functions, entry)].some(({ target, args }) => {
    if (target === undefined || ![0, 1, 2].every((n) => isArg(args[n], n))) return false;
    return traceOf(functions, target).calls.some((call) => {
      const peek = call.args[5];
      return isRead(call, layout) && isConst(peek?.kind === 'arg' ? args[peek.index] : peek, 0);
    });
  });
}

/** Instructions of a function that puts its arguments in order for another one. */
const MAX_HANDING_ON = 12;

/** The jump at the end of a function that hands its arguments on and does nothing else, but for checks on the way: followed as
 * control flow, what it jumps to would be taken for a part of this function. */
function tailCall({ machine }: Functions, entry: number): Pick<Call, 'target' | 'args'>[] {
  const state = machine.entryState();
  const trace = { calls: [], loads: [], stores: [] };
  let at = machine.throughThunk(entry);
  for (let i = 0; i < MAX_HANDING_ON; i++) {
    const instruction = machine.decode(at);
    const flow = instruction?.execute(state, trace);
    if (instruction === undefined || flow === undefined) return [];
    if (flow.kind === 'jump') return [{ target: flow.target, args: machine.argsOf(state) }];
    if (flow.kind !== 'next' && flow.kind !== 'branch') return [];
    at += instruction.length;
  }
  return [];
}

const isRead = (call: Call, layout: MethodLayout): boolean =>
  goesThrough(call, layout, layout.readBytes) &&
  isArg(call.args[0], 0) &&
  isConst(call.args[1], APPLICATION_DATA) &&
  isConst(call.args[2], 0) &&
  isArg(call.args[3], 1) &&
  isArg(call.args[4], 2);

const traceOf = (functions: Functions, entry: number): FunctionTrace =>
  functions.trace(functions.machine.throughThunk(entry));

/** Do all pointers to the function stand in method tables (of DTLS, too), and does no code form its address? */
function isOnlyInTables(elf: ElfImage, machine: Machine, entry: number, offset: number): boolean {
  const holders = new Set<number>();
  forEachPointer(elf, entry, entry + 1, (_, holder) => holders.add(holder));
  const isRelocation = relocationAddresses(elf);
  const bases = [...holders].filter((at) => !isRelocation(at) && !isSymbol(elf, at)).map((at) => at - offset);
  if (tablesAt(elf, bases, SLOTS).length !== bases.length) return false;
  const isFormed = machine.scanReferences([{ low: entry, high: entry + 1 }]).length > 0;
  return !isFormed && !(elf.isFixed && codeHoldsNumber(elf, entry, holders));
}

/** Relocations lie among the data, and hold the addresses that they put elsewhere. */
function relocationAddresses(elf: ElfImage): (address: number) => boolean {
  const { relocations } = readDynamic(elf);
  const low = relocations && addressOf(elf, relocations.offset);
  return (address) => low !== undefined && address >= low && address < low + (relocations?.sizeBytes ?? 0);
}

const STT_FUNC = 2;
const MAX_VISIBILITY = 3;

/** Does the word stand in a dynamic symbol: u32 name, u8 type, u8 visibility, u16 section, *u64 address*, u64 size? An address
 * or a number in front of it would have zeros in place of the type. */
function isSymbol(elf: ElfImage, holder: number): boolean {
  const at = offsetOf(elf, holder - 4);
  const [type = 0, visibility = 0] = at === undefined ? [] : (elf.reader.bytes(at, 2) ?? []);
  return (type & 0xf) === STT_FUNC && visibility <= MAX_VISIBILITY;
}

/** At fixed addresses any instruction may hold an address as a number. Data that shares a segment with code is known. */
function codeHoldsNumber(elf: ElfImage, address: number, known: ReadonlySet<number>): boolean {
  // Above 4 GiB it would be one of eight bytes: not looked for, and so not ruled out.
  if (address > 0xffff_ffff) return true;
  const number = Buffer.alloc(4);
  number.writeUInt32LE(address);
  return elf.segments
    .filter((segment) => segment.isCode)
    .some((segment) => {
      const extent = { offset: segment.offset, sizeBytes: segment.fileBytes };
      const places = findAll(elf.reader.source, extent, [number], known.size + 1);
      return places.some(({ at }) => !known.has(segment.address + at - segment.offset));
    });
}
