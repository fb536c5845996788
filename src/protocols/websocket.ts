// WebSocket (RFC 6455) with permessage-deflate (RFC 7692), behind an HTTP/1 101 or an extended CONNECT (RFC 8441). It is
// opened by the engine with what the handshake agreed; the table row serves only where nothing of that is known.
//
// Holes: inside a payload they spoil one message, and with context takeover all later compressed ones of that direction;
// over a frame head the direction cannot be read any more, since no frame boundary can be proved in masked or compressed
// data. When both directions are unreadable the exchange ends as `lost`.
//
// LIMITS: extensions other than permessage-deflate are not decoded; their frames are wire errors.

import type { Dir, EndReason, Side } from '../model/index.ts';
import type { ConnInfo, Protocol, ProtocolParser } from './protocol.ts';
import { deflateAgreement } from './websocket-extensions.ts';
import { type MessageHost, MessageReader } from './websocket-messages.ts';

export interface WebSocketOptions {
  /** Direction of the client, which masks its frames. */
  readonly client: Dir;
  /** Exchange that the messages belong to. */
  readonly stream: number;
  /** Sec-WebSocket-Extensions of the response; undefined: none. */
  readonly extensions: string | undefined;
}

class WebSocketConnection implements ProtocolParser {
  readonly #info: ConnInfo;
  readonly #stream: number;
  readonly #client: Dir;
  readonly #readers: Readonly<Record<Dir, MessageReader>>;
  readonly #unreadable = new Set<Dir>();
  readonly #closed = new Set<Dir>();
  #tsNs = 0n;

  constructor(info: ConnInfo, { client, stream, extensions }: WebSocketOptions) {
    this.#info = info;
    this.#stream = stream;
    this.#client = client;
    const agreement = deflateAgreement(extensions);
    const open = (dir: Dir): MessageReader => {
      const isClient = dir === client;
      const hasTakeover = (isClient ? agreement?.clientTakeover : agreement?.serverTakeover) ?? false;
      return new MessageReader(this.#host(dir), {
        isMasked: isClient,
        isDeflated: agreement !== undefined,
        hasTakeover,
      });
    };
    this.#readers = { out: open('out'), in: open('in') };
  }

  data(dir: Dir, bytes: Uint8Array, tsNs: bigint): void {
    this.#tsNs = tsNs;
    if (!this.#unreadable.has(dir) && !this.#closed.has(dir)) this.#readers[dir].data(bytes);
  }

  gap(dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.#tsNs = tsNs;
    if (this.#closed.has(dir)) return;
    this.#info.emit({ type: 'body-gap', stream: this.#stream, side: this.#side(dir), lostBytes }, tsNs);
    if (this.#unreadable.has(dir)) return;
    this.#readers[dir].spoil();
    if (this.#readers[dir].gap(lostBytes) < lostBytes) this.#giveUp(dir);
  }

  end(_dir: Dir, _why: EndReason, tsNs: bigint): void {
    this.#tsNs = tsNs;
  }

  #side(dir: Dir): Side {
    return dir === this.#client ? 'request' : 'response';
  }

  #host(dir: Dir): MessageHost {
    const stream = this.#stream;
    return {
      message: (binary, text, bytes) =>
        this.#info.emit({ type: 'message', stream, side: this.#side(dir), binary, text, bytes }, this.#tsNs),
      closed: (code) => this.#close(dir, code),
      problem: (code, detail, spec) => {
        this.#info.emit({ type: 'wire-error', stream, dir, code, detail, spec }, this.#tsNs);
        if (code === 'ws.frame') this.#giveUp(dir);
      },
    };
  }

  /** A Close frame is the last of its direction (RFC 6455 §5.5.1). */
  #close(dir: Dir, code: number): void {
    this.#closed.add(dir);
    this.#readers[dir].stop();
    this.#info.emit({ type: 'close-code', stream: this.#stream, side: this.#side(dir), code }, this.#tsNs);
    this.#info.emit({ type: 'side-end', stream: this.#stream, side: this.#side(dir) }, this.#tsNs);
  }

  #giveUp(dir: Dir): void {
    if (this.#unreadable.has(dir)) return;
    this.#unreadable.add(dir);
    const code = 'ws.direction-lost';
    const detail = 'frames of this direction can no longer be found';
    this.#info.emit({ type: 'wire-error', stream: this.#stream, dir, code, detail }, this.#tsNs);
    if (this.#unreadable.size + this.#closed.size > 1)
      this.#info.emit({ type: 'lost', stream: this.#stream }, this.#tsNs);
  }
}

/** Opens the parser behind a handshake. */
export function openWebSocket(info: ConnInfo, options: WebSocketOptions): ProtocolParser {
  return new WebSocketConnection(info, options);
}

/** Never detected by content: a few bytes of masked data prove nothing. Behind a handshake see `openWebSocket`. */
export const websocket: Protocol = {
  name: 'websocket',
  peek: () => 'no',
  open: (info) => openWebSocket(info, { client: 'out', stream: 1, extensions: undefined }),
};
