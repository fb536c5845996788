// TLS connections as TCP flows that never were: the plaintext of each connection as the payload of one TCP connection on
// port 80, so that a protocol analyser decodes it without a key. Offsets in the records become sequence numbers: what the
// capture lost is a missing segment there, too.
//
// Addresses say who: 10.x.y.z has the process id in its last three bytes, 198.18.x.y (RFC 2544) is one server name; both are
// given names in the file. A connection that was joined in the middle begins in the middle.

import type {
  CaptureRecord,
  CloseRecord,
  ConnectionKey,
  DataRecord,
  Dir,
  FactsRecord,
  ProcessRecord,
} from '../../model/index.ts';
import { negotiatedOf } from '../../model/index.ts';
import { nameBlock, openSection, packetBlock } from './blocks.ts';
import { type Endpoint, FLAG, packetOf } from './segment.ts';

/** Where analysers expect HTTP; they know HTTP/2 there by its preface. */
const SERVER_PORT = 80;
const FIRST_CLIENT_PORT = 32_768;
const CLIENT_PORTS = 28_000;
const NOTHING = new Uint8Array();
/** A socket and a handshake; a damaged recording may claim any number of them for one connection. */
const MAX_LEARNED = 2;

interface Flow {
  readonly process: Endpoint;
  readonly peer: Endpoint;
  /** Next byte of each direction, from 0. */
  readonly next: Record<Dir, number>;
}

/** First bytes of a request: who sends them is the client. */
const REQUEST = /^(GET|POST|PUT|HEAD|PATCH|DELETE|OPTIONS|CONNECT|PRI) /;

const keyText = ({ pid, startNs, ssl, generation }: ConnectionKey): string => `${pid} ${startNs} ${ssl} ${generation}`;

const processAddress = (pid: number): Uint8Array => Uint8Array.of(10, (pid >> 16) & 255, (pid >> 8) & 255, pid & 255);

