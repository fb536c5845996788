// kTLSProtocolMethod and with it the record level: tls_open_app_data, tls_write_app_data, tls_free. Every TLS object of the
// library goes through this table of function pointers, whatever was inlined elsewhere:
//
//     +0 bool is_dtls (0)   +8 ssl_new   +16 ssl_free   …   open_app_data   write_app_data   …   (15 or more pointers)
//
// Read and write candidates are known by their error sites in ssl/s3_pkt.cc; the table is where pointers to one of each lie
// side by side. Builds with control-flow integrity point to thunks that jump to the functions.

import type { Functions } from '../code/functions.ts';
import { forEachPointer, forEachRelocation, pointerReader } from '../code/scan-data.ts';
import { type ElfImage, isCode } from '../elf.ts';
import { hasReason, type LibraryCopy, REASON, type SitedFunction, sequenceOf } from './sites.ts';

export interface MethodTable {
  readonly address: number;
  readonly openAppData: number;
  readonly writeAppData: number;
  readonly free: number;
  /** Offset of write_app_data in the table. */
  readonly writeOffset: number;
  /** Were the functions' own error sites found nowhere else? Else they are (partly) inlined and a hook would miss calls. */
  readonly isOpenComplete: boolean;
  readonly isWriteComplete: boolean;
}

export type TableAnswer = { readonly found: MethodTable } | { readonly found?: undefined; readonly why: string };

const MIN_SLOTS = 15;
const MAX_SLOTS = 24;
/** From write_app_data up to the table's start; it is slot 9 in every version. */
const MAX_WALK_UP = 14;
/** Words around a pointer whose relocations matter. */
const NEAR_BYTES = 0x200;
const WORD = 8;

export function findMethodTable(
  elf: ElfImage,
  copy: LibraryCopy,
  functions: Functions,
  writeOffset?: number,
): TableAnswer {
  const has = (...reasons: number[]): number[] =>
    copy.s3Pkt.filter((f) => reasons.every((r) => hasReason(f, r))).map((f) => f.trace.entry);
  const writes = new Set(has(REASON.badLength, REASON.protocolIsShutdown));
  const opens = new Set(has(REASON.noRenegotiation, REASON.unexpectedRecord));
  const holders = pointersTo(elf, functions, [...writes, ...opens]);
  const read = readerNear(elf, holders);
  const bases = new Set(holders.flatMap((holder) => tableStart(elf, read, holder) ?? []));
  const tables = [...bases].flatMap((base) => readTable(elf, functions, read, base, writes, opens) ?? []);
  const [table] = tables;
  if (table === undefined || tables.length !== 1) return { why: `method table: ${tables.length} fit` };
  if (writeOffset !== undefined && table.writeOffset !== writeOffset) {
    return { why: `method table: writes at ${table.writeOffset}, but SSL_write calls ${writeOffset}` };
  }
  return {
    found: {
      ...table,
      isOpenComplete: isOnlyHolder(copy.s3Pkt, table.openAppData),
      isWriteComplete: isOnlyHolder(copy.s3Pkt, table.writeAppData),
    },
  };
}

/** Words that point to one of the functions or to a thunk in front of it. */
function pointersTo(elf: ElfImage, functions: Functions, entries: readonly number[]): number[] {
  const wanted = new Set<number>();
  for (const entry of entries) {
    wanted.add(entry);
    for (const { from, isConditional } of functions.map.jumps.get(entry) ?? []) {
      if (isConditional) continue;
      wanted.add(from);
      wanted.add(from - functions.machine.landingPadBytes);
    }
  }
  if (wanted.size === 0) return [];
  const holders: number[] = [];
  // Millions of words lie in the range: a small table of hashes answers most of them before the set is asked.
  const maybe = new Uint8Array(HASHES);
  for (const address of wanted) maybe[hash(address)] = 1;
  const low = Math.min(...wanted);
  const high = Math.max(...wanted) + 1;
  forEachPointer(elf, low, high, (target, holder) => {
    if (maybe[hash(target)] === 1 && wanted.has(target)) holders.push(holder);
  });
  return holders;
}

const HASHES = 65_536;
const hash = (address: number): number => (address >>> 2) % HASHES;

type PointerReader = (address: number) => number | undefined;

function readerNear(elf: ElfImage, holders: readonly number[]): PointerReader {
  const relocated = new Map<number, number>();
  if (holders.length > 0) {
    const low = Math.min(...holders) - NEAR_BYTES;
    const high = Math.max(...holders) + NEAR_BYTES;
    forEachRelocation(elf, (holder, addend) => {
      if (holder >= low && holder < high) relocated.set(holder, addend);
    });
  }
  return pointerReader(elf, relocated);
}

/** Up over code pointers to the zero word that is `is_dtls`. */
function tableStart(elf: ElfImage, read: PointerReader, holder: number): number | undefined {
  for (let i = 1; i <= MAX_WALK_UP; i++) {
    const value = read(holder - i * WORD);
    if (value === 0) return holder - i * WORD;
    if (value === undefined || !isCode(elf, value)) return undefined;
  }
  return undefined;
}

type BareTable = Omit<MethodTable, 'isOpenComplete' | 'isWriteComplete'>;

function readTable(
  elf: ElfImage,
  functions: Functions,
  read: PointerReader,
  base: number,
  writes: ReadonlySet<number>,
  opens: ReadonlySet<number>,
): BareTable | undefined {
  const slots: number[] = [];
  while (slots.length < MAX_SLOTS) {
    const value = read(base + WORD * (slots.length + 1));
    if (value === undefined || !isCode(elf, value)) break;
    slots.push(functions.machine.throughThunk(value));
  }
  const writeSlots = slots.flatMap((entry, slot) => (writes.has(entry) ? [slot] : []));
  const [slot] = writeSlots;
  if (slots.length < MIN_SLOTS || writeSlots.length !== 1 || slot === undefined) return undefined;
  const [openAppData, writeAppData, free] = [slots[slot - 1], slots[slot], slots[1]];
  if (openAppData === undefined || writeAppData === undefined || free === undefined) return undefined;
  if (!opens.has(openAppData)) return undefined;
  return { address: base, openAppData, writeAppData, free, writeOffset: WORD * (slot + 1) };
}

const isOnlyHolder = (functions: readonly SitedFunction[], entry: number): boolean =>
  sequenceOf(functions)
    .filter((site) => [...site.functions].some((f) => f.trace.entry === entry))
    .every((site) => site.functions.size === 1);
