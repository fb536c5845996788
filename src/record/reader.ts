// Recording reader, sans-IO and incremental: bytes of the file in, records out, in the order in which they were written. A
// file may end at any byte and may be hostile: whole blocks are replayed up to the first damage and the result says where
// it was. Never throws, holds one frame at most and its content. Knows no file; who knows how to unpack a block hands that in.

import protobuf from 'protobufjs/minimal.js';
import { type RecordingIndex, toIndex } from './block-index.ts';
import { crc32 } from './crc32.ts';
import { type DecodedRecord, recordDecoder } from './decode.ts';
import { decodeUser, fromFixed64 } from './entries.ts';
import { FORMAT_VERSION, FRAME_HEAD_BYTES, MAGIC, MAX_FRAME_BYTES } from './format.ts';
import { createFrameBuffer } from './frame-buffer.ts';
import { tracer } from './recording.gen.js';
import type { RecordingFacts } from './writer.ts';

const { Block, Codec, Entry, Header } = tracer.recording;

export interface RecordingHeader extends RecordingFacts {
  readonly formatVersion: number;
  /** Number of this file among the parts of a rotated session, from 1; 0 when the session was not rotated. */
  readonly part: number;
}

export interface RecordingHandlers {
  /** Called once, before any record. */
  readonly onHeader?: (header: RecordingHeader) => void;
  /**
   * Views inside a record are valid until this returns. `raw`: the kernel's record as emitted, null for one made by user
   * space. `repeated`: an earlier part of the session has it, too.
   */
  readonly onRecord: (record: DecodedRecord, raw: Uint8Array | null, repeated: boolean) => void;
}

/** Undoes brotli (RFC 7932). Must not give more than `maxBytes`; throws, or returns anything, when it cannot. */
export type Unpack = (packed: Uint8Array, maxBytes: number) => Uint8Array;

/**
 * `whole`: ended by the session's end record, or by the mark that the next part goes on. `cut`: the file ends before that, all whole blocks were replayed.
 * `corrupt`: stopped at damage. `newer`: made by a later format version. `foreign`: not a recording.
 */
export type RecordingState = 'whole' | 'cut' | 'corrupt' | 'newer' | 'foreign';

export interface RecordingEnd {
  readonly state: RecordingState;
  /** Offset in the file behind the last frame that was read whole. */
  readonly lastWholeOffset: number;
  /** Bytes given to the reader behind that offset; not replayed. */
  readonly leftBytes: number;
  readonly blocks: number;
  readonly records: number;
  /** Of the file, 0 when the header was not reached. */
  readonly formatVersion: number;
  /** What is wrong and at which offset; null for `whole`. */
  readonly problem: string | null;
  /** The file is one part of a session that goes on in the next. */
  readonly continues: boolean;
  readonly hasIndex: boolean;
}

export interface RecordingReader {
  /** False when the reader has stopped (damage, newer format): further bytes are counted and ignored. */
  push(bytes: Uint8Array): boolean;
  end(): RecordingEnd;
}

/** Protobuf tag of field 1, length-delimited: `Entries.entries`. */
const ENTRY_TAG = 0x0a;

class Reader implements RecordingReader {
  readonly #handlers: RecordingHandlers;
  readonly #unpack: Unpack | undefined;
  readonly #input = createFrameBuffer();
  #need: 'magic' | 'header' | 'blocks' = 'magic';
  #stopped: { state: RecordingState; problem: string } | null = null;
  #pushedBytes = 0;
  #lastWholeOffset = 0;
  #blocks = 0;
  #records = 0;
  #formatVersion = 0;
  /** The last record was the session's end. */
  #sawEnd = false;
  #index: RecordingIndex | null = null;

  constructor(handlers: RecordingHandlers, unpack: Unpack | undefined) {
    this.#handlers = handlers;
    this.#unpack = unpack;
  }

