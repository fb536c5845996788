// One direction of a connection: bytes to protocol elements in wire order. Owns the frame reader, the search for a
// boundary while the framing is not known, and the header blocks of this direction. Knows neither streams nor which side
// is the client.
//
// LIMITS: gives the connection up after MAX_SKIPPED_BYTES without a frame boundary.

import type { Dir } from '../../model/index.ts';
import { BoundarySearch, matchPreface } from './boundary.ts';
import { FLAG, FRAME, type FrameFault, type FrameHeader, PREFACE, readUint31, readUint32 } from './frame.ts';
import { FrameReader, type FrameSink } from './frame-reader.ts';
import { type HeaderBlockSink, HeaderBlocks, tooLarge } from './header-blocks.ts';

/** Without one proven boundary in this many bytes, this is not HTTP/2, or not readable. */
const MAX_SKIPPED_BYTES = 16 << 20;

/** What a direction tells the connection. Byte arrays are views. */
export interface DirectionSink extends HeaderBlockSink {
  preface(dir: Dir): void;
  dataBytes(dir: Dir, stream: number, bytes: Uint8Array): void;
  dataLost(dir: Dir, stream: number, lostBytes: number, isAtMost: boolean): void;
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
  giveUp(reason: string): void;
}

export class Direction implements FrameSink {
  readonly blocks: HeaderBlocks;
  private readonly dir: Dir;
  private readonly sink: DirectionSink;
  private reader: FrameReader;
  /** Set while the frame boundaries are not known. */
  private search: BoundarySearch | undefined;
  /** Octets of the preface matched so far; -1: this direction is past its start. */
  private prefaceAt: number;
  /** True while all SETTINGS of the receiver have been seen. */
  private knowsFrameLimit: boolean;

  constructor(dir: Dir, isWhole: boolean, sink: DirectionSink) {
    this.dir = dir;
    this.sink = sink;
    this.blocks = new HeaderBlocks(dir, sink);
    this.reader = new FrameReader(this, true);
    this.prefaceAt = isWhole ? 0 : -1;
    this.knowsFrameLimit = isWhole;
    if (isWhole) return;
    this.reader = new FrameReader(this, false);
    this.search = new BoundarySearch();
    this.blocks.forget();
  }

  /** Largest payload that the receiver of this direction allows. */
  allowFrameBytes(maxBytes: number): void {
    this.reader.maxFrameBytes = Math.max(this.reader.maxFrameBytes, maxBytes);
  }

  /** The receiver's SETTINGS are not all known: any table size and frame length is believed. */
  forgetSettings(): void {
    this.knowsFrameLimit = false;
    this.blocks.hpack.allowAny();
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
    this.blocks.forget();
    this.sink.settingsLost(this.dir);
  }

  frame(header: FrameHeader, payload: Uint8Array): void {
    if (header.type !== FRAME.continuation) this.blocks.interrupt(header);
    switch (header.type) {
      case FRAME.headers:
        this.blocks.headersFrame(header, payload);
        break;
      case FRAME.pushPromise:
        this.blocks.pushPromiseFrame(header, payload);
        break;
      case FRAME.continuation:
        this.blocks.continuationFrame(header, payload);
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
    this.blocks.interrupt(header);
    this.sink.dataBytes(this.dir, header.stream, bytes);
  }

  dataLost(header: FrameHeader, lostBytes: number, isAtMost: boolean): void {
    this.sink.dataLost(this.dir, header.stream, lostBytes, isAtMost);
  }

  dataEnd(header: FrameHeader): void {
    if (header.flags & FLAG.endStream) this.sink.dataEnd(this.dir, header.stream);
  }

  unreadable(header: FrameHeader, why: 'size' | 'hole'): void {
    if (why === 'size') this.sink.fault(this.dir, tooLarge(header.lenBytes), header.stream);
    switch (header.type) {
      case FRAME.headers:
      case FRAME.pushPromise:
      case FRAME.continuation:
        this.blocks.unreadable(header);
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
      this.blocks.forget();
    }
  }
}
