// pcapng blocks (IETF draft-ietf-opsawg-pcapng): section header, interface description, enhanced packet, name resolution.
// Little-endian; times in nanoseconds.

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE_DESCRIPTION = 1;
const NAME_RESOLUTION = 4;
const ENHANCED_PACKET = 6;

const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
/** Raw IP: packets begin with the IP header. */
const LINKTYPE_RAW = 101;
/** Option `if_tsresol`: units of 10^-9 s. */
const NANOSECONDS = 9;

const OPTION = { end: 0, comment: 1, interfaceName: 2, timeResolution: 9, application: 4 } as const;
const RECORD = { end: 0, ipv4: 1 } as const;

const padded = (lenBytes: number): number => (lenBytes + 3) & ~3;

/** Code, length, value, padding to 32 bits: the form of options and of name records. */
function field(code: number, value: Uint8Array): Buffer {
  const out = Buffer.alloc(4 + padded(value.length));
  out.writeUInt16LE(code, 0);
  out.writeUInt16LE(value.length, 2);
  out.set(value, 4);
  return out;
}

/** Longest value of a field: its length is 16 bits. */
const MAX_FIELD_BYTES = 0xffff;

const textField = (code: number, text: string): Buffer => field(code, Buffer.from(text).subarray(0, MAX_FIELD_BYTES));

const END_OF_OPTIONS = field(OPTION.end, new Uint8Array());

function block(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const bodyBytes = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(12 + bodyBytes, 4);
  return Buffer.concat([head, ...parts, head.subarray(4)]);
}

/** Opens a file: one section with one interface. */
export function openSection(application: string): Buffer {
  const section = Buffer.alloc(16);
  section.writeUInt32LE(BYTE_ORDER_MAGIC, 0);
  section.writeUInt16LE(1, 4);
  // Length of the section: not known, -1.
  section.writeBigInt64LE(-1n, 8);
  const device = Buffer.alloc(8);
  device.writeUInt16LE(LINKTYPE_RAW, 0);
  const name = textField(OPTION.interfaceName, 'tls-plaintext');
  const resolution = field(OPTION.timeResolution, Uint8Array.of(NANOSECONDS));
  return Buffer.concat([
    block(SECTION_HEADER, section, textField(OPTION.application, application), END_OF_OPTIONS),
    block(INTERFACE_DESCRIPTION, device, name, resolution, END_OF_OPTIONS),
  ]);
}

/** `packet` at `utcNs`; `comment` is shown beside it. */
export function packetBlock(utcNs: bigint, packet: Uint8Array, comment?: string): Buffer {
  const head = Buffer.alloc(20);
  head.writeUInt32LE(Number(utcNs >> 32n), 4);
  head.writeUInt32LE(Number(utcNs & 0xffffffffn), 8);
  head.writeUInt32LE(packet.length, 12);
  head.writeUInt32LE(packet.length, 16);
  const padding = new Uint8Array(padded(packet.length) - packet.length);
  const options = comment === undefined ? [] : [textField(OPTION.comment, comment), END_OF_OPTIONS];
  return block(ENHANCED_PACKET, head, packet, padding, ...options);
}

/** Says that `address` (4 bytes) is called `name`. */
export function nameBlock(address: Uint8Array, name: string): Buffer {
  const value = Buffer.concat([address, Buffer.from(`${name}\0`)]);
  return block(NAME_RESOLUTION, field(RECORD.ipv4, value), field(RECORD.end, new Uint8Array()));
}