  push(bytes: Uint8Array): boolean {
    this.#pushedBytes += bytes.length;
    if (this.#stopped === null) {
      this.#input.push(bytes);
      while (this.#stopped === null && this.#step());
      this.#input.settle();
    }
    return this.#stopped === null;
  }

  end(): RecordingEnd {
    const end = this.#stopped ?? this.#endOfInput();
    return {
      state: end.state,
      lastWholeOffset: this.#lastWholeOffset,
      leftBytes: this.#pushedBytes - this.#lastWholeOffset,
      blocks: this.#blocks,
      records: this.#records,
      formatVersion: this.#formatVersion,
      problem: end.problem,
      continues: this.#index?.continues ?? false,
      hasIndex: this.#index !== null,
    };
  }

  #endOfInput(): { state: RecordingState; problem: string | null } {
    const leftBytes = this.#pushedBytes - this.#lastWholeOffset;
    if (leftBytes === 0 && (this.#sawEnd || this.#index?.continues === true)) return { state: 'whole', problem: null };
    const what =
      leftBytes > 0 ? `ends inside a block, ${leftBytes} bytes left over` : 'ends without the end of the session';
    return { state: 'cut', problem: `${what}, at offset ${this.#lastWholeOffset}` };
  }

  #stop(state: RecordingState, problem: string): false {
    this.#stopped = { state, problem: `${problem}, at offset ${this.#lastWholeOffset}` };
    return false;
  }

  /** Takes one frame (or the magic); false when more input is needed or the reader has stopped. */
  #step(): boolean {
    if (this.#need === 'magic') return this.#takeMagic();
    const head = this.#input.peek(FRAME_HEAD_BYTES);
    if (head === null) return false;
    const view = new DataView(head.buffer, head.byteOffset, FRAME_HEAD_BYTES);
    const lenBytes = view.getUint32(0, true);
    // A length of zero is no frame of ours: a crash may leave a tail of zero bytes, whose checksum would be right.
    if (lenBytes === 0 || lenBytes > MAX_FRAME_BYTES) return this.#stop('corrupt', `frame of ${lenBytes} bytes`);
    const whole = this.#input.peek(FRAME_HEAD_BYTES + lenBytes);
    if (whole === null) return false;
    const payload = whole.subarray(FRAME_HEAD_BYTES);
    if (crc32(payload) !== view.getUint32(4, true)) return this.#stop('corrupt', 'checksum mismatch');
    return this.#takeFrame(payload);
  }

  #takeMagic(): boolean {
    const start = this.#input.peek(Math.min(MAGIC.length, this.#input.length()));
    if (start?.some((byte, i) => byte !== MAGIC[i])) return this.#stop('foreign', 'does not start as a recording');
    if (start === null || start.length < MAGIC.length) return false;
    this.#need = 'header';
    return this.#consumed(MAGIC.length);
  }

  #consumed(lenBytes: number): true {
    this.#input.skip(lenBytes);
    this.#lastWholeOffset += lenBytes;
    return true;
  }

  #takeFrame(payload: Uint8Array): boolean {
    const problem = this.#need === 'header' ? this.#readHeader(payload) : this.#readBlock(payload);
    if (problem !== null) return this.#stop(problem.state, problem.problem);
    return this.#consumed(FRAME_HEAD_BYTES + payload.length);
  }

  #readHeader(payload: Uint8Array): { state: RecordingState; problem: string } | null {
    let header: tracer.recording.Header.$Shape;
    try {
      header = Header.decode(new protobuf.Reader(payload));
    } catch {
      return { state: 'corrupt', problem: 'unreadable header' };
    }
    this.#formatVersion = header.formatVersion ?? 0;
    if (this.#formatVersion > FORMAT_VERSION)
      return { state: 'newer', problem: `format version ${this.#formatVersion}` };
    if (this.#formatVersion < 1) return { state: 'corrupt', problem: 'header without a format version' };
    this.#need = 'blocks';
    this.#handlers.onHeader?.({
      formatVersion: this.#formatVersion,
      monoNs: fromFixed64(header.monoNs),
      wallNs: fromFixed64(header.wallNs),
      bootId: header.bootId ?? '',
      host: header.host ?? '',
      toolVersion: header.toolVersion ?? '',
      part: header.part ?? 0,
    });
    return null;
  }

  #readBlock(payload: Uint8Array): { state: RecordingState; problem: string } | null {
    const opened = openBlock(payload, this.#unpack);
    if (typeof opened === 'string') return { state: 'corrupt', problem: opened };
    this.#index = opened.index;
    if (this.#index !== null) return null;
    const entries = new EntryCursor(opened.content);
    for (let record = entries.next(); record !== null; record = entries.next()) {
      this.#records++;
      this.#sawEnd = record.kind === 'session' && record.phase === 'end';
      this.#handlers.onRecord(record, entries.raw, opened.repeated);
    }
    if (entries.damaged) return { state: 'corrupt', problem: 'unreadable record in a block' };
    this.#blocks++;
    return null;
  }
}

