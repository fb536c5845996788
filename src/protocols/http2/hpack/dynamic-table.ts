// The dynamic table of HPACK (RFC 7541 §2.3.2, §4), also for a connection that was joined late.
//
// Index i counts from the newest entry, so an entry inserted since joining is found exactly, whatever was before. Every
// entry has a position (0, 1, 2… in the order of insertion since joining; negative before): position = inserted - i.
// While the past is unknown, sizes are lower bounds and the table keeps everything that may still be there: an entry
// goes only when the newer ones certainly fill the table. What lies before the kept entries is an explicit unknown.
//
// LIMITS: TABLE_CAP_BYTES whatever was negotiated; LATE_TABLE_BYTES while the true size is unknown; MAX_OLDER unknowns.

import type { HeaderField } from '../../../model/index.ts';

/** RFC 9113 §6.5.2: initial SETTINGS_HEADER_TABLE_SIZE. */
export const DEFAULT_TABLE_BYTES = 4096;
/** Negotiated sizes seen in practice end at 64 KiB; above this bound old entries become unknown instead of memory. */
export const TABLE_CAP_BYTES = 1 << 20;
/** Kept while the encoder's table size is unknown: what Chromium, the largest user, announces. */
export const LATE_TABLE_BYTES = 65_536;
/** Unknown older entries that are remembered by position, so that a name learned later reaches every use. */
const MAX_OLDER = 2048;
/** RFC 7541 §4.1: what an entry costs beside its octets. */
const ENTRY_OVERHEAD_BYTES = 32;
/** Dead slots at the front before the array is moved up. */
const COMPACT_SLOTS = 256;

/**
 * One entry. `name` or `value` is null when not known; `nameFrom` is the unknown entry from before joining that lends
 * its name (never an entry that itself borrows: no chains).
 */
export interface Entry {
  readonly pair: HeaderField | null;
  name: string | null;
  readonly value: string | null;
  readonly nameFrom: Entry | null;
  readonly sizeBytes: number;
}

/** The entry that owns the name of `entry`. */
export const nameOwner = (entry: Entry): Entry => entry.nameFrom ?? entry;

/** The name, if known by now: unknown entries may learn it. */
export const entryName = (entry: Entry): string | null => nameOwner(entry).name;

export class DynamicTable {
  /** Kept entries are `slots[first…]`, oldest first. */
  private slots: Entry[] = [];
  private first = 0;
  /** Sum of the kept entries' sizes; a lower bound when a name in it is unknown. */
  private sizeBytes = 0;
  /** Insertions since the past was last forgotten. */
  private inserted = 0;
  private older = new Map<number, Entry>();
  /** Size that the encoder announced last; undefined: before joining. */
  private maxBytes: number | undefined = DEFAULT_TABLE_BYTES;
  /** True while the kept entries are the whole table. */
  private whole = true;

  get isWhole(): boolean {
    return this.whole;
  }

  /** The past is not known (joined late, or a header block was lost): kept entries can no longer be counted. */
  forget(): void {
    this.slots = [];
    this.first = 0;
    this.sizeBytes = 0;
    this.inserted = 0;
    this.older = new Map();
    this.maxBytes = undefined;
    this.whole = false;
  }

  /** Entry at dynamic index `index` (1 is the newest); undefined when the table certainly has none there. */
  get(index: number): Entry | undefined {
    const slot = this.slots.length - index;
    if (slot >= this.first) return this.slots[slot];
    if (this.whole || index > TABLE_CAP_BYTES / ENTRY_OVERHEAD_BYTES) return undefined;
    return this.olderAt(this.inserted - index);
  }

  insert(name: string | null, value: string, nameFrom: Entry | null, pair: HeaderField | null): void {
    const sizeBytes = ENTRY_OVERHEAD_BYTES + (name === null ? 0 : name.length) + value.length;
    this.inserted++;
    this.slots.push({ pair, name, value, nameFrom, sizeBytes });
    this.sizeBytes += sizeBytes;
    if (name === null) this.whole = false;
    this.evict();
  }

  /** Dynamic table size update (§6.3). A table of size zero is empty, so from there on everything is known. */
  resize(maxBytes: number): void {
    this.maxBytes = maxBytes;
    this.evict();
    if (maxBytes < ENTRY_OVERHEAD_BYTES) this.whole = true;
  }

  private evict(): void {
    const keepBytes = Math.min(this.maxBytes ?? LATE_TABLE_BYTES, TABLE_CAP_BYTES);
    while (this.sizeBytes > keepBytes) {
      this.sizeBytes -= (this.slots[this.first] as Entry).sizeBytes;
      this.first++;
    }
    if ((this.maxBytes ?? 0) > TABLE_CAP_BYTES && this.first > 0) this.whole = false;
    if (this.first >= COMPACT_SLOTS && this.first * 2 >= this.slots.length) {
      this.slots = this.slots.slice(this.first);
      this.first = 0;
    }
  }

  private olderAt(position: number): Entry {
    const known = this.older.get(position);
    if (known !== undefined) return known;
    if (this.older.size >= MAX_OLDER) this.older = new Map();
    const entry: Entry = { pair: null, name: null, value: null, nameFrom: null, sizeBytes: ENTRY_OVERHEAD_BYTES };
    this.older.set(position, entry);
    return entry;
  }
}
