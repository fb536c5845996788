// Makes WebSocket frames (RFC 6455 §5.2) and compressed payloads (RFC 7692) for tests.

import { constants, deflateRawSync } from 'node:zlib';
import { bytesOf } from './records.ts';

export interface FrameOptions {
  readonly fin?: boolean;
  readonly rsv1?: boolean;
  readonly mask?: boolean;
}

function lengthBytes(length: number): number[] {
  if (length < 126) return [length];
  if (length < 65_536) return [126, length >> 8, length & 0xff];
  return [127, 0, 0, 0, 0, (length >>> 24) & 0xff, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
}

export function frame(opcode: number, data: string | Uint8Array, options: FrameOptions = {}): Uint8Array {
  const { fin = true, rsv1 = false, mask = false } = options;
  const payload = Uint8Array.from(bytesOf(data));
  const [first = 0, ...rest] = lengthBytes(payload.length);
  const key = mask ? [0x37, 0xfa, 0x21, 0x3d] : [];
  if (mask) for (let at = 0; at < payload.length; at++) payload[at]! ^= key[at & 3]!;
  const head = [(fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode, (mask ? 0x80 : 0) | first, ...rest, ...key];
  return Buffer.concat([Uint8Array.from(head), payload]);
}

/** Compresses messages one after the other. With takeover each may refer to those before (as a dictionary). */
export function compressor(hasTakeover: boolean): (text: string) => Buffer {
  let past = Buffer.alloc(0);
  return (text) => {
    const data = Buffer.from(text);
    const options = { finishFlush: constants.Z_SYNC_FLUSH, ...(past.length > 0 ? { dictionary: past } : {}) };
    const coded = deflateRawSync(data, options);
    if (hasTakeover) past = Buffer.concat([past, data]).subarray(-32_768);
    return coded.subarray(0, -4);
  };
}
