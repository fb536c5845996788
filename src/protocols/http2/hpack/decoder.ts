// HPACK header blocks to fields (RFC 7541 §3, §6), for one direction of a connection. Blocks must come in wire order.
// A reference to an entry from before joining becomes an `UnknownRef`; it is never guessed and never stops the block.
//
// LIMITS: a decoded list keeps MAX_LIST_BYTES; more fields are counted into `droppedFields`, the table stays exact.

import type { HeaderField } from '../../../model/index.ts';
import { BlockReader } from './block-reader.ts';
import { DEFAULT_TABLE_BYTES, DynamicTable, type Entry, entryName, nameOwner } from './dynamic-table.ts';
import { STATIC_TABLE } from './static-table.ts';

/**
 * A one-octet index may stand for a field of many kilobytes, so the block limit alone does not bound the list. Sizes are
 * counted as in RFC 9113 §6.5.2 (name + value + 32); servers commonly refuse more than 64 KiB.
 */
export const MAX_LIST_BYTES = 1 << 20;
const FIELD_OVERHEAD_BYTES = 32;

/** A field of which the name, the value or both refer to an unknown table entry. */
export class UnknownRef {
  readonly index: number;
  private readonly entry: Entry;
  readonly value: string | null;

  constructor(index: number, entry: Entry, value: string | null) {
    this.index = index;
    this.entry = entry;
    this.value = value;
  }

  /** The name, if it is known by now. */
  get name(): string | null {
    return entryName(this.entry);
  }

  /** The name has become certain: every field and entry that takes its name from the same entry knows it too. */
  learnName(name: string): void {
    nameOwner(this.entry).name = name;
  }
}

export type Field = HeaderField | UnknownRef;

export interface Block {
  readonly fields: readonly Field[];
  readonly hasUnknown: boolean;
  /** Fields beyond MAX_LIST_BYTES. */
  readonly droppedFields: number;
  /** Why decoding stopped early; the direction's table is forgotten then. */
  readonly fault: string | undefined;
  /** Broken rule that did not stop the decoder. */
  readonly complaint: string | undefined;
}

/** Static index + dynamic table give one entry, a known pair, or nothing. */
type Found = HeaderField | Entry | undefined;
const isPair = (found: HeaderField | Entry): found is HeaderField => Array.isArray(found);

export class HpackDecoder {
  private readonly table = new DynamicTable();
  /** Largest table that the peer's acknowledged SETTINGS allow; undefined: not known. */
  private allowedBytes: number | undefined = DEFAULT_TABLE_BYTES;
  /** An acknowledged setting is smaller than before: the next block must begin with a size update (§4.2). */
  private owesUpdate = false;
  /** Table size that the writer uses; undefined: not known. */
  private announcedBytes: number | undefined = DEFAULT_TABLE_BYTES;

  private fields: Field[] = [];
  private listBytes = 0;
  private droppedFields = 0;
  private hasUnknown = false;
  private complaint: string | undefined;

  /** False while the past is not known: indices may turn out unknown. */
  get isWhole(): boolean {
    return this.table.isWhole;
  }

  /** The past is not known: joined late, or a header block of this direction was lost. */
  forget(): void {
    this.table.forget();
    this.announcedBytes = undefined;
    this.owesUpdate = false;
  }

  /** SETTINGS_HEADER_TABLE_SIZE of the reader, acknowledged by the writer: binds the blocks after the ACK. */
  allow(maxBytes: number): void {
    if (this.announcedBytes !== undefined && maxBytes < this.announcedBytes) this.owesUpdate = true;
    this.allowedBytes = maxBytes;
  }

  /** The reader's settings are not known any more (a hole in their direction). */
  allowAny(): void {
    this.allowedBytes = undefined;
    this.owesUpdate = false;
  }

  decode(bytes: Uint8Array): Block {
    this.fields = [];
    this.listBytes = 0;
    this.droppedFields = 0;
    this.hasUnknown = false;
    this.complaint = undefined;
    const reader = new BlockReader(bytes);
    this.takeSizeUpdates(reader);
    while (reader.hasMore) this.takeField(reader);
    if (reader.fault !== undefined) this.forget();
    const { fields, hasUnknown, droppedFields, complaint } = this;
    return { fields, hasUnknown, droppedFields, complaint, fault: reader.fault };
  }

  /**
   * Size updates come first (§4.2).
   * ```
   *   0   1   2   3   4   5   6   7
   * | 0 | 0 | 1 |   Max size (5+)   |
   * ```
   */
  private takeSizeUpdates(reader: BlockReader): void {
    if (this.owesUpdate && (reader.peekByte() & 0xe0) !== 0x20) {
      this.complaint = 'no table size update after a smaller SETTINGS_HEADER_TABLE_SIZE was acknowledged';
    }
    this.owesUpdate = false;
    while (reader.hasMore && (reader.peekByte() & 0xe0) === 0x20) {
      const maxBytes = reader.takeInteger(5);
      if (maxBytes < 0) return;
      if (maxBytes > (this.allowedBytes ?? Number.POSITIVE_INFINITY)) {
        this.complaint = `table size ${maxBytes} exceeds the allowed ${this.allowedBytes}`;
      }
      this.announcedBytes = maxBytes;
      this.table.resize(maxBytes);
    }
  }

