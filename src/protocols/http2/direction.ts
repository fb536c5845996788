// One direction of a connection: bytes to protocol elements in wire order. Owns the frame reader, the search for a
// boundary while the framing is not known, the assembly of header blocks (RFC 9113 §4.3, §6.10) and the HPACK state of
// this direction. Knows neither streams nor which side is the client.
//
// LIMITS: a header block is held up to MAX_BLOCK_BYTES; a longer one (a CONTINUATION flood) is stepped over, and the
// table of the direction is forgotten, as after a hole.

import type { Dir } from '../../model/index.ts';
import { BoundarySearch, matchPreface } from './boundary.ts';
import {
  FLAG,
  FRAME,
  type FrameFault,
  type FrameHeader,
  PREFACE,
  readUint31,
  readUint32,
  withoutPadding,
} from './frame.ts';
import { FrameReader, type FrameSink } from './frame-reader.ts';
import { type Block, HpackDecoder } from './hpack/index.ts';

/** Four times what common servers accept as a whole header list. */
export const MAX_BLOCK_BYTES = 256 * 1024;
/** Without one proven boundary in this many bytes, this is not HTTP/2, or not readable. */
const MAX_SKIPPED_BYTES = 16 << 20;

/** A decoded header block and where it belongs. */
export interface HeaderBlock {
  readonly stream: number;
  /** The promised stream of PUSH_PROMISE; undefined for HEADERS. */
  readonly promised: number | undefined;
  readonly endStream: boolean;
  readonly block: Block;
  /** Fields may be unknown: the table's past is not known. */
  readonly isLate: boolean;
}

/** What a direction tells the connection. Byte arrays are views. */
export interface DirectionSink {
  preface(dir: Dir): void;
  headers(dir: Dir, block: HeaderBlock): void;
  /** A header block that cannot be decoded: a hole, or over the limit. */
  headersLost(dir: Dir, stream: number, promised: number | undefined, endStream: boolean): void;
  dataBytes(dir: Dir, stream: number, bytes: Uint8Array): void;
  dataLost(dir: Dir, stream: number, lostBytes: number): void;
  dataEnd(dir: Dir, stream: number): void;
  /** `errorCode` is undefined when the capture lost it. */
  reset(dir: Dir, stream: number, errorCode: number | undefined): void;
  goaway(dir: Dir, lastStream: number, errorCode: number): void;
  settings(dir: Dir, payload: Uint8Array): void;
  settingsAck(dir: Dir): void;
  /** A SETTINGS frame may have been lost. */
  settingsLost(dir: Dir): void;
  /** Frames of unknown streams were lost: at most `lostBytes`, frame headers included. */
  hole(dir: Dir, lostBytes: number): void;
  fault(dir: Dir, fault: FrameFault, stream?: number): void;
  giveUp(reason: string): void;
}

/** A header block that waits for CONTINUATION. */
interface OpenBlock {
  readonly stream: number;
  /** As in HeaderBlock; 0: a promised stream whose number is lost or invalid. */
  readonly promised: number | undefined;
  readonly endStream: boolean;
  isLost: boolean;
  /** The fragments so far are `bytes[0, lenBytes)`; the buffer grows by doubling. */
  bytes: Uint8Array;
  lenBytes: number;
}

const NO_BYTES = new Uint8Array(0);

export class Direction implements FrameSink {
  readonly hpack = new HpackDecoder();
  private readonly dir: Dir;
  private readonly sink: DirectionSink;
  private reader: FrameReader;
  /** Set while the frame boundaries are not known. */
  private search: BoundarySearch | undefined;
  /** Octets of the preface matched so far; -1: this direction is past its start. */
  private prefaceAt: number;
  private open: OpenBlock | undefined;
  /** True while all SETTINGS of the receiver have been seen. */
  private knowsFrameLimit: boolean;

  constructor(dir: Dir, isWhole: boolean, sink: DirectionSink) {
    this.dir = dir;
    this.sink = sink;
    this.reader = new FrameReader(this, true);
    this.prefaceAt = isWhole ? 0 : -1;
    this.knowsFrameLimit = isWhole;
    if (isWhole) return;
    this.reader = new FrameReader(this, false);
    this.search = new BoundarySearch();
    this.hpack.forget();
  }

