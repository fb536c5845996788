// The server end of a WebSocket (RFC 6455) for Responses calls: text messages, client masking, fragments, close, and
// permessage-deflate with context takeover in both directions (RFC 7692). Only what the stand-in service needs.
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TAIL = Buffer.from([0, 0, 0xff, 0xff]);
const OPCODE = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 };

/** Frames without masking, as servers send. @param {number} opcode @param {Buffer} payload @param {boolean} isCompressed */
const frame = (opcode, payload, isCompressed) => {
  const first = 0x80 | (isCompressed ? 0x40 : 0) | opcode;
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload]);
  const head = Buffer.alloc(payload.length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  else head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
};

/** @param {Buffer} bytes @returns {{ first: number, payload: Buffer, size: number } | undefined} undefined: more bytes are needed */
const parseFrame = (bytes) => {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extra + 4) return undefined;
  const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const at = 2 + extra + 4;
  if (bytes.length < at + length) return undefined;
  const mask = bytes.subarray(at - 4, at);
  const payload = Buffer.from(bytes.subarray(at, at + length)).map((byte, i) => byte ^ mask[i & 3]);
  return { first: bytes[0], payload: Buffer.from(payload), size: at + length };
};

/** A zlib stream used as a synchronous-looking function with a context that lives on. @param {zlib.DeflateRaw | zlib.InflateRaw} stream */
const streamed = (stream) => (/** @type {Buffer} */ input) =>
  new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const out = [];
    const collect = (/** @type {Buffer} */ piece) => out.push(piece);
    stream.on('data', collect);
    stream.once('error', reject);
    stream.write(input);
    stream.flush(zlib.constants.Z_SYNC_FLUSH, () => {
      stream.off('data', collect);
      stream.off('error', reject);
      resolve(Buffer.concat(out));
    });
  });

/** One accepted connection; `onMessage` gets each whole text and is awaited before the next. */
export class WebSocketPeer {
  #socket;
  #onMessage;
  #waiting = Buffer.alloc(0);
  /** Payloads of the fragments of the message that is arriving. @type {Buffer[]} */
  #parts = [];
  #isPartCompressed = false;
  #deflate;
  #inflate;
  #work = Promise.resolve();

  /**
   * @param {import('node:stream').Duplex} socket
   * @param {{ compress: boolean, onMessage: (text: string, peer: WebSocketPeer) => Promise<void> }} options
   */
  constructor(socket, { compress, onMessage }) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    this.#deflate = compress ? streamed(zlib.createDeflateRaw()) : undefined;
    this.#inflate = compress ? streamed(zlib.createInflateRaw()) : undefined;
    socket.on('data', (bytes) => this.#feed(bytes));
    socket.on('error', () => socket.destroy());
  }

  /** @param {string} text */
  async send(text) {
    const plain = Buffer.from(text);
    if (!this.#deflate) return void this.#socket.write(frame(OPCODE.text, plain, false));
    const packed = await this.#deflate(plain);
    this.#socket.write(frame(OPCODE.text, packed.subarray(0, packed.length - TAIL.length), true));
  }

  /** @param {Buffer} bytes */
  #feed(bytes) {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    for (let next = parseFrame(this.#waiting); next; next = parseFrame(this.#waiting)) {
      const { first, payload } = next;
      this.#waiting = this.#waiting.subarray(next.size);
      this.#work = this.#work.then(() => this.#take(first, payload));
    }
  }

  /** @param {number} first @param {Buffer} payload */
  async #take(first, payload) {
    const opcode = first & 0x0f;
    if (opcode === OPCODE.ping) return void this.#socket.write(frame(OPCODE.pong, payload, false));
    if (opcode === OPCODE.close) return void this.#socket.end(frame(OPCODE.close, payload, false));
    if (opcode === OPCODE.text) this.#isPartCompressed = (first & 0x40) !== 0;
    this.#parts.push(payload);
    if ((first & 0x80) === 0) return;
    const whole = Buffer.concat(this.#parts.splice(0));
    const plain = this.#isPartCompressed && this.#inflate ? await this.#inflate(Buffer.concat([whole, TAIL])) : whole;
    await this.#onMessage(plain.toString(), this);
  }
}

/**
 * Answers the upgrade. @param {import('node:http').IncomingMessage} request @param {import('node:stream').Duplex} socket
 * @returns {{ compress: boolean, acceptHead: string }}
 */
export function acceptUpgrade(request, socket) {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
  const compress = /permessage-deflate/.test(String(request.headers['sec-websocket-extensions'] ?? ''));
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
  ];
  if (compress) lines.push('Sec-WebSocket-Extensions: permessage-deflate');
  const acceptHead = `${lines.join('\r\n')}\r\n\r\n`;
  socket.write(acceptHead);
  return { compress, acceptHead };
}
