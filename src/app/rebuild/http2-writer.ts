// HTTP/2 frames back to bytes (RFC 9113 §4, §6). Fields are written as literals without indexing (RFC 7541 §6.2.2), so a
// header block depends on nothing that came before; fields that were not known refer to the same index as they did.

import type { HeaderField, RequestHead, ResponseHead, UnknownField } from '../../model/index.ts';
import { recodedFields } from './http1-writer.ts';

const FRAME = { data: 0, headers: 1, rstStream: 3, settings: 4, continuation: 9 } as const;
const FLAG = { endStream: 0x1, endHeaders: 0x4 } as const;
/** SETTINGS_MAX_FRAME_SIZE before any setting, RFC 9113 §6.5.2. */
const MAX_FRAME_BYTES = 16_384;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const settingsFrame = (): Buffer => frame(FRAME.settings, 0, 0, new Uint8Array());

/** An integer with a prefix of so many bits (RFC 7541 §5.1); `mark` fills the bits before it. */
export function hpackInteger(value: number, prefixBits: number, mark: number): Buffer {
  const max = 2 ** prefixBits - 1;
  if (value < max) return Buffer.of(mark | value);
  const bytes = [mark | max];
  let rest = value - max;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([hpackInteger(bytes.length, 7, 0), bytes]);
}

const literal = ([name, value]: HeaderField): Buffer => Buffer.concat([Buffer.of(0), text(name), text(value)]);

/** RFC 7541 §6.1: the entry as a whole; §6.2.2: its name with a literal value. */
const unknown = ({ index, value }: UnknownField): Buffer =>
  value === undefined ? hpackInteger(index, 7, 0x80) : Buffer.concat([hpackInteger(index, 4, 0), text(value)]);

function block(fields: readonly HeaderField[], unknowns: readonly UnknownField[]): Buffer {
  const parts = fields.map(literal);
  for (const field of [...unknowns].sort((a, b) => a.position - b.position))
    parts.splice(Math.min(field.position, parts.length), 0, unknown(field));
  return Buffer.concat(parts);
}

/** HEADERS, and CONTINUATION for what does not fit. */
function headerFrames(stream: number, bytes: Buffer, endStream: boolean): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_FRAME_BYTES) {
    const isLast = at + MAX_FRAME_BYTES >= bytes.length;
    const flags = (isLast ? FLAG.endHeaders : 0) | (endStream && at === 0 ? FLAG.endStream : 0);
    frames.push(
      frame(at === 0 ? FRAME.headers : FRAME.continuation, flags, stream, bytes.subarray(at, at + MAX_FRAME_BYTES)),
    );
  }
  return Buffer.concat(frames);
}

const pseudo = (name: string, value: string | null | undefined): HeaderField[] =>
  value === null || value === undefined ? [] : [[name, value]];

export function requestFrames(stream: number, head: RequestHead): Buffer {
  const fields = [
    ...pseudo(':method', head.method),
    ...pseudo(':scheme', head.scheme),
    ...pseudo(':authority', head.authority),
    ...pseudo(':path', head.path),
    ...pseudo(':protocol', head.protocol),
    ...recodedFields(head.headers, false),
  ];
  return headerFrames(stream, block(fields, head.unknown), false);
}

export function responseFrames(stream: number, head: ResponseHead): Buffer {
  const status = pseudo(':status', head.status === null ? null : String(head.status));
  return headerFrames(stream, block([...status, ...recodedFields(head.headers, false)], head.unknown), false);
}

export const trailerFrames = (stream: number, headers: readonly HeaderField[]): Buffer =>
  headerFrames(stream, block(headers, []), true);

/** DATA frames; at least one, possibly empty. */
export function dataFrames(stream: number, bytes: Uint8Array, endStream = false): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_FRAME_BYTES) {
    const isLast = at + MAX_FRAME_BYTES >= bytes.length;
    const flags = endStream && isLast ? FLAG.endStream : 0;
    frames.push(frame(FRAME.data, flags, stream, bytes.subarray(at, at + MAX_FRAME_BYTES)));
  }
  return Buffer.concat(frames);
}

/** Heads of DATA frames whose payloads were lost: each with the size of its payload. */
export function lostFrames(stream: number, lostBytes: number): { readonly head: Buffer; readonly lostBytes: number }[] {
  const frames = [];
  for (let left = lostBytes; left > 0; left -= MAX_FRAME_BYTES) {
    const size = Math.min(left, MAX_FRAME_BYTES);
    const head = frame(FRAME.data, 0, stream, new Uint8Array());
    head.writeUIntBE(size, 0, 3);
    frames.push({ head, lostBytes: size });
  }
  return frames;
}

export function resetFrame(stream: number, errorCode: number): Buffer {
  const code = Buffer.alloc(4);
  code.writeUInt32BE(errorCode);
  return frame(FRAME.rstStream, 0, stream, code);
}
