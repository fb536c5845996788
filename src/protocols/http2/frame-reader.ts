// Cuts one direction's bytes into frames (RFC 9113 §4.1), whatever the split of the input. DATA payloads pass through as
// views while they arrive; every other frame is delivered whole; ignored types are stepped over. Knows the shape of a
// frame, not its meaning.
//
// LIMITS: a header fragment is held up to MAX_FRAGMENT_BYTES (more is reported and stepped over), SETTINGS and GOAWAY up
// to MAX_CONTROL_BYTES. DATA is never held.

import {
  checkFrameHeader,
  DEFAULT_FRAME_BYTES,
  FLAG,
  FRAME,
  type FrameFault,
  type FrameHeader,
  HEADER_BYTES,
  isConforming,
  isKnownType,
  newFrameHeader,
  readFrameHeader,
} from './frame.ts';

/** One frame of a header block; the block as a whole is bounded by MAX_BLOCK_BYTES in header-blocks.ts. */
export const MAX_FRAGMENT_BYTES = 256 * 1024;
/** Ten times what a SETTINGS with every registered parameter needs; GOAWAY debug text is a line or two. */
const MAX_CONTROL_BYTES = 16_384;
/** After a resynchronisation this many conforming frames must follow before a strange one is believed. */
const PROBATION_FRAMES = 8;

/** So many broken frames in a row are not frames. */
const MAX_BROKEN = 32;

/** What the reader tells. `header` is reused: valid during the call only. Byte arrays are views into the input. */
export interface FrameSink {
  frame(header: FrameHeader, payload: Uint8Array): void;
  dataBytes(header: FrameHeader, bytes: Uint8Array): void;
  /** `isAtMost`: padding may be among it. */
  dataLost(header: FrameHeader, lostBytes: number, isAtMost: boolean): void;
  dataEnd(header: FrameHeader): void;
  /** The payload is not delivered: too large, or partly lost. */
  unreadable(header: FrameHeader, why: 'size' | 'hole'): void;
  /** The frame is longer than its receiver allows, as far as that is known; it is read all the same. */
  overlong(header: FrameHeader): void;
  /** The frame breaks a rule of its type; its payload is stepped over. */
  broken(header: FrameHeader, fault: FrameFault): void;
}

type Phase = 'header' | 'payload' | 'pad-length' | 'data' | 'skip';

export class FrameReader {
  private readonly sink: FrameSink;
  private readonly header = newFrameHeader();
  private readonly headerBytes = new Uint8Array(HEADER_BYTES);
  private phase: Phase = 'header';
  /** Octets held of the frame header or of a whole payload. */
  private held = 0;
  private payload: Uint8Array | undefined;
  /** Payload octets still to come in `pad-length`, `data` and `skip`; in `data` without the padding. */
  private left = 0;
  private padLeft = 0;
  private probation: number;
  /** Frames in a row that broke a rule of their type. */
  private broken = 0;
  /** Set when a header cannot be a frame: the rest of the input is not read. */
  private isLost = false;
  /** Largest payload that the receiver allows, as far as known. */
  maxFrameBytes = DEFAULT_FRAME_BYTES;

  constructor(sink: FrameSink, isProven: boolean) {
    this.sink = sink;
    this.probation = isProven ? 0 : PROBATION_FRAMES;
  }

  get isBetweenFrames(): boolean {
    return this.phase === 'header' && this.held === 0;
  }

  /**
   * Reads all of `bytes`. When a header turns out not to be one, stops and returns the bytes from that header on; the
   * reader is of no use then.
   */
  push(bytes: Uint8Array): Uint8Array | undefined {
    let at = 0;
    while (at < bytes.length) {
      at = this.step(bytes, at);
      if (this.isLost) return joined(this.headerBytes, bytes.subarray(at));
    }
    return undefined;
  }

  /**
   * `lostBytes` are missing here. Returns how many of them lie beyond the current frame: 0 when the reader still knows
   * where the next frame begins; otherwise it is of no use any more.
   */
  gap(lostBytes: number): number {
    if (this.phase === 'header') return lostBytes;
    if (this.phase === 'payload') this.abandonPayload();
    if (this.phase === 'pad-length') this.abandonPadded();
    const inBody = Math.min(lostBytes, this.left);
    if (this.phase === 'data' && inBody > 0) this.sink.dataLost(this.header, inBody, false);
    this.left -= inBody;
    const inPadding = Math.min(lostBytes - inBody, this.padLeft);
    this.padLeft -= inPadding;
    if (this.left === 0 && this.padLeft === 0) this.finish();
    return lostBytes - inBody - inPadding;
  }

  private step(bytes: Uint8Array, at: number): number {
    switch (this.phase) {
      case 'header':
        return this.stepHeader(bytes, at);
      case 'payload':
        return this.stepPayload(bytes, at);
      case 'pad-length':
        return this.stepPadLength(bytes, at);
      case 'data':
      case 'skip':
        return this.stepThrough(bytes, at);
    }
  }

  private stepHeader(bytes: Uint8Array, at: number): number {
    if (this.held === 0 && bytes.length - at >= HEADER_BYTES) {
      readFrameHeader(bytes, at, this.header);
      if (this.isStrange()) this.headerBytes.set(bytes.subarray(at, at + HEADER_BYTES));
      return this.begin(bytes, at + HEADER_BYTES);
    }
    const part = Math.min(HEADER_BYTES - this.held, bytes.length - at);
    this.headerBytes.set(bytes.subarray(at, at + part), this.held);
    this.held += part;
    if (this.held < HEADER_BYTES) return at + part;
    this.held = 0;
    readFrameHeader(this.headerBytes, 0, this.header);
    return this.begin(bytes, at + part);
  }

