// Finds where a frame begins in bytes whose past is unknown (joined late, or after a hole), and proves it before it is
// believed: a chain of frames, each starting where the one before ends, whose headers carry enough evidence.
//
// Evidence is counted in bits: how unlikely it is that payload looks like that header by chance. The start of a captured
// call is a hint (a TLS write normally begins with a frame) and needs less; any other offset is one of very many and
// needs much more. Nothing proves a boundary for certain: a body that contains recorded HTTP/2 would pass.
//
// LIMITS: at most SEARCH_BYTES are held; older bytes are dropped and counted.

import {
  FLAG,
  FRAME,
  type FrameHeader,
  HEADER_BYTES,
  hasExactSize,
  isConforming,
  newFrameHeader,
  PREFACE,
  readFrameHeader,
  readUint32,
  withoutPadding,
} from './frame.ts';
import { isPlausibleBlock } from './hpack/index.ts';

/** Holds several frames of the default largest size, so that a chain in a bulk transfer can be followed. */
export const SEARCH_BYTES = 128 * 1024;
/** A block's structure is checked so far: the scan must stay linear in its input. */
const CHECKED_BLOCK_BYTES = 128;
/** Offsets of each kind that are neither proven nor refuted; the newest are kept. */
const MAX_CANDIDATES = 64;
/** Chance of a false start at a hint: 2^-34 for random bytes. */
const HINT_BITS = 34;
/** At any offset: 64 thousand tries leave 2^-44; at least three frames, so that one lucky frame is not enough. */
const ANYWHERE_BITS = 60;
const ANYWHERE_FRAMES = 3;
/**
 * Of these the first frame carries so many itself: an empty frame made of the zeros before a true boundary would
 * otherwise borrow the evidence of the true chain.
 */
const FIRST_BITS = 16;
/** A frame with payload that ends exactly where the captured call ends: its length was right to the octet. */
const CALL_END_BITS = 14;
/** Longest frame believed in a chain from a hint: what servers in use announce as SETTINGS_MAX_FRAME_SIZE. */
const HINT_FRAME_BYTES = 1 << 20;
/** Longest frame believed from any other offset; its first octet is 0 then, which makes the scan cheap. */
const ANYWHERE_FRAME_BYTES = 0xffff;

export type Verdict = 'yes' | 'no' | 'more';

/** Answers of `tryBoundary`; any other number is the length from which on it is worth trying again. */
export const PROVEN = 0;
export const REFUTED = -1;

/** Follows the chain of frames from `start` to the end of `bytes`: PROVEN, REFUTED, or when to try again. */
export function tryBoundary(bytes: Uint8Array, start: number, isHint: boolean): number {
  if (isHint) {
    const preface = matchPreface(bytes, start);
    if (preface !== 'no') return preface === 'yes' ? PROVEN : bytes.length + 1;
  }
  return new Chain(bytes, isHint).follow(start);
}

/** Whether the client's preface begins at `start`. */
export function matchPreface(bytes: Uint8Array, start: number): Verdict {
  const lenBytes = Math.min(PREFACE.length, bytes.length - start);
  for (let at = 0; at < lenBytes; at++) if (bytes[start + at] !== PREFACE[at]) return 'no';
  return lenBytes === PREFACE.length ? 'yes' : 'more';
}

const header = newFrameHeader();

class Chain {
  private readonly bytes: Uint8Array;
  private readonly isHint: boolean;
  private bits = 0;
  private frames = 0;
  /** Stream of a header block that is still open: only its CONTINUATION may follow. */
  private openBlock = 0;

  constructor(bytes: Uint8Array, isHint: boolean) {
    this.bytes = bytes;
    this.isHint = isHint;
  }

