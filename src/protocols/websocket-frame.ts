// Frames of RFC 6455 §5.2 in one direction, cut anywhere. Payloads are unmasked and passed on in pieces; what a message
// is, is the caller's knowledge.
//
//   0 F R R R opcode(4) | M length(7) | 16 or 64 more length bits | masking key (32, if M) | payload

import { ByteBuffer } from '../bytes/index.ts';

/** Longest frame head: 2 + 8 length + 4 key. */
const HEAD_MAX_BYTES = 14;

export interface FrameHead {
  readonly isFinal: boolean;
  /** RSV1 set: compressed (RFC 7692 §6). */
  readonly isCompressed: boolean;
  /** RSV2 or RSV3 set: an extension that is not decoded (RFC 6455 §5.2). */
  readonly isExtended: boolean;
  readonly opcode: number;
  readonly isMasked: boolean;
  readonly lenBytes: number;
  readonly headBytes: number;
}

export interface FrameHost {
  /** False: the frame breaks the protocol and reading must stop. */
  frame(head: FrameHead): boolean;
  /** Unmasked payload bytes of the frame; a view. */
  payload(bytes: Uint8Array): void;
  frameEnd(): void;
}

/** Reads the head at the start of `bytes`; undefined: more bytes are needed. A length over 2^53 reads as Infinity. */
export function parseFrameHead(bytes: Uint8Array): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const headBytes = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < headBytes) return undefined;
  let lenBytes = lengthBytes === 0 ? short : 0;
  for (let at = 2; at < 2 + lengthBytes; at++) lenBytes = lenBytes * 256 + (bytes[at] ?? 0);
  return {
    isFinal: (first & 0x80) !== 0,
    isCompressed: (first & 0x40) !== 0,
    isExtended: (first & 0x30) !== 0,
    opcode: first & 0x0f,
    isMasked,
    lenBytes: Number.isSafeInteger(lenBytes) ? lenBytes : Number.POSITIVE_INFINITY,
    headBytes,
  };
}

export class FrameReader {
  readonly #host: FrameHost;
  readonly #head = new ByteBuffer(HEAD_MAX_BYTES);
  #key: Uint8Array | undefined;
  /** Payload bytes read and left of the current frame; `#left` is -1 between frames. */
  #read = 0;
  #left = -1;
  #isStopped = false;

  constructor(host: FrameHost) {
    this.#host = host;
  }

  data(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#isStopped)
      at = this.#left < 0 ? this.#readHead(bytes, at) : this.#readPayload(bytes, at);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Passes over lost bytes. Returns how many of them were payload of the current frame; the rest hit frame heads. */
  gap(lostBytes: number): number {
    const inPayload = Math.min(lostBytes, Math.max(0, this.#left));
    if (inPayload > 0) this.#advance(inPayload);
    return inPayload;
  }

  #readHead(bytes: Uint8Array, at: number): number {
    const before = this.#head.length;
    const taken = bytes.subarray(at, at + this.#head.room);
    this.#head.append(taken);
    const head = parseFrameHead(this.#head.view());
    if (head === undefined) return at + taken.length;
    this.#key = head.isMasked ? this.#head.view().slice(head.headBytes - 4, head.headBytes) : undefined;
    this.#head.clear();
    this.#read = 0;
    this.#left = head.lenBytes;
    if (!this.#host.frame(head)) this.#isStopped = true;
    else if (head.lenBytes === 0) this.#advance(0);
    return at + head.headBytes - before;
  }

  #readPayload(bytes: Uint8Array, at: number): number {
    const part = bytes.subarray(at, at + this.#left);
    this.#host.payload(this.#key === undefined ? part : unmask(part, this.#key, this.#read));
    this.#advance(part.length);
    return at + part.length;
  }

  #advance(count: number): void {
    this.#read += count;
    this.#left -= count;
    if (this.#left > 0) return;
    this.#left = -1;
    this.#host.frameEnd();
  }
}

/** RFC 6455 §5.3. The input is not changed: it belongs to the record. */
function unmask(bytes: Uint8Array, key: Uint8Array, offset: number): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) plain[at] = (bytes[at] as number) ^ (key[(offset + at) & 3] as number);
  return plain;
}