  /** A header that is more likely payload: huge and of no known type, or nonconforming when that is not the exception. */
  private isStrange(): boolean {
    const { header } = this;
    if (!isKnownType(header.type)) return header.lenBytes > this.maxFrameBytes;
    if (this.probation > 0) return !isConforming(header);
    return this.broken >= MAX_BROKEN && checkFrameHeader(header) !== undefined;
  }

  /** The header is complete; `at` is where the payload starts. */
  private begin(bytes: Uint8Array, at: number): number {
    const { header } = this;
    if (this.isStrange()) {
      this.isLost = true;
      return at;
    }
    if (this.probation > 0) this.probation--;
    this.left = header.lenBytes;
    this.padLeft = 0;
    const fault = checkFrameHeader(header);
    if (fault !== undefined) return this.skipBroken(fault, at);
    this.broken = 0;
    if (header.lenBytes > this.maxFrameBytes) this.sink.overlong(header);
    if (header.type === FRAME.data) return this.beginData(at);
    const limit = heldLimit(header.type);
    if (header.lenBytes > limit) return this.skipUnheld(limit, at);
    if (bytes.length - at < header.lenBytes) return this.beginPayload(bytes, at);
    this.sink.frame(header, bytes.subarray(at, at + header.lenBytes));
    return at + header.lenBytes;
  }

  private skipBroken(fault: FrameFault, at: number): number {
    this.broken++;
    this.enter('skip');
    this.sink.broken(this.header, fault);
    return at;
  }

  private skipUnheld(limit: number, at: number): number {
    this.enter('skip');
    if (limit > 0) this.sink.unreadable(this.header, 'size');
    return at;
  }

  private beginData(at: number): number {
    if (this.header.flags & FLAG.padded) this.phase = 'pad-length';
    else this.enter('data');
    return at;
  }

  private beginPayload(bytes: Uint8Array, at: number): number {
    this.payload = new Uint8Array(this.header.lenBytes);
    this.held = 0;
    this.phase = 'payload';
    return this.stepPayload(bytes, at);
  }

  private stepPayload(bytes: Uint8Array, at: number): number {
    const payload = this.payload as Uint8Array;
    const part = Math.min(payload.length - this.held, bytes.length - at);
    payload.set(bytes.subarray(at, at + part), this.held);
    this.held += part;
    if (this.held === payload.length) {
      this.rest();
      this.sink.frame(this.header, payload);
    }
    return at + part;
  }

  private stepPadLength(bytes: Uint8Array, at: number): number {
    const padBytes = bytes[at] as number;
    this.left--;
    if (padBytes > this.left) {
      this.sink.broken(this.header, {
        code: 'h2.padding',
        detail: `DATA with ${padBytes} octets of padding in ${this.header.lenBytes}`,
        spec: 'RFC 9113 §6.1',
      });
      this.enter('skip');
      return at + 1;
    }
    this.padLeft = padBytes;
    this.left -= padBytes;
    this.enter('data');
    return at + 1;
  }

  private stepThrough(bytes: Uint8Array, at: number): number {
    const body = Math.min(this.left, bytes.length - at);
    if (this.phase === 'data' && body > 0) this.sink.dataBytes(this.header, bytes.subarray(at, at + body));
    this.left -= body;
    const padding = Math.min(this.padLeft, bytes.length - at - body);
    this.padLeft -= padding;
    if (this.left === 0 && this.padLeft === 0) this.finish();
    return at + body + padding;
  }

  /** Enters a phase that runs to the end of the frame; an empty one ends at once. */
  private enter(phase: 'data' | 'skip'): void {
    this.phase = phase;
    this.held = 0;
    if (this.left === 0 && this.padLeft === 0) this.finish();
  }

  private finish(): void {
    const wasData = this.phase === 'data';
    this.rest();
    if (wasData) this.sink.dataEnd(this.header);
  }

  private rest(): void {
    this.phase = 'header';
    this.held = 0;
    this.payload = undefined;
  }

  /** A hole in a frame that is delivered whole: nothing of it can be told but its header. */
  private abandonPayload(): void {
    this.left = this.header.lenBytes - this.held;
    this.payload = undefined;
    this.phase = 'skip';
    this.sink.unreadable(this.header, 'hole');
  }

  /** The hole swallows the pad length: what follows may be body or padding, so none of it is read. */
  private abandonPadded(): void {
    this.phase = 'skip';
    if (this.left > 1) this.sink.dataLost(this.header, this.left - 1, true);
    this.padLeft = this.left;
    this.left = 0;
    this.phase = 'data';
  }
}

/** Octets that a type may hold; 0: stepped over. */
function heldLimit(type: number): number {
  switch (type) {
    case FRAME.headers:
    case FRAME.pushPromise:
    case FRAME.continuation:
      return MAX_FRAGMENT_BYTES;
    case FRAME.settings:
    case FRAME.goaway:
    case FRAME.rstStream:
      return MAX_CONTROL_BYTES;
    default:
      return 0;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