  follow(start: number): number {
    let at = start;
    while (this.bytes.length - at >= HEADER_BYTES) {
      readFrameHeader(this.bytes, at, header);
      const next = at + HEADER_BYTES + header.lenBytes;
      if (!this.accepts(at + HEADER_BYTES, next)) return REFUTED;
      if (next === this.bytes.length && header.lenBytes > 0) this.bits += CALL_END_BITS;
      if (this.isProven()) return PROVEN;
      at = next;
    }
    return this.bytes.length < at ? at : at + HEADER_BYTES;
  }

  private isProven(): boolean {
    return this.isHint ? this.bits >= HINT_BITS : this.bits >= ANYWHERE_BITS && this.frames >= ANYWHERE_FRAMES;
  }

  private accepts(start: number, end: number): boolean {
    if (header.lenBytes > (this.isHint ? HINT_FRAME_BYTES : ANYWHERE_FRAME_BYTES)) return false;
    if (!isConforming(header) || isPointless(header) || !this.isInSequence()) return false;
    const payloadBits = end <= this.bytes.length ? payloadEvidence(header, this.bytes.subarray(start, end)) : 0;
    const headerBits = headerEvidence(header);
    if (payloadBits < 0 || (this.frames === 0 && !this.isHint && headerBits < FIRST_BITS)) return false;
    this.frames++;
    this.bits += headerBits + payloadBits;
    return true;
  }

  private isInSequence(): boolean {
    const isContinuation = header.type === FRAME.continuation;
    if (isContinuation !== (this.openBlock !== 0)) return false;
    if (isContinuation && header.stream !== this.openBlock) return false;
    if (isContinuation || header.type === FRAME.headers || header.type === FRAME.pushPromise) {
      this.openBlock = header.flags & FLAG.endHeaders ? 0 : header.stream;
    }
    return true;
  }
}

/** Bits of evidence in a conforming header. Few for what rows of small integers and of zeros also look like. */
function headerEvidence(frame: FrameHeader): number {
  const { type, flags, lenBytes } = frame;
  if (type === FRAME.settings) return lenBytes > 0 ? 34 : flags & FLAG.ack ? 20 : 4;
  if (hasExactSize(type) || type === FRAME.goaway) return 34;
  if (type === FRAME.data || type === FRAME.headers) return streamEvidence(frame);
  return 16;
}

/** Even streams are pushes: rare. An empty frame is nine octets of mostly zeros. */
function streamEvidence({ lenBytes, stream }: FrameHeader): number {
  if (lenBytes === 0) return 4;
  return stream % 2 === 1 ? 20 : 8;
}

/** More evidence from a whole payload; negative when it cannot be one. */
function payloadEvidence({ type, flags }: FrameHeader, payload: Uint8Array): number {
  switch (type) {
    case FRAME.windowUpdate:
      return isIncrement(readUint32(payload, 0)) ? 0 : -1;
    case FRAME.headers:
      return headersEvidence(flags, payload);
    case FRAME.data:
      return withoutPadding(flags, payload) === undefined ? -1 : 0;
    default:
      return 0;
  }
}

/** DATA without payload that does not end the stream: legal, sent by nobody, and what zeros look like. */
const isPointless = ({ type, flags, lenBytes }: FrameHeader): boolean =>
  type === FRAME.data && lenBytes === 0 && !(flags & FLAG.endStream);

const isIncrement = (value: number): boolean => value > 0 && value < 0x80000000;

function headersEvidence(flags: number, payload: Uint8Array): number {
  const fragment = withoutPadding(flags, payload)?.subarray(flags & FLAG.priority ? 5 : 0);
  if (fragment === undefined) return -1;
  if (!(flags & FLAG.endHeaders)) return 0;
  return isPlausibleBlock(fragment.subarray(0, CHECKED_BLOCK_BYTES), fragment.length > CHECKED_BLOCK_BYTES) ? 10 : -1;
}

/** An offset that is not refuted yet; `againAt` as answered by `tryBoundary`. */
interface Candidate {
  start: number;
  againAt: number;
}

const isProven = ({ againAt }: Candidate): boolean => againAt === PROVEN;

