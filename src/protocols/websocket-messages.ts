// Messages of one side of a WebSocket: fragments joined, inflated, text checked (RFC 6455 §5.4, §5.6, RFC 7692 §6.2).
// Control frames between fragments do not disturb it. Bounded: a message over the limit is reported and passed over.

import { BOMB_RATIO, ByteBuffer, Inflater, strictUtf8 } from '../bytes/index.ts';
import { type FrameHead, type FrameHost, FrameReader } from './websocket-frame.ts';

/** One message after inflating. Responses of the Responses API with all tool schemas reach a few MiB. */
export const MESSAGE_LIMIT_BYTES = 32 * 1024 * 1024;
/** What one side's messages may inflate to before it is compared with what they took: two of the largest. */
export const INFLATED_FREE_BYTES = 64 * 1024 * 1024;
/** RFC 6455 §5.5. */
const CONTROL_LIMIT_BYTES = 125;

const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
/** What a sender cuts off the end of each compressed message (RFC 7692 §7.2.1). */
const FLUSH_TAIL = Uint8Array.of(0, 0, 0xff, 0xff);

export interface MessageHost {
  message(binary: boolean, text: string, bytes: Uint8Array): void;
  /** `code` is 1005 when the frame had none (RFC 6455 §7.4.1). */
  closed(code: number): void;
  problem(code: string, detail: string, spec: string): void;
}

export interface SideOptions {
  /** Frames of this side carry a mask (client) or not; undefined: not known. */
  readonly isMasked: boolean | undefined;
  /** Whether compression was agreed; undefined: not known (joined late). */
  readonly isDeflated: boolean | undefined;
  readonly hasTakeover: boolean;
}

export class MessageReader implements FrameHost {
  readonly #host: MessageHost;
  readonly #options: SideOptions;
  readonly #frames: FrameReader;
  readonly #message = new ByteBuffer(MESSAGE_LIMIT_BYTES);
  readonly #control = new ByteBuffer(CONTROL_LIMIT_BYTES);
  #inflater: Inflater | undefined;
  /** Opcode of the message being joined, 0 between messages. */
  #opcode = 0;
  #isCompressed = false;
  /** The message is damaged or too large: it will not be given out. */
  #isSpoiled = false;
  /** A hole or damage inside compressed data: with context takeover nothing compressed can be read any more. */
  #isContextLost = false;
  /** Of all compressed messages so far. */
  #deflatedBytes = 0;
  #inflatedBytes = 0;
  #frame: FrameHead | undefined;

  constructor(host: MessageHost, options: SideOptions) {
    this.#host = host;
    this.#options = options;
    this.#frames = new FrameReader(this);
  }

  data(bytes: Uint8Array): void {
    this.#frames.data(bytes);
  }

  /** Returns how many of the lost bytes were payload; if that is not all, frames can no longer be found. */
  gap(lostBytes: number): number {
    const inPayload = this.#frames.gap(lostBytes);
    if (inPayload < lostBytes) this.#frames.stop();
    return inPayload;
  }

  /** No more frames are read. */
  stop(): void {
    this.#frames.stop();
  }

