// Kernel record (bpf/event.h: 64-byte header, then payload, little-endian) to CaptureRecord. Live capture and replay
// both come through here, so they see the same values. Never throws: bytes that are not a record become a
// MalformedRecord that says why. Knows neither the ring buffer nor files.

import type { CaptureRecord, Dir } from '../model/index.ts';
import { addressText } from './address.ts';
import {
  FACTS_LAYOUT as FACTS,
  FACTS_EVIDENCE,
  RECORD_LAYOUT as FIELD,
  MAX_CHUNK_BYTES,
  PEER_LAYOUT as PEER,
  PEER_EVIDENCE,
  PEER_FAMILY,
  RECORD_DIR,
  RECORD_FLAG,
  RECORD_KIND,
} from './layout.gen.ts';

/** Bytes that were handed over as a record and are none. */
export interface MalformedRecord {
  readonly kind: 'malformed';
  readonly problem: string;
}

export type DecodedRecord = CaptureRecord | MalformedRecord;

const HEADER_BYTES = FIELD.sizeBytes;
const text = new TextDecoder('utf-8', { ignoreBOM: true });

const malformed = (problem: string): MalformedRecord => ({ kind: 'malformed', problem });

/**
 * A 64-bit count as a number, without the cost of a bigint. Above 2^53 the result is inexact; `isExact` tells, and a
 * connection never carries that much.
 */
const count64 = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

const isExact = (count: number): boolean => count <= Number.MAX_SAFE_INTEGER;

/** What the header alone tells about the record's soundness, or null. */
function headerProblem(view: DataView, start: number, lenBytes: number): string | null {
  if (lenBytes < HEADER_BYTES) return 'shorter than its header';
  const payloadBytes = view.getUint32(start + FIELD.lenBytes, true);
  if (payloadBytes > MAX_CHUNK_BYTES) return 'payload longer than a chunk';
  // The ring reserves in size classes: what follows the payload is old memory and must not be read.
  if (payloadBytes > lenBytes - HEADER_BYTES) return 'payload shorter than announced';
  if (view.getUint8(start + FIELD.dir) > RECORD_DIR.in) return 'unknown direction';
  return null;
}

/**
 * The record's own bytes, without what the ring's size class left behind it; all of `entry` when its header makes no sense.
 */
export function ownBytes(entry: Uint8Array): Uint8Array {
  if (entry.length < HEADER_BYTES) return entry;
  const payloadBytes = new DataView(entry.buffer, entry.byteOffset, HEADER_BYTES).getUint32(FIELD.lenBytes, true);
  return entry.subarray(0, HEADER_BYTES + payloadBytes);
}

/**
 * A decoder over one batch of records: `decode(start, end)` reads the record in that range of the batch. One DataView
 * serves the whole batch. Payloads are views into `batch`.
 */
export function recordDecoder(batch: Uint8Array): (start: number, end: number) => DecodedRecord {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  return (start, end) => {
    const lenBytes = Math.min(end, batch.byteLength) - start;
    const problem = headerProblem(view, start, lenBytes);
    return problem === null ? decodeSound(view, batch, start) : malformed(problem);
  };
}

/** One record that stands alone. */
export const decodeRecord = (bytes: Uint8Array): DecodedRecord => recordDecoder(bytes)(0, bytes.byteLength);

const processKey = (view: DataView, start: number) => ({
  pid: view.getUint32(start + FIELD.pid, true),
  startNs: view.getBigUint64(start + FIELD.startNs, true),
});

const connectionKey = (view: DataView, start: number) => ({
  pid: view.getUint32(start + FIELD.pid, true),
  startNs: view.getBigUint64(start + FIELD.startNs, true),
  ssl: view.getBigUint64(start + FIELD.ssl, true),
  generation: view.getUint32(start + FIELD.generation, true),
});

const payload = (view: DataView, batch: Uint8Array, start: number): Uint8Array =>
  batch.subarray(start + HEADER_BYTES, start + HEADER_BYTES + view.getUint32(start + FIELD.lenBytes, true));