  /** Largest payload that the receiver of this direction allows. */
  allowFrameBytes(maxBytes: number): void {
    this.reader.maxFrameBytes = Math.max(this.reader.maxFrameBytes, maxBytes);
  }

  /** The receiver's SETTINGS are not all known: any table size and frame length is believed. */
  forgetSettings(): void {
    this.knowsFrameLimit = false;
    this.hpack.allowAny();
  }

  push(bytes: Uint8Array): void {
    let rest: Uint8Array | undefined = this.prefaceAt < 0 ? bytes : this.takePreface(bytes);
    while (rest !== undefined && rest.length > 0) {
      rest = this.search === undefined ? this.read(rest) : this.seek(this.search, rest);
    }
  }

  gap(lostBytes: number): void {
    this.prefaceAt = -1;
    if (this.search !== undefined) {
      this.search.drop();
      this.sink.hole(this.dir, lostBytes);
      return;
    }
    const beyond = this.reader.gap(lostBytes);
    if (beyond === 0) return;
    this.loseSync();
    this.sink.hole(this.dir, beyond);
  }

  /** The client's direction starts with the preface, the server's with a frame (RFC 9113 §3.4). */
  private takePreface(bytes: Uint8Array): Uint8Array {
    let at = 0;
    while (at < bytes.length && this.prefaceAt < PREFACE.length && bytes[at] === PREFACE[this.prefaceAt]) {
      at++;
      this.prefaceAt++;
    }
    if (this.prefaceAt === PREFACE.length) {
      this.prefaceAt = -1;
      this.sink.preface(this.dir);
    } else if (at < bytes.length) this.endPreface(this.prefaceAt);
    return bytes.subarray(at);
  }

  private endPreface(matched: number): void {
    this.prefaceAt = -1;
    if (matched === 0) return;
    this.sink.fault(this.dir, { code: 'h2.preface', detail: 'broken connection preface', spec: 'RFC 9113 §3.4' });
    this.loseSync();
  }

  private read(bytes: Uint8Array): Uint8Array | undefined {
    const rest = this.reader.push(bytes);
    if (rest === undefined) return undefined;
    this.sink.fault(this.dir, {
      code: 'h2.framing',
      detail: 'no frame header where one is due',
      spec: 'RFC 9113 §4.1',
    });
    this.loseSync();
    this.sink.hole(this.dir, 0);
    return rest;
  }

  private seek(search: BoundarySearch, bytes: Uint8Array): Uint8Array | undefined {
    const found = search.push(bytes);
    if (found === undefined) {
      if (search.skippedBytes > MAX_SKIPPED_BYTES) this.sink.giveUp('no frame boundary found');
      return undefined;
    }
    this.search = undefined;
    const { skippedBytes } = search;
    if (skippedBytes > 0) this.reportSkipped(skippedBytes);
    if (matchPreface(found, 0) !== 'yes') return found;
    this.sink.preface(this.dir);
    return found.subarray(PREFACE.length);
  }

  private reportSkipped(skippedBytes: number): void {
    const detail = `${skippedBytes} octets before the next provable frame boundary are not readable`;
    this.sink.fault(this.dir, { code: 'h2.resync', detail, spec: 'RFC 9113 §4.1' });
    this.sink.hole(this.dir, skippedBytes);
  }

  /** The framing is lost: all that was known about this direction's past is of no use. */
  private loseSync(): void {
    const { maxFrameBytes } = this.reader;
    this.reader = new FrameReader(this, false);
    this.reader.maxFrameBytes = maxFrameBytes;
    this.search = new BoundarySearch();
    this.loseOpenBlock();
    this.hpack.forget();
    this.sink.settingsLost(this.dir);
  }

  frame(header: FrameHeader, payload: Uint8Array): void {
    if (this.open !== undefined && header.type !== FRAME.continuation) this.interrupted(header);
    switch (header.type) {
      case FRAME.headers:
        this.headersFrame(header, payload);
        break;
      case FRAME.pushPromise:
        this.pushPromiseFrame(header, payload);
        break;
      case FRAME.continuation:
        this.continuationFrame(header, payload);
        break;
      case FRAME.rstStream:
        this.sink.reset(this.dir, header.stream, readUint32(payload, 0));
        break;
      case FRAME.settings:
        header.flags & FLAG.ack ? this.sink.settingsAck(this.dir) : this.sink.settings(this.dir, payload);
        break;
      case FRAME.goaway:
        this.sink.goaway(this.dir, readUint31(payload, 0), readUint32(payload, 4));
    }
  }

