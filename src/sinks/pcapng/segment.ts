// A TCP segment in an IPv4 packet (RFC 9293 §3.1, RFC 791 §3.1), with right checksums.

export const FLAG = { fin: 1, syn: 2, rst: 4, psh: 8, ack: 16 } as const;

export interface Endpoint {
  /** Four bytes. */
  readonly address: Uint8Array;
  readonly port: number;
}

export interface Segment {
  readonly from: Endpoint;
  readonly to: Endpoint;
  /** Taken modulo 2^32. */
  readonly sequence: number;
  readonly acknowledged: number;
  readonly flags: number;
  readonly payload: Uint8Array;
}

const IP_BYTES = 20;
const TCP_BYTES = 20;
const PROTOCOL_TCP = 6;
const WINDOW = 65_535;

const modulo32 = (value: number): number => value % 2 ** 32;

/** Ones' complement sum of 16-bit words (RFC 1071). */
function checksum(bytes: Uint8Array, start = 0): number {
  let sum = start;
  for (let i = 0; i < bytes.length; i += 2) sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

/** Sum of the pseudo-header that the TCP checksum covers (RFC 9293 §3.1). */
function pseudoSum(from: Uint8Array, to: Uint8Array, tcpBytes: number): number {
  let sum = PROTOCOL_TCP + tcpBytes;
  for (const address of [from, to])
    sum += (((address[0] ?? 0) << 8) | (address[1] ?? 0)) + (((address[2] ?? 0) << 8) | (address[3] ?? 0));
  return sum;
}

export function packetOf({ from, to, sequence, acknowledged, flags, payload }: Segment): Uint8Array {
  const packet = Buffer.alloc(IP_BYTES + TCP_BYTES + payload.length);
  packet[0] = 0x45;
  packet.writeUInt16BE(packet.length, 2);
  packet[6] = 0x40;
  packet[8] = 64;
  packet[9] = PROTOCOL_TCP;
  packet.set(from.address, 12);
  packet.set(to.address, 16);
  packet.writeUInt16BE(checksum(packet.subarray(0, IP_BYTES)), 10);
  const tcp = packet.subarray(IP_BYTES);
  tcp.writeUInt16BE(from.port, 0);
  tcp.writeUInt16BE(to.port, 2);
  tcp.writeUInt32BE(modulo32(sequence), 4);
  tcp.writeUInt32BE(modulo32(acknowledged), 8);
  tcp[12] = (TCP_BYTES / 4) << 4;
  tcp[13] = flags;
  tcp.writeUInt16BE(WINDOW, 14);
  tcp.set(payload, TCP_BYTES);
  tcp.writeUInt16BE(checksum(tcp, pseudoSum(from.address, to.address, tcp.length)), 16);
  return packet;
}