/** `start` has a whole header and the payload that it announces. */
function decodeSound(view: DataView, batch: Uint8Array, start: number): DecodedRecord {
  const tsNs = view.getBigUint64(start + FIELD.tsNs, true);
  const kind = view.getUint16(start + FIELD.kind, true);
  switch (kind) {
    case RECORD_KIND.data:
      return decodeData(view, batch, start, tsNs);
    case RECORD_KIND.close:
      return decodeClose(view, start, tsNs);
    case RECORD_KIND.sni:
      return { kind: 'sni', tsNs, ...connectionKey(view, start), host: text.decode(payload(view, batch, start)) };
    case RECORD_KIND.peer:
      return decodePeer(view, batch, start, tsNs);
    case RECORD_KIND.facts:
      return decodeFacts(view, batch, start, tsNs);
    case RECORD_KIND.fork:
      return decodeFork(view, start, tsNs);
    case RECORD_KIND.exec:
      return { kind: 'exec', tsNs, ...processKey(view, start), file: text.decode(payload(view, batch, start)) };
    case RECORD_KIND.exit:
      return { kind: 'exit', tsNs, ...processKey(view, start), code: view.getUint32(start + FIELD.aux, true) };
    default:
      return malformed(`unknown kind ${kind}`);
  }
}

function decodePeer(view: DataView, batch: Uint8Array, start: number, tsNs: bigint): DecodedRecord {
  if (view.getUint32(start + FIELD.lenBytes, true) !== PEER.sizeBytes) return malformed('peer of another size');
  const at = start + HEADER_BYTES;
  const lenBytes = view.getUint32(at + PEER.family, true) === PEER_FAMILY.ipv4 ? 4 : 16;
  const address = (offset: number, port: number): string =>
    addressText(batch.subarray(at + offset, at + offset + lenBytes), view.getUint16(at + port, true));
  const how = count64(view, start + FIELD.aux);
  return {
    kind: 'peer',
    tsNs,
    ...connectionKey(view, start),
    local: address(PEER.localHigh, PEER.localPort),
    remote: address(PEER.remoteHigh, PEER.remotePort),
    evidence: how === PEER_EVIDENCE.sentInside ? 'inside' : 'after',
  };
}

function decodeFacts(view: DataView, batch: Uint8Array, start: number, tsNs: bigint): DecodedRecord {
  const at = start + HEADER_BYTES;
  const nameBytes = view.getUint32(start + FIELD.lenBytes, true) - FACTS.sizeBytes;
  if (nameBytes < 0 || view.getUint16(at + FACTS.alpnBytes, true) !== nameBytes)
    return malformed('facts of another size');
  const name = batch.subarray(at + FACTS.sizeBytes, at + FACTS.sizeBytes + nameBytes);
  return {
    kind: 'facts',
    tsNs,
    ...connectionKey(view, start),
    version: view.getUint16(at + FACTS.version, true),
    cipher: view.getUint32(at + FACTS.cipher, true),
    ...(nameBytes > 0 && { alpn: text.decode(name) }),
    evidence: count64(view, start + FIELD.aux) === FACTS_EVIDENCE.byCipherState ? 'cipher-state' : 'getters',
  };
}

/** The hot case: one object, no spread. */
function decodeData(view: DataView, batch: Uint8Array, start: number, tsNs: bigint): DecodedRecord {
  const offset = count64(view, start + FIELD.offset);
  const callBytes = count64(view, start + FIELD.aux);
  if (!isExact(offset) || !isExact(callBytes)) return malformed('offset out of range');
  const dir: Dir = view.getUint8(start + FIELD.dir) === RECORD_DIR.out ? 'out' : 'in';
  return {
    kind: 'data',
    tsNs,
    pid: view.getUint32(start + FIELD.pid, true),
    startNs: view.getBigUint64(start + FIELD.startNs, true),
    ssl: view.getBigUint64(start + FIELD.ssl, true),
    generation: view.getUint32(start + FIELD.generation, true),
    tid: view.getUint32(start + FIELD.tid, true),
    hook: view.getUint32(start + FIELD.hook, true),
    dir,
    offset,
    callBytes,
    callEnd: (view.getUint8(start + FIELD.flags) & RECORD_FLAG.callEnd) !== 0,
    bytes: payload(view, batch, start),
  };
}

function decodeClose(view: DataView, start: number, tsNs: bigint): DecodedRecord {
  const outBytes = count64(view, start + FIELD.offset);
  const inBytes = count64(view, start + FIELD.aux);
  if (!isExact(outBytes) || !isExact(inBytes)) return malformed('offset out of range');
  const isBroken = (view.getUint8(start + FIELD.flags) & RECORD_FLAG.broken) !== 0;
  const broken = isBroken ? ({ broken: true } as const) : {};
  return { kind: 'close', tsNs, ...connectionKey(view, start), outBytes, inBytes, ...broken };
}

function decodeFork(view: DataView, start: number, tsNs: bigint): DecodedRecord {
  const child = {
    pid: view.getUint32(start + FIELD.aux, true),
    startNs: view.getBigUint64(start + FIELD.startNs, true),
  };
  return { kind: 'fork', tsNs, parentPid: view.getUint32(start + FIELD.pid, true), child };
}
