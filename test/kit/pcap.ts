// A capture file of made-up TCP connections with given plaintext, for tshark: classic pcap with raw IPv4 packets, handshake,
// data and close of each connection, sequence numbers right. Only for tests; nothing of the project's own writer is in it.
import type { Dir } from '../../src/model/index.ts';

export interface Segment {
  readonly dir: Dir;
  readonly bytes: Uint8Array;
}

/** Largest payload that fits an IPv4 packet; longer segments are cut. */
const PAYLOAD_BYTES = 60_000;
const LINKTYPE_RAW = 101;
const FIN_ACK = 0x11;
const SYN = 0x02;
const SYN_ACK = 0x12;
const PSH_ACK = 0x18;
const CLIENT_PORT = 20_000;

class Conversation {
  readonly packets: Buffer[] = [];
  readonly #next: Record<Dir, number> = { out: 1000, in: 5000 };
  readonly #clientPort: number;
  readonly #serverPort: number;

  constructor(clientPort: number, serverPort: number) {
    this.#clientPort = clientPort;
    this.#serverPort = serverPort;
  }

  send(dir: Dir, flags: number, payload: Uint8Array = new Uint8Array(0)): void {
    const isOut = dir === 'out';
    const tcp = Buffer.alloc(20);
    tcp.writeUInt16BE(isOut ? this.#clientPort : this.#serverPort, 0);
    tcp.writeUInt16BE(isOut ? this.#serverPort : this.#clientPort, 2);
    tcp.writeUInt32BE(this.#next[dir], 4);
    tcp.writeUInt32BE(flags === SYN ? 0 : this.#next[isOut ? 'in' : 'out'], 8);
    tcp.writeUInt16BE(0x5000 | flags, 12);
    tcp.writeUInt16BE(0xffff, 14);
    const address = (last: number): number[] => [10, 0, 0, last];
    const ip = Buffer.from([
      0x45,
      0,
      0,
      0,
      0,
      0,
      0x40,
      0,
      64,
      6,
      0,
      0,
      ...address(isOut ? 1 : 2),
      ...address(isOut ? 2 : 1),
    ]);
    ip.writeUInt16BE(40 + payload.length, 2);
    this.#next[dir] += payload.length + (flags & 0x03 ? 1 : 0);
    this.packets.push(Buffer.concat([ip, tcp, payload]));
  }
}

/** Connection N comes from port 20000 + N and goes to `serverPort`; tshark numbers the streams in the same order. */
export function pcapOf(connections: readonly { serverPort: number; segments: readonly Segment[] }[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(0x40000, 16);
  head.writeUInt32LE(LINKTYPE_RAW, 20);
  const packets = connections.flatMap(({ serverPort, segments }, at) =>
    converse(CLIENT_PORT + at, serverPort, segments),
  );
  return Buffer.concat([head, ...packets.flatMap((packet, at) => [recordHead(packet, at), packet])]);
}

function converse(clientPort: number, serverPort: number, segments: readonly Segment[]): Buffer[] {
  const conversation = new Conversation(clientPort, serverPort);
  conversation.send('out', SYN);
  conversation.send('in', SYN_ACK);
  for (const { dir, bytes } of segments) {
    for (let at = 0; at < bytes.length; at += PAYLOAD_BYTES) {
      conversation.send(dir, PSH_ACK, bytes.subarray(at, at + PAYLOAD_BYTES));
    }
  }
  conversation.send('in', FIN_ACK);
  conversation.send('out', FIN_ACK);
  return conversation.packets;
}

function recordHead(packet: Buffer, microseconds: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(1_700_000_000, 0);
  head.writeUInt32LE(microseconds, 4);
  head.writeUInt32LE(packet.length, 8);
  head.writeUInt32LE(packet.length, 12);
  return head;
}
