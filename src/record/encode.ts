// CaptureRecord to kernel record (bpf/event.h): the inverse of decode.ts, for recordings that are made anew from another
// one. What it writes decodes to the same value.

import type { CaptureRecord, FactsRecord, PeerEvidence, PeerRecord } from '../model/index.ts';
import { parseAddress } from './address.ts';
import type { UserRecord } from './entries.ts';
import {
  FACTS_LAYOUT as FACTS,
  FACTS_EVIDENCE,
  RECORD_LAYOUT as FIELD,
  PEER_LAYOUT as PEER,
  PEER_EVIDENCE,
  PEER_FAMILY,
  RECORD_DIR,
  RECORD_FLAG,
  RECORD_KIND,
} from './layout.gen.ts';

/** Records that the kernel side makes. */
export type KernelRecord = Exclude<CaptureRecord, UserRecord>;

interface Fields {
  readonly kind: number;
  readonly tsNs: bigint;
  readonly pid: number;
  readonly startNs: bigint;
  readonly ssl?: bigint;
  readonly generation?: number;
  readonly offset?: number;
  readonly aux?: number;
  readonly tid?: number;
  readonly hook?: number;
  readonly dir?: number;
  readonly flags?: number;
  readonly payload?: Uint8Array;
}

const NO_BYTES = new Uint8Array();
const utf8 = new TextEncoder();

function write(fields: Fields): Uint8Array {
  const payload = fields.payload ?? NO_BYTES;
  const out = new Uint8Array(FIELD.sizeBytes + payload.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(FIELD.tsNs, fields.tsNs, true);
  view.setBigUint64(FIELD.startNs, fields.startNs, true);
  view.setBigUint64(FIELD.ssl, fields.ssl ?? 0n, true);
  view.setBigUint64(FIELD.offset, BigInt(fields.offset ?? 0), true);
  view.setBigUint64(FIELD.aux, BigInt(fields.aux ?? 0), true);
  view.setUint32(FIELD.pid, fields.pid, true);
  view.setUint32(FIELD.tid, fields.tid ?? 0, true);
  view.setUint32(FIELD.generation, fields.generation ?? 0, true);
  view.setUint32(FIELD.lenBytes, payload.length, true);
  view.setUint32(FIELD.hook, fields.hook ?? 0, true);
  view.setUint16(FIELD.kind, fields.kind, true);
  view.setUint8(FIELD.dir, fields.dir ?? 0);
  view.setUint8(FIELD.flags, fields.flags ?? 0);
  out.set(payload, FIELD.sizeBytes);
  return out;
}

const EVIDENCE = { inside: 'sentInside', after: 'sentAfter' } as const satisfies Record<PeerEvidence, string>;

function peerPayload({ local, remote }: PeerRecord): Uint8Array {
  const out = new Uint8Array(PEER.sizeBytes);
  const view = new DataView(out.buffer);
  const put = (text: string, at: number, portAt: number): void => {
    const address = parseAddress(text);
    if (address === null) return;
    out.set(address.bytes, at);
    view.setUint16(portAt, address.port, true);
    view.setUint32(PEER.family, address.bytes.length === 4 ? PEER_FAMILY.ipv4 : PEER_FAMILY.ipv6, true);
  };
  put(local, PEER.localHigh, PEER.localPort);
  put(remote, PEER.remoteHigh, PEER.remotePort);
  return out;
}

function factsPayload({ version, cipher, alpn = '' }: FactsRecord): Uint8Array {
  const name = utf8.encode(alpn);
  const out = new Uint8Array(FACTS.sizeBytes + name.length);
  const view = new DataView(out.buffer);
  view.setUint32(FACTS.cipher, cipher, true);
  view.setUint16(FACTS.version, version, true);
  view.setUint16(FACTS.alpnBytes, name.length, true);
  out.set(name, FACTS.sizeBytes);
  return out;
}

/** One kernel record. A payload longer than a chunk makes a record that no reader takes: the caller cuts. */
export function encodeRecord(record: KernelRecord): Uint8Array {
  switch (record.kind) {
    case 'data': {
      const { dir, callBytes, callEnd, bytes, ...rest } = record;
      const flags = callEnd ? RECORD_FLAG.callEnd : 0;
      return write({ ...rest, kind: RECORD_KIND.data, dir: RECORD_DIR[dir], aux: callBytes, flags, payload: bytes });
    }
    case 'close': {
      const { outBytes, inBytes, broken, ...rest } = record;
      const flags = broken === true ? RECORD_FLAG.broken : 0;
      return write({ ...rest, kind: RECORD_KIND.close, offset: outBytes, aux: inBytes, flags });
    }
    case 'sni':
      return write({ ...record, kind: RECORD_KIND.sni, payload: utf8.encode(record.host) });
    case 'peer':
      return write({
        ...record,
        kind: RECORD_KIND.peer,
        aux: PEER_EVIDENCE[EVIDENCE[record.evidence]],
        payload: peerPayload(record),
      });
    case 'facts':
      return write({
        ...record,
        kind: RECORD_KIND.facts,
        aux: record.evidence === 'getters' ? FACTS_EVIDENCE.byGetters : FACTS_EVIDENCE.byCipherState,
        payload: factsPayload(record),
      });
    case 'fork': {
      const { tsNs, parentPid, child } = record;
      return write({ kind: RECORD_KIND.fork, tsNs, pid: parentPid, startNs: child.startNs, aux: child.pid });
    }
    case 'exec':
      return write({ ...record, kind: RECORD_KIND.exec, payload: utf8.encode(record.file) });
    case 'exit':
      return write({ ...record, kind: RECORD_KIND.exit, aux: record.code });
  }
}