  /**
   * One field representation (§6).
   * ```
   * | 1 |        Index (7+)         |   indexed
   * | 0 | 1 |      Index (6+)       |   literal, inserted into the table
   * | 0 | 0 | 0 | 0 |  Index (4+)   |   literal, not inserted
   * | 0 | 0 | 0 | 1 |  Index (4+)   |   literal, never to be inserted by anyone
   * ```
   */
  private takeField(reader: BlockReader): void {
    const first = reader.peekByte();
    if (first >= 0x80) this.takeIndexed(reader);
    else if (first >= 0x40) this.takeLiteral(reader, 6, true);
    else if (first >= 0x20) reader.fail('table size update after a field');
    else this.takeLiteral(reader, 4, false);
  }

  private takeIndexed(reader: BlockReader): void {
    const index = reader.takeInteger(7);
    if (index < 0) return;
    const found = this.lookUp(index);
    if (found === undefined) reader.fail(`index ${index} is outside the table`);
    else if (isPair(found)) this.keep(found, found[0].length + found[1].length);
    else this.keepUnknown(index, found, found.value);
  }

  private takeLiteral(reader: BlockReader, prefixBits: number, inserts: boolean): void {
    const index = reader.takeInteger(prefixBits);
    if (index < 0) return;
    const source = index === 0 ? takeName(reader) : this.nameSource(reader, index);
    const value = reader.takeString();
    if (source === undefined || value === undefined) return;
    if (typeof source === 'string') this.keepLiteral(source, value, inserts);
    else {
      this.keepUnknown(index, source, value);
      if (inserts) this.table.insert(null, value, nameOwner(source), null);
    }
  }

  private keepLiteral(name: string, value: string, inserts: boolean): void {
    const pair: HeaderField = [name, value];
    this.keep(pair, name.length + value.length);
    if (inserts) this.table.insert(name, value, null, pair);
  }

  /** The name that an index lends: text, or the entry when its name is not known. */
  private nameSource(reader: BlockReader, index: number): string | Entry | undefined {
    const found = this.lookUp(index);
    if (found === undefined) {
      reader.fail(`name index ${index} is outside the table`);
      return undefined;
    }
    return isPair(found) ? found[0] : (entryName(found) ?? found);
  }

  private lookUp(index: number): Found {
    if (index <= STATIC_TABLE.length) return STATIC_TABLE[index - 1];
    const entry = this.table.get(index - STATIC_TABLE.length);
    return entry?.pair ?? entry;
  }

  private keep(field: Field, octets: number): void {
    this.listBytes += octets + FIELD_OVERHEAD_BYTES;
    if (this.listBytes > MAX_LIST_BYTES) this.droppedFields++;
    else this.fields.push(field);
  }

  private keepUnknown(index: number, entry: Entry, value: string | null): void {
    const name = entryName(entry);
    if (name !== null && value !== null) {
      this.keep([name, value], name.length + value.length);
      return;
    }
    this.hasUnknown = true;
    this.keep(new UnknownRef(index, entry, value), value?.length ?? 0);
  }
}

/** Names are lower-case on the wire (RFC 9113 §8.2.1); one that is not is shown as the model has it. */
function takeName(reader: BlockReader): string | undefined {
  const name = reader.takeString();
  return name !== undefined && /[A-Z]/.test(name) ? name.toLowerCase() : name;
}

/**
 * True when `bytes` has the structure of a whole header block, or of its beginning: only forms, indices and lengths that
 * fit. Needs no table; serves to prove a frame boundary.
 */
export function isPlausibleBlock(bytes: Uint8Array, isBeginning: boolean): boolean {
  const reader = new BlockReader(bytes);
  let fields = 0;
  while (reader.hasMore) {
    if (!skipField(reader, fields === 0)) return isBeginning && reader.at >= bytes.length;
    fields++;
  }
  return reader.fault === undefined && fields > 0;
}

function skipField(reader: BlockReader, mayResize: boolean): boolean {
  const first = reader.peekByte();
  if (first >= 0x80) return reader.takeInteger(7) > 0;
  if (first >= 0x20 && first < 0x40) return mayResize && reader.takeInteger(5) >= 0;
  const index = reader.takeInteger(first >= 0x40 ? 6 : 4);
  if (index < 0 || (index === 0 && !reader.skipString())) return false;
  return reader.skipString();
}
