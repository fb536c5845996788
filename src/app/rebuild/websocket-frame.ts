// One WebSocket message as one frame (RFC 6455 §5.2), never compressed: a negotiated extension allows that.

const OPCODE = { text: 1, binary: 2, close: 8 } as const;
/** Clients must mask; a key of zeros leaves the bytes as they are. */
const ZERO_KEY = Buffer.alloc(4);

function lengthBytes(length: number): Buffer {
  if (length < 126) return Buffer.of(length);
  const bytes = Buffer.alloc(length < 65_536 ? 3 : 9);
  bytes[0] = length < 65_536 ? 126 : 127;
  if (length < 65_536) bytes.writeUInt16BE(length, 1);
  else bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

export function webSocketFrame(kind: keyof typeof OPCODE, payload: Uint8Array, isMasked: boolean): Buffer {
  const length = lengthBytes(payload.length);
  length[0] = (length[0] ?? 0) | (isMasked ? 0x80 : 0);
  return Buffer.concat([Buffer.of(0x80 | OPCODE[kind]), length, isMasked ? ZERO_KEY : Buffer.alloc(0), payload]);
}

export function closeFrame(code: number, isMasked: boolean): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return webSocketFrame('close', payload, isMasked);
}
