// One file of the spool: magic, then per message length and CRC-32 of what follows (u32 little endian each) and a `Waiting`
// of spool.proto. A file whose end was torn off (power cut, kill) is read up to its last whole message.

import { crc32 } from 'node:zlib';
import type { Outgoing } from './message.ts';
import { tracer } from './spool.gen.js';

const { Waiting } = tracer.spool;

export const SEGMENT_MAGIC = new TextEncoder().encode('TRSPOOL1');
const HEAD_BYTES = 8;

/** The message as bytes of a segment. */
export function encodeWaiting(message: Outgoing): Uint8Array {
  const content = Waiting.encode(message).finish();
  const frame = new Uint8Array(HEAD_BYTES + content.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, content.length, true);
  view.setUint32(4, crc32(content), true);
  frame.set(content, HEAD_BYTES);
  return frame;
}

export interface Segment {
  readonly messages: readonly Outgoing[];
  /** Bytes at the end that are no whole message. */
  readonly damagedBytes: number;
}

const isSegment = (bytes: Uint8Array): boolean => SEGMENT_MAGIC.every((byte, i) => bytes[i] === byte);

/** Content of the frame at `at`, or null when there is no whole one. */
function frameAt(bytes: Uint8Array, view: DataView, at: number): Uint8Array | null {
  if (at + HEAD_BYTES > bytes.length) return null;
  const end = at + HEAD_BYTES + view.getUint32(at, true);
  if (end > bytes.length) return null;
  const content = bytes.subarray(at + HEAD_BYTES, end);
  return crc32(content) === view.getUint32(at + 4, true) ? content : null;
}

function toOutgoing(content: Uint8Array): Outgoing | null {
  try {
    const { subject, id, contentType, payload } = Waiting.decode(content);
    return {
      subject: subject ?? '',
      id: id ?? '',
      contentType: contentType ?? '',
      payload: payload ?? new Uint8Array(),
    };
  } catch {
    // A frame with a right checksum and a wrong content: not written by us. The reader counts it as damage.
    return null;
  }
}

export function decodeSegment(bytes: Uint8Array): Segment {
  if (!isSegment(bytes)) return { messages: [], damagedBytes: bytes.length };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const messages: Outgoing[] = [];
  let at = SEGMENT_MAGIC.length;
  for (let content = frameAt(bytes, view, at); content !== null; content = frameAt(bytes, view, at)) {
    const message = toOutgoing(content);
    if (message === null) break;
    messages.push(message);
    at += HEAD_BYTES + content.length;
  }
  return { messages, damagedBytes: bytes.length - at };
}
