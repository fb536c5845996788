// A recording made of records as values: what a live capture of the same traffic would have written.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptureRecord, DataRecord, SessionRecord } from '../../src/model/index.ts';
import { createRecordingWriter, encodeRecord, PEER_FAMILY, PEER_LAYOUT } from '../../src/record/index.ts';
import { kernelRecord } from '../record/kernel-record.ts';
import { Script, type ScriptedConnection } from './records.ts';

export const WALL_NS = 1_772_373_909_042_000_000n;

export const RECORDING_FACTS = {
  monoNs: 1000n,
  wallNs: WALL_NS,
  bootId: '5c2c0c0e-6f6e-4d9e-8f6a-0d6b6b1c2a3f',
  host: 'workstation',
  toolVersion: '0.1.0',
};

export const sessionRecord = (phase: 'start' | 'end', tsNs: bigint): SessionRecord => ({
  kind: 'session',
  tsNs,
  phase,
  wallNs: WALL_NS + tsNs - 1000n,
  host: 'workstation',
  toolVersion: '0.1.0',
  reason: phase === 'end' ? 'interrupted' : '',
});

const keyOf = ({ pid, startNs, ssl, generation }: DataRecord) => ({ pid, startNs, ssl, generation });

/** `struct tr_peer` of two IPv4 sockets. */
function peerPayload({ local, remote }: { readonly local: string; readonly remote: string }): Uint8Array {
  const payload = Buffer.alloc(PEER_LAYOUT.sizeBytes);
  const put = (text: string, at: number, portAt: number): void => {
    const [address = '', port] = text.split(':');
    payload.set(address.split('.').map(Number), at);
    payload.writeUInt16LE(Number(port), portAt);
  };
  put(local, PEER_LAYOUT.localHigh, PEER_LAYOUT.localPort);
  put(remote, PEER_LAYOUT.remoteHigh, PEER_LAYOUT.remotePort);
  payload.writeUInt32LE(PEER_FAMILY.ipv4, PEER_LAYOUT.family);
  return payload;
}

/** The kernel's bytes of a record; null for those that user space makes. */
function rawOf(record: CaptureRecord): Uint8Array | null {
  const { tsNs } = record;
  switch (record.kind) {
    case 'data': {
      const dir = record.dir === 'out' ? 0 : 1;
      const place = {
        offset: BigInt(record.offset),
        aux: BigInt(record.callBytes),
        tid: record.tid,
        hook: record.hook,
      };
      return kernelRecord({ kind: 1, tsNs, ...keyOf(record), dir, ...place, payload: record.bytes });
    }
    case 'close': {
      const { pid, startNs, ssl, generation, outBytes, inBytes } = record;
      const key = { pid, startNs, ssl, generation };
      return kernelRecord({ kind: 2, tsNs, ...key, offset: BigInt(outBytes), aux: BigInt(inBytes), flags: 0 });
    }
    case 'sni': {
      const { pid, startNs, ssl, generation, host } = record;
      return kernelRecord({ kind: 3, tsNs, pid, startNs, ssl, generation, payload: host });
    }
    case 'peer': {
      const { pid, startNs, ssl, generation } = record;
      return kernelRecord({ kind: 7, tsNs, pid, startNs, ssl, generation, aux: 1n, payload: peerPayload(record) });
    }
    case 'facts':
      return encodeRecord(record);
    case 'exit':
      return kernelRecord({ kind: 6, tsNs, pid: record.pid, startNs: record.startNs, aux: BigInt(record.code) });
    default:
      return null;
  }
}

/** The bytes of a recording of these records, with `perBlock` records in each block. */
export function recordingBytes(
  records: readonly CaptureRecord[],
  perBlock = 1000,
  facts = RECORDING_FACTS,
): Uint8Array {
  const writer = createRecordingWriter();
  const frames = [writer.header(facts)];
  records.forEach((record, i) => {
    const raw = rawOf(record);
    if (raw !== null) writer.addKernel(raw);
    else writer.addUser(record as SessionRecord);
    if (i % perBlock !== perBlock - 1 && i !== records.length - 1) return;
    frames.push(writer.frame(writer.takeBlock()!, null));
  });
  frames.push(writer.finish(false));
  return new Uint8Array(Buffer.concat(frames));
}

export const scratch = (name: string): string => join(mkdtempSync(join(tmpdir(), 'tracer-test-')), name);

/** A file of a session in which `script` said what happened. */
export function recordingFile(act: (script: Script) => void, facts = RECORDING_FACTS): string {
  const script = new Script();
  script.add(sessionRecord('start', script.tick()));
  act(script);
  script.add(sessionRecord('end', script.tick()));
  const path = scratch('a.trc');
  writeFileSync(path, recordingBytes(script.records, 1000, facts));
  return path;
}

/** The kernel side sends no longer ones. */
const CHUNK_BYTES = 16_384;

const textBytes = (text: string): number => Buffer.byteLength(text);

/** A request with a JSON body and its answer, over HTTP/1.1. `response` is the answer's body. */
export function exchange(
  connection: ScriptedConnection,
  {
    path = '/chat/completions',
    host = 'api.githubcopilot.com',
    request = '{}',
    response = '{}',
    type = 'application/json',
    headers = '',
  }: Partial<Record<'path' | 'host' | 'request' | 'response' | 'type' | 'headers', string>>,
): void {
  const send = (dir: 'out' | 'in', text: string): void => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) connection.data(dir, bytes.subarray(at, at + CHUNK_BYTES));
  };
  const length = `Content-Length: ${textBytes(request)}`;
  send(
    'out',
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${length}\r\n${headers}\r\n${request}`,
  );
  send('in', `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${textBytes(response)}\r\n\r\n${response}`);
}