  dataBytes(header: FrameHeader, bytes: Uint8Array): void {
    if (this.open !== undefined) this.interrupted(header);
    this.sink.dataBytes(this.dir, header.stream, bytes);
  }

  dataLost(header: FrameHeader, lostBytes: number): void {
    this.sink.dataLost(this.dir, header.stream, lostBytes);
  }

  dataEnd(header: FrameHeader): void {
    if (header.flags & FLAG.endStream) this.sink.dataEnd(this.dir, header.stream);
  }

  unreadable(header: FrameHeader, why: 'size' | 'hole'): void {
    if (why === 'size') this.sink.fault(this.dir, tooLarge(header.lenBytes), header.stream);
    const isLast = (header.flags & FLAG.endHeaders) !== 0;
    switch (header.type) {
      case FRAME.headers:
        this.begin(header.stream, undefined, (header.flags & FLAG.endStream) !== 0, undefined, isLast);
        break;
      case FRAME.pushPromise:
        this.begin(header.stream, 0, false, undefined, isLast);
        break;
      case FRAME.continuation:
        this.append(undefined, isLast);
        break;
      case FRAME.rstStream:
        this.sink.reset(this.dir, header.stream, undefined);
        break;
      case FRAME.settings:
        this.sink.settingsLost(this.dir);
    }
  }

  overlong({ lenBytes, stream }: FrameHeader): void {
    if (!this.knowsFrameLimit) return;
    const detail = `frame of ${lenBytes} octets where ${this.reader.maxFrameBytes} are allowed`;
    this.sink.fault(this.dir, { code: 'h2.frame-size', detail, spec: 'RFC 9113 §4.2' }, stream);
  }

  broken(header: FrameHeader, fault: FrameFault): void {
    this.sink.fault(this.dir, fault, header.stream === 0 ? undefined : header.stream);
    if (header.type === FRAME.headers || header.type === FRAME.pushPromise || header.type === FRAME.continuation) {
      this.loseOpenBlock();
      this.hpack.forget();
    }
  }

  private headersFrame(header: FrameHeader, payload: Uint8Array): void {
    const endStream = (header.flags & FLAG.endStream) !== 0;
    const fragment = withoutPadding(header.flags, payload);
    const skipBytes = header.flags & FLAG.priority ? 5 : 0;
    if (fragment === undefined || fragment.length < skipBytes) this.badPadding(header);
    const block = fragment === undefined || fragment.length < skipBytes ? undefined : fragment.subarray(skipBytes);
    this.begin(header.stream, undefined, endStream, block, (header.flags & FLAG.endHeaders) !== 0);
  }

  private pushPromiseFrame(header: FrameHeader, payload: Uint8Array): void {
    const fragment = withoutPadding(header.flags, payload);
    if (fragment === undefined || fragment.length < 4) this.badPadding(header);
    const isReadable = fragment !== undefined && fragment.length >= 4;
    const promised = isReadable ? this.promisedStream(readUint31(fragment, 0), header.stream) : 0;
    const isLast = (header.flags & FLAG.endHeaders) !== 0;
    this.begin(header.stream, promised, false, isReadable ? fragment.subarray(4) : undefined, isLast);
  }

  /** A server may promise even streams only (RFC 9113 §5.1.1, §8.4.1). */
  private promisedStream(promised: number, stream: number): number {
    if (promised > 0 && promised % 2 === 0) return promised;
    const detail = `PUSH_PROMISE promises stream ${promised}`;
    this.sink.fault(this.dir, { code: 'h2.push', detail, spec: 'RFC 9113 §8.4.1' }, stream);
    return 0;
  }

  private continuationFrame(header: FrameHeader, payload: Uint8Array): void {
    if (this.open === undefined || this.open.stream !== header.stream) {
      this.strayContinuation(header);
      return;
    }
    this.append(payload, (header.flags & FLAG.endHeaders) !== 0);
  }

  /** First fragment of a block; undefined: not readable. The common case, a block in one frame, is decoded in place. */
  private begin(
    stream: number,
    promised: number | undefined,
    endStream: boolean,
    fragment: Uint8Array | undefined,
    isLast: boolean,
  ): void {
    const open: OpenBlock = {
      stream,
      promised,
      endStream,
      isLost: fragment === undefined,
      bytes: NO_BYTES,
      lenBytes: 0,
    };
    if (isLast) {
      this.finish(open, fragment ?? NO_BYTES);
      return;
    }
    this.open = open;
    this.append(fragment, false);
  }