interface OpenedBlock {
  readonly content: Uint8Array;
  readonly repeated: boolean;
  readonly index: RecordingIndex | null;
}

/** The content of a block, or what is wrong with it. */
function openBlock(payload: Uint8Array, unpack: Unpack | undefined): OpenedBlock | string {
  try {
    const { codec, content, contentBytes, repeated, index } = Block.decode(new protobuf.Reader(payload));
    const plain = unpacked(codec ?? Codec.CODEC_NONE, content ?? new Uint8Array(), contentBytes ?? 0, unpack);
    if (typeof plain === 'string') return plain;
    return { content: plain, repeated: repeated ?? false, index: index ? toIndex(index) : null };
  } catch {
    return 'unreadable block';
  }
}

function unpacked(
  codec: number,
  content: Uint8Array,
  contentBytes: number,
  unpack: Unpack | undefined,
): Uint8Array | string {
  if (codec !== Codec.CODEC_NONE && (codec !== Codec.CODEC_BROTLI || unpack === undefined))
    return `unknown codec ${codec}`;
  if (contentBytes > MAX_FRAME_BYTES) return `block of ${contentBytes} bytes`;
  const given = codec === Codec.CODEC_NONE || unpack === undefined ? content : unpack(content, contentBytes);
  // A plain view: `slice` of what Node's zlib returns does not copy, and whoever keeps bytes relies on that it does.
  const plain = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  return plain.length === contentBytes ? plain : 'block of another length than announced';
}

/** Reads a block's entries one at a time, so that a hostile block of millions of empty entries costs no memory. */
class EntryCursor {
  damaged = false;
  /** Bytes of the kernel record that `next` gave last; null when user space made it. */
  raw: Uint8Array | null = null;
  readonly #reader: protobuf.Reader;
  readonly #content: Uint8Array;
  readonly #decode: (start: number, end: number) => DecodedRecord;

  constructor(content: Uint8Array) {
    this.#content = content;
    this.#reader = new protobuf.Reader(content);
    this.#decode = recordDecoder(content);
  }

  /** The next record, or null at the end or at damage. Kinds of a later minor version are passed over. */
  next(): DecodedRecord | null {
    try {
      while (this.#reader.pos < this.#reader.len) {
        const record = this.#read();
        if (record !== null) return record;
      }
    } catch {
      this.damaged = true;
    }
    return null;
  }

  #read(): DecodedRecord | null {
    const tag = this.#reader.uint32();
    if (tag !== ENTRY_TAG) {
      this.#reader.skipType(tag & 7);
      return null;
    }
    const entry = Entry.decode(this.#reader, this.#reader.uint32());
    this.raw = entry.kernel ?? null;
    if (!entry.kernel) return decodeUser(entry);
    const start = entry.kernel.byteOffset - this.#content.byteOffset;
    return this.#decode(start, start + entry.kernel.length);
  }
}

/** Without `unpack`, a compressed block is one that cannot be read. */
export const createRecordingReader = (handlers: RecordingHandlers, unpack?: Unpack): RecordingReader =>
  new Reader(handlers, unpack);