/** The candidates that remain when `count` bytes before them are dropped. */
const shifted = (candidates: readonly Candidate[], count: number): Candidate[] =>
  candidates
    .filter(({ start }) => start >= count)
    .map(({ start, againAt }) => ({ start: start - count, againAt: againAt - count }));

/** Collects bytes until a boundary is proven. */
export class BoundarySearch {
  private buffer = new Uint8Array(0);
  private length = 0;
  private hints: Candidate[] = [];
  private others: Candidate[] = [];
  /** Every offset before has been looked at. */
  private scanFrom = 0;
  private droppedBytes = 0;

  /** Bytes given up so far: they lie before the boundary. */
  get skippedBytes(): number {
    return this.droppedBytes;
  }

  /** Adds one captured call; returns the bytes from the proven boundary on, or undefined. */
  push(bytes: Uint8Array): Uint8Array | undefined {
    for (let at = 0; at < bytes.length; at += SEARCH_BYTES / 4) {
      const end = Math.min(at + SEARCH_BYTES / 4, bytes.length);
      if (at === 0) this.hints.push({ start: this.length, againAt: 0 });
      this.append(bytes.subarray(at, end));
      const start = this.findBoundary();
      if (start !== undefined) return this.finish(start, bytes.subarray(end));
    }
    return undefined;
  }

  /** Bytes are missing after what was pushed: no chain leads across. */
  drop(): void {
    this.discard(this.length);
    this.hints = [];
    this.others = [];
  }

  /** The earliest boundary that is proven by now; a hint comes first. */
  private findBoundary(): number | undefined {
    const held = this.buffer.subarray(0, this.length);
    this.hints = this.retry(held, this.hints, true);
    this.others = this.retry(held, this.others, false);
    this.scan(held);
    return (this.hints.find(isProven) ?? this.others.find(isProven))?.start;
  }

  /** Tries candidates again where enough bytes came; drops the refuted ones and, of too many, the oldest. */
  private retry(held: Uint8Array, candidates: readonly Candidate[], isHint: boolean): Candidate[] {
    const open: Candidate[] = [];
    for (const candidate of candidates) {
      if (held.length >= candidate.againAt) candidate.againAt = tryBoundary(held, candidate.start, isHint);
      if (candidate.againAt !== REFUTED) open.push(candidate);
    }
    return open.length > MAX_CANDIDATES ? open.slice(-MAX_CANDIDATES) : open;
  }

  /** Looks at the offsets that are new, each once, up to the first that is proven. */
  private scan(held: Uint8Array): void {
    for (; this.scanFrom + HEADER_BYTES <= held.length; this.scanFrom++) {
      if (held[this.scanFrom] !== 0) continue;
      const againAt = tryBoundary(held, this.scanFrom, false);
      if (againAt !== REFUTED) this.others.push({ start: this.scanFrom, againAt });
      if (againAt === PROVEN) return;
    }
    this.others = this.others.slice(-MAX_CANDIDATES);
  }

  private finish(start: number, rest: Uint8Array): Uint8Array {
    this.droppedBytes += start;
    const found = new Uint8Array(this.length - start + rest.length);
    found.set(this.buffer.subarray(start, this.length));
    found.set(rest, this.length - start);
    return found;
  }

  private append(bytes: Uint8Array): void {
    if (this.length + bytes.length > SEARCH_BYTES) this.discard(this.length - SEARCH_BYTES / 2);
    this.grow(this.length + bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  private grow(needBytes: number): void {
    if (needBytes <= this.buffer.length) return;
    const larger = new Uint8Array(Math.min(SEARCH_BYTES, Math.max(needBytes, this.buffer.length * 2)));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }

  private discard(count: number): void {
    this.buffer.copyWithin(0, count, this.length);
    this.length -= count;
    this.droppedBytes += count;
    this.scanFrom = Math.max(0, this.scanFrom - count);
    this.hints = shifted(this.hints, count);
    this.others = shifted(this.others, count);
  }
}