export class FlowWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #flows = new Map<string, Flow>();
  readonly #processes = new Map<number, ProcessRecord>();
  /** Server names of connections that have sent nothing yet. */
  readonly #sni = new Map<string, string>();
  /** Sockets, TLS versions and cipher suites that were learned, until a packet has told them. */
  readonly #learned = new Map<string, readonly string[]>();
  readonly #servers = new Map<string, Uint8Array>();
  readonly #named = new Set<string>();
  #count = 0;
  /** UTC minus the records' clock. */
  #offsetNs = 0n;

  constructor(write: (bytes: Uint8Array) => void, application: string) {
    this.#write = write;
    write(openSection(application));
  }

  record(record: CaptureRecord): void {
    switch (record.kind) {
      case 'session':
        if (record.phase === 'start') this.#offsetNs = record.wallNs - record.tsNs;
        return;
      case 'process':
        this.#processes.set(record.pid, record);
        return;
      case 'sni':
        this.#sni.set(keyText(record), record.host);
        return;
      case 'peer':
        this.#learn(record, `socket ${record.local} to ${record.remote}`);
        return;
      case 'facts':
        this.#learnFacts(record);
        return;
      case 'data':
        this.#data(record);
        return;
      case 'close':
        this.#close(record);
        return;
      default:
        return;
    }
  }

  #learn(key: ConnectionKey, fact: string): void {
    const name = keyText(key);
    this.#learned.set(name, [...(this.#learned.get(name) ?? []), fact].slice(-MAX_LEARNED));
  }

  #learnFacts(record: FactsRecord): void {
    const found = negotiatedOf(record);
    if (found === undefined) return;
    const alpn = found.alpn === undefined ? '' : `, ALPN ${found.alpn}`;
    this.#learn(record, `TLS ${found.version} ${found.cipher}${alpn}`);
  }

  #data(record: DataRecord): void {
    const key = keyText(record);
    const flow = this.#flows.get(key) ?? this.#open(key, record);
    const learned = this.#learned.get(key)?.join('; ');
    this.#learned.delete(key);
    this.#send(flow, record.dir, record.offset, FLAG.psh | FLAG.ack, record.bytes, record.tsNs, learned);
    flow.next[record.dir] = Math.max(flow.next[record.dir], record.offset + record.bytes.length);
  }

  #open(key: string, first: DataRecord): Flow {
    const host = this.#sni.get(key) ?? '';
    const port = FIRST_CLIENT_PORT + (this.#count++ % CLIENT_PORTS);
    const isServer = first.dir === 'in' && REQUEST.test(Buffer.from(first.bytes.subarray(0, 10)).toString('latin1'));
    const [processPort, peerPort] = isServer ? [SERVER_PORT, port] : [port, SERVER_PORT];
    const flow: Flow = {
      process: { address: this.#process(first.pid), port: processPort },
      peer: { address: this.#server(host), port: peerPort },
      next: { out: 0, in: 0 },
    };
    this.#flows.set(key, flow);
    this.#handshake(flow, isServer ? 'in' : 'out', first, host);
    return flow;
  }

  /** Three packets as of a connection that opens; the first has the comment. Sequence numbers: byte n of the stream is n + 1. */
  #handshake(flow: Flow, opener: Dir, { tsNs, pid, ssl }: DataRecord, host: string): void {
    const process = this.#processes.get(pid);
    const who = process === undefined ? `pid ${pid}` : `${process.role} ${process.comm} pid ${pid} ${process.exe}`;
    const comment = `${who}; server name ${host || 'unknown'}; plaintext of TLS object 0x${ssl.toString(16)}`;
    const other: Dir = opener === 'out' ? 'in' : 'out';
    this.#emit(flow, opener, { sequence: 0, acknowledged: 0, flags: FLAG.syn, payload: NOTHING }, tsNs, comment);
    this.#emit(flow, other, { sequence: 0, acknowledged: 1, flags: FLAG.syn | FLAG.ack, payload: NOTHING }, tsNs);
    this.#emit(flow, opener, { sequence: 1, acknowledged: 1, flags: FLAG.ack, payload: NOTHING }, tsNs);
  }

  #close(record: CloseRecord): void {
    const key = keyText(record);
    const flow = this.#flows.get(key);
    this.#flows.delete(key);
    this.#sni.delete(key);
    this.#learned.delete(key);
    if (flow === undefined || record.broken === true) return;
    const { outBytes, inBytes, tsNs } = record;
    this.#send(flow, 'out', outBytes, FLAG.fin | FLAG.ack, NOTHING, tsNs);
    this.#send(flow, 'in', inBytes, FLAG.fin | FLAG.ack, NOTHING, tsNs);
  }

  /** `offset`: of the payload's first byte in the stream. */
  #send(
    flow: Flow,
    dir: Dir,
    offset: number,
    flags: number,
    payload: Uint8Array,
    tsNs: bigint,
    comment?: string,
  ): void {
    const acknowledged = flow.next[dir === 'out' ? 'in' : 'out'] + 1;
    this.#emit(flow, dir, { sequence: offset + 1, acknowledged, flags, payload }, tsNs, comment);
  }

  #emit(
    flow: Flow,
    dir: Dir,
    segment: { sequence: number; acknowledged: number; flags: number; payload: Uint8Array },
    tsNs: bigint,
    comment?: string,
  ): void {
    const [from, to] = dir === 'out' ? [flow.process, flow.peer] : [flow.peer, flow.process];
    this.#write(packetBlock(tsNs + this.#offsetNs, packetOf({ from, to, ...segment }), comment));
  }

  #process(pid: number): Uint8Array {
    const address = processAddress(pid);
    this.#name(address, `${this.#processes.get(pid)?.role ?? 'process'}-${pid}`);
    return address;
  }

  #server(host: string): Uint8Array {
    const known = this.#servers.get(host);
    if (known !== undefined) return known;
    const number = this.#servers.size + 1;
    const address = Uint8Array.of(198, 18, (number >> 8) & 255, number & 255);
    this.#servers.set(host, address);
    if (host !== '') this.#name(address, host);
    return address;
  }

  #name(address: Uint8Array, name: string): void {
    const text = `${address.join('.')} ${name}`;
    if (this.#named.has(text)) return;
    this.#named.add(text);
    this.#write(nameBlock(address, name));
  }
}
