// Assembles the header blocks of one direction from HEADERS, PUSH_PROMISE and CONTINUATION (RFC 9113 §4.3, §6.2, §6.6,
// §6.10) and decodes them in wire order. Knows neither streams nor which side is the client.
//
// LIMITS: a block is held up to MAX_BLOCK_BYTES; a longer one (a CONTINUATION flood) is stepped over, and the table of the
// direction is forgotten, as after a hole.

import type { Dir } from '../../model/index.ts';
import { FLAG, FRAME, type FrameFault, type FrameHeader, readUint31, withoutPadding } from './frame.ts';
import { type Block, HpackDecoder } from './hpack/index.ts';

/** Four times what common servers accept as a whole header list. */
export const MAX_BLOCK_BYTES = 256 * 1024;

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

/** What the blocks of a direction tell. */
export interface HeaderBlockSink {
  headers(dir: Dir, block: HeaderBlock): void;
  /** A block that cannot be decoded: a hole, or over the limit. `promised` is 0 when a PUSH_PROMISE's is not known. */
  headersLost(dir: Dir, stream: number, promised: number | undefined, endStream: boolean): void;
  fault(dir: Dir, fault: FrameFault, stream?: number): void;
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

export class HeaderBlocks {
  readonly hpack = new HpackDecoder();
  private readonly dir: Dir;
  private readonly sink: HeaderBlockSink;
  private open: OpenBlock | undefined;

  constructor(dir: Dir, sink: HeaderBlockSink) {
    this.dir = dir;
    this.sink = sink;
  }

  headersFrame(header: FrameHeader, payload: Uint8Array): void {
    const endStream = (header.flags & FLAG.endStream) !== 0;
    const fragment = withoutPadding(header.flags, payload);
    const skipBytes = header.flags & FLAG.priority ? 5 : 0;
    if (fragment === undefined || fragment.length < skipBytes) this.badPadding(header);
    const block = fragment === undefined || fragment.length < skipBytes ? undefined : fragment.subarray(skipBytes);
    this.begin(header.stream, undefined, endStream, block, (header.flags & FLAG.endHeaders) !== 0);
  }

  pushPromiseFrame(header: FrameHeader, payload: Uint8Array): void {
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

  continuationFrame(header: FrameHeader, payload: Uint8Array): void {
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
      return;
    }
    const isLate = !this.hpack.isWhole;
    const block = this.hpack.decode(bytes);
    this.complain(block, stream);
    if (promised === 0) return;
    if (block.fault !== undefined && block.fields.length === 0) {
      this.sink.headersLost(this.dir, stream, promised, endStream);
      return;
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

  /** A frame other than CONTINUATION arrived: inside a block (§4.3) the block is lost, and with it the table. */
  interrupt(header: FrameHeader): void {
    if (this.open === undefined) return;
    const detail = `frame type ${header.type} inside the header block of stream ${this.open.stream}`;
    this.sink.fault(this.dir, { code: 'h2.continuation', detail, spec: 'RFC 9113 §6.10' }, this.open.stream);
    this.forget();
  }

  private strayContinuation(header: FrameHeader): void {
    const detail = 'CONTINUATION without an open header block';
    if (this.hpack.isWhole) {
      this.sink.fault(this.dir, { code: 'h2.continuation', detail, spec: 'RFC 9113 §6.10' }, header.stream);
    }
    this.forget();
  }

  /** What came before is not known any more: an open block cannot be completed, indices cannot be resolved. */
  forget(): void {
    this.hpack.forget();
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    this.sink.headersLost(this.dir, open.stream, open.promised, open.endStream);
  }

  /** A frame of a block whose payload is not readable; END_HEADERS tells whether more of the block follows. */
  unreadable({ type, flags, stream }: FrameHeader): void {
    const isLast = (flags & FLAG.endHeaders) !== 0;
    if (type === FRAME.continuation) this.append(undefined, isLast);
    else if (type === FRAME.pushPromise) this.begin(stream, 0, false, undefined, isLast);
    else this.begin(stream, undefined, (flags & FLAG.endStream) !== 0, undefined, isLast);
  }
}

/** The fault of a block, or of one frame of it, over the limit. */
export const tooLarge = (lenBytes: number): FrameFault => ({
  code: 'h2.header-block-size',
  detail: `header block of ${lenBytes} octets or more is over the limit`,
  spec: 'RFC 9113 §10.5.1',
});

function grown(bytes: Uint8Array, lenBytes: number): Uint8Array {
  const larger = new Uint8Array(lenBytes);
  larger.set(bytes);
  return larger;
}