  /** A hole spoils the message (or the control frame) that it hits. */
  spoil(): void {
    if (this.#frame === undefined || this.#frame.opcode >= 8) return;
    this.#isSpoiled = true;
    if (this.#isCompressed && this.#options.hasTakeover) this.#isContextLost = true;
  }

  frame(head: FrameHead): boolean {
    this.#frame = head;
    const problem = this.#frameProblem(head);
    if (problem !== undefined) {
      this.#host.problem('ws.frame', problem, 'RFC 6455 §5.2');
      return false;
    }
    this.#control.clear();
    if (head.opcode === OPCODE.text || head.opcode === OPCODE.binary) this.#begin(head);
    return true;
  }

  payload(bytes: Uint8Array): void {
    if ((this.#frame?.opcode ?? 0) >= 8) this.#control.append(bytes);
    else if (this.#isCompressed) this.#inflate(bytes);
    else this.#add(bytes);
  }

  frameEnd(): void {
    const head = this.#frame;
    if (head === undefined) return;
    if (head.opcode === OPCODE.close) this.#host.closed(closeCode(this.#control.view()));
    else if (head.opcode < 8 && head.isFinal) this.#endMessage();
  }

  #frameProblem(head: FrameHead): string | undefined {
    const { opcode, isMasked } = head;
    if ((opcode > 2 && opcode < 8) || opcode > 10) return `opcode ${opcode}`;
    if (this.#options.isMasked !== undefined && this.#options.isMasked !== isMasked) {
      return isMasked ? 'a masked frame from the server' : 'an unmasked frame from the client';
    }
    if (head.isExtended) return 'RSV2 or RSV3 without agreement';
    if (head.isCompressed && (opcode >= 8 || opcode === 0)) return 'RSV1 in a control frame or a continuation';
    if (opcode >= 8)
      return head.isFinal && head.lenBytes <= CONTROL_LIMIT_BYTES ? undefined : 'a long or cut control frame';
    if (head.isCompressed && this.#options.isDeflated === false) return 'RSV1 without agreement';
    if (!Number.isFinite(head.lenBytes)) return 'a length over 2^53';
    if ((opcode === OPCODE.continuation) !== (this.#opcode !== 0)) return 'a fragment out of order';
    return undefined;
  }

  #begin(head: FrameHead): void {
    this.#opcode = head.opcode;
    this.#isCompressed = head.isCompressed;
    this.#message.clear();
    this.#isSpoiled = this.#isCompressed && this.#isContextLost;
    if (this.#isCompressed && !this.#isContextLost) this.#inflater = this.#freshInflater();
  }

  #freshInflater(): Inflater {
    const inflater = this.#inflater ?? new Inflater((bytes) => this.#addInflated(bytes));
    inflater.reset(this.#options.hasTakeover);
    return inflater;
  }

  /** Compressed data goes through the inflater even when the message is spoiled: later messages may refer to it. */
  #inflate(bytes: Uint8Array): void {
    const inflater = this.#inflater;
    if (this.#isContextLost || inflater === undefined) return;
    this.#deflatedBytes += bytes.length;
    let at = 0;
    while (at < bytes.length && !inflater.isCorrupt) {
      at = inflater.push(bytes, at);
      // A sender may end a block as final in the middle of a message (RFC 7692 §7.2.3.4); the next block follows.
      if (inflater.isDone) inflater.reset(true);
      else break;
    }
    if (inflater.isCorrupt) this.#damaged();
  }

  /** False: no more of it is inflated, nor of any later message. */
  #addInflated(bytes: Uint8Array): boolean {
    this.#inflatedBytes += bytes.length;
    const isBomb = this.#inflatedBytes > INFLATED_FREE_BYTES && this.#inflatedBytes > this.#deflatedBytes * BOMB_RATIO;
    if (!isBomb) return this.#add(bytes);
    const detail = `${this.#deflatedBytes} bytes inflate to more than ${this.#inflatedBytes}`;
    this.#host.problem('ws.bomb', detail, 'RFC 6455 §10.4');
    this.#isSpoiled = true;
    this.#isContextLost = true;
    this.#inflater = undefined;
    this.#message.clear();
    return false;
  }

  #damaged(): void {
    if (!this.#isSpoiled)
      this.#host.problem('ws.deflate', 'a compressed message cannot be inflated', 'RFC 7692 §7.2.2');
    this.#isSpoiled = true;
    this.#inflater = undefined;
    this.#isContextLost = this.#options.hasTakeover;
  }

  #add(bytes: Uint8Array): boolean {
    if (this.#isSpoiled || this.#message.append(bytes)) return true;
    this.#host.problem('ws.message-too-large', `more than ${MESSAGE_LIMIT_BYTES} bytes`, 'RFC 6455 §10.4');
    this.#isSpoiled = true;
    this.#message.clear();
    return true;
  }

  #endMessage(): void {
    if (this.#isCompressed) this.#inflate(FLUSH_TAIL);
    const isText = this.#opcode === OPCODE.text;
    this.#opcode = 0;
    if (!this.#isSpoiled) this.#give(isText, this.#message.view());
    this.#message.clear();
  }

  #give(isText: boolean, bytes: Uint8Array): void {
    const text = isText ? strictUtf8(bytes) : '';
    if (text === undefined) this.#host.problem('ws.utf8', 'a text message is not valid UTF-8', 'RFC 6455 §8.1');
    else this.#host.message(!isText, text, bytes);
  }
}

/** RFC 6455 §5.5.1: two bytes in network order, or none. */
function closeCode(payload: Uint8Array): number {
  const [high, low] = payload;
  return high === undefined || low === undefined ? 1005 : high * 256 + low;
}