  private append(fragment: Uint8Array | undefined, isLast: boolean): void {
    const { open } = this;
    if (open === undefined) {
      this.hpack.forget();
      return;
    }
    if (fragment === undefined) open.isLost = true;
    else this.hold(open, fragment);
    if (!isLast) return;
    this.open = undefined;
    this.finish(open, open.bytes.subarray(0, open.lenBytes));
  }

  private hold(open: OpenBlock, fragment: Uint8Array): void {
    if (open.isLost) return;
    const lenBytes = open.lenBytes + fragment.length;
    if (lenBytes > MAX_BLOCK_BYTES) {
      this.sink.fault(this.dir, tooLarge(lenBytes), open.stream);
      open.isLost = true;
      open.bytes = NO_BYTES;
      return;
    }
    if (lenBytes > open.bytes.length) open.bytes = grown(open.bytes, Math.max(lenBytes, open.bytes.length * 2));
    open.bytes.set(fragment, open.lenBytes);
    open.lenBytes = lenBytes;
  }

  private finish(open: OpenBlock, bytes: Uint8Array): void {
    const { stream, promised, endStream } = open;
    if (open.isLost) {
      this.hpack.forget();
      this.sink.headersLost(this.dir, stream, promised, endStream);
    }
    const isLate = !this.hpack.isWhole;
    const block = this.hpack.decode(bytes);
    this.complain(block, stream);
    if (promised === 0) return;
    if (block.fault !== undefined && block.fields.length === 0) {
      this.sink.headersLost(this.dir, stream, promised, endStream);
    }
    this.sink.headers(this.dir, {
      stream,
      promised,
      endStream,
      block,
      isLate: isLate || block.hasUnknown || block.fault !== undefined,
    });
  }

  private complain(block: Block, stream: number): void {
    const { dir, sink } = this;
    const spec = 'RFC 7541 §2.3.3';
    if (block.fault !== undefined) sink.fault(dir, { code: 'h2.hpack', detail: block.fault, spec }, stream);
    if (block.complaint !== undefined) {
      sink.fault(dir, { code: 'h2.hpack-size-update', detail: block.complaint, spec: 'RFC 7541 §4.2' }, stream);
    }
    if (block.droppedFields > 0) {
      const detail = `${block.droppedFields} fields over the limit on a header list are not shown`;
      sink.fault(dir, { code: 'h2.header-list-size', detail, spec: 'RFC 9113 §10.5.1' }, stream);
    }
  }

  private badPadding(header: FrameHeader): void {
    const detail = `padding or fixed fields exceed the ${header.lenBytes} octets of the frame`;
    this.sink.fault(this.dir, { code: 'h2.padding', detail, spec: 'RFC 9113 §6.2' }, header.stream);
  }

  /** Another frame inside a header block (§4.3): the block is lost, and with it the table. */
  private interrupted(header: FrameHeader): void {
    const detail = `frame type ${header.type} inside the header block of stream ${this.open?.stream}`;
    this.sink.fault(this.dir, { code: 'h2.continuation', detail, spec: 'RFC 9113 §6.10' }, this.open?.stream);
    this.loseOpenBlock();
    this.hpack.forget();
  }

  private strayContinuation(header: FrameHeader): void {
    const detail = 'CONTINUATION without an open header block';
    if (this.hpack.isWhole) {
      this.sink.fault(this.dir, { code: 'h2.continuation', detail, spec: 'RFC 9113 §6.10' }, header.stream);
    }
    this.loseOpenBlock();
    this.hpack.forget();
  }

  private loseOpenBlock(): void {
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    this.sink.headersLost(this.dir, open.stream, open.promised, open.endStream);
  }
}

const tooLarge = (lenBytes: number): FrameFault => ({
  code: 'h2.header-block-size',
  detail: `header block of ${lenBytes} octets or more is over the limit`,
  spec: 'RFC 9113 §10.5.1',
});

function grown(bytes: Uint8Array, lenBytes: number): Uint8Array {
  const larger = new Uint8Array(lenBytes);
  larger.set(bytes);
  return larger;
}
