// tshark as an independent decoder: connections as a capture file in, exchanges out. Its JSON with raw bytes is used, so that
// no text encoding stands between; bodies are decompressed by it or by zlib, never by the code under test.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { HeaderField } from '../../src/model/index.ts';
import type { Capture } from './captures.ts';
import { ExchangeBuilder, type HeardExchange, type HeardMessage, heardMessage, type SideBuilder } from './heard.ts';
import { pcapOf } from './pcap.ts';

/** HTTP/1 does not say it; the engine leaves it open. */
const SCHEME = null;
const HTTP1_PORT = 80;
const HTTP2_PORT = 8002;
const FIRST_CLIENT_PORT = 20_000;
const MAX_OUTPUT_BYTES = 512 << 20;
/** What may lie in bodies: their dissectors would hide the bytes. */
const NOT_WANTED = 'grpc protobuf json mime_multipart data-text-lines media urlencoded-form xml image-jfif'.split(' ');

const OPTIONS = [
  ...['-d', `tcp.port==${HTTP2_PORT},http2`],
  ...NOT_WANTED.flatMap((name) => ['--disable-protocol', name]),
  ...['-T', 'jsonraw', '-J', 'tcp http http2 websocket', '--no-duplicate-keys'],
];

/** A node of tshark's tree: `x_raw` is [hex, …] or a list of such, `x` the subtree or a list of subtrees. */
type Tree = Readonly<Record<string, unknown>>;
type Raw = readonly [hex: string, ...rest: number[]];

export const hasTshark = (): boolean => spawnSync('tshark', ['--version']).status === 0;

/** All captures by one run of tshark. */
export const hearTshark = (captures: readonly Capture[]): HeardExchange[][] =>
  packetsOf(captures).map((packets, at) =>
    captures[at]?.isHttp2 ? told(hearHttp2(packets), true) : hearHttp1(packets),
  );

/** WebSocket messages of all captures, in the order in which they ended. */
export const hearTsharkMessages = (captures: readonly Capture[]): HeardMessage[][] =>
  packetsOf(captures).map((packets) => hearSocket(packets));

/** Packets of each capture. */
function packetsOf(captures: readonly Capture[]): Packet[][] {
  const packets = runTshark(captures);
  const layers = captures.map((): Packet[] => []);
  for (const packet of packets) {
    const tcp = packet['tcp'] as Tree;
    const ports = ['tcp.srcport', 'tcp.dstport'].map((name) => Number.parseInt(rawOf(tcp, name)[0] ?? '', 16));
    const isOut = ports[0] !== HTTP1_PORT && ports[0] !== HTTP2_PORT;
    layers[(isOut ? ports[0] : ports[1])! - FIRST_CLIENT_PORT]!.push({ isOut, layer: packet });
  }
  return layers;
}

interface Packet {
  readonly isOut: boolean;
  readonly layer: Tree;
}

/** tshark reads no socket, which a pipe from Node is: hence the file. */
function runTshark(captures: readonly Capture[]): Tree[] {
  const folder = mkdtempSync(join(tmpdir(), 'tshark-'));
  const file = join(folder, 'captures.pcap');
  const connections = captures.map(({ isHttp2, segments }) => ({
    serverPort: isHttp2 ? HTTP2_PORT : HTTP1_PORT,
    segments,
  }));
  try {
    writeFileSync(file, pcapOf(connections));
    const { status, stdout, stderr } = spawnSync('tshark', ['-r', file, ...OPTIONS], { maxBuffer: MAX_OUTPUT_BYTES });
    if (status !== 0) throw new Error(`tshark failed: ${stderr}`);
    return (JSON.parse(stdout.toString()) as { _source: { layers: Tree } }[]).map(({ _source }) => _source.layers);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** All values of a field anywhere below, as hex, in order. */
function rawOf(tree: unknown, name: string): string[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => rawOf(part, name));
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key !== `${name}_raw`) return key.endsWith('_raw') ? [] : rawOf(value, name);
    return (typeof value[0] === 'string' ? [value as Raw] : (value as Raw[])).map(([hex]) => hex);
  });
}

const latin1 = (hex: string | undefined): string => Buffer.from(hex ?? '', 'hex').toString('latin1');
const subtrees = (value: unknown): Tree[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as Tree[]) : [value as Tree];

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

function decoderOf({ head }: SideBuilder): ((bytes: Buffer) => Buffer) | undefined {
  const coding = head?.fields.find(([name]) => name === 'content-encoding')?.[1];
  const decode = coding === undefined ? undefined : DECODERS[coding];
  return decode && ((bytes) => (bytes.length === 0 ? bytes : decode(bytes)));
}

/** tshark undoes the codings of HTTP/1 itself; those of HTTP/2 are left to zlib. */
const told = (exchanges: readonly ExchangeBuilder[], isCoded: boolean): HeardExchange[] =>
  exchanges.map(({ request, informational, response }) => ({
    request: request.done(isCoded ? decoderOf(request) : undefined),
    informational,
    response: response.done(isCoded ? decoderOf(response) : undefined),
  }));

function hearHttp2(packets: readonly Packet[], exchanges = new Map<number, ExchangeBuilder>()): ExchangeBuilder[] {
  const at = (stream: number): ExchangeBuilder => {
    const known = exchanges.get(stream) ?? new ExchangeBuilder();
    exchanges.set(stream, known);
    return known;
  };
  for (const { isOut, layer } of packets) {
    for (const frame of subtrees(layer['http2'])) hearFrame(at, isOut, frame);
  }
  return [...exchanges.values()];
}

const DATA = 0;
const PUSH_PROMISE = 5;
const CONTINUATION = 9;
const HEADER_BYTES = 9;

/** tshark names the payload differently when it joins frames, so it is cut out of the frame: without padding. */
function dataOf(frame: Tree): Buffer {
  const whole = Buffer.from(rawOf(frame, 'http2.stream')[0] ?? '', 'hex');
  const isPadded = rawOf(frame, 'http2.flags.padded')[0] === '1';
  return isPadded
    ? whole.subarray(HEADER_BYTES + 1, whole.length - (whole[HEADER_BYTES] ?? 0))
    : whole.subarray(HEADER_BYTES);
}

function hearFrame(at: (stream: number) => ExchangeBuilder, isOut: boolean, frame: Tree): void {
  const number = (name: string): number => Number.parseInt(rawOf(frame, name)[0] ?? '0', 16);
  const fields = fieldsOf(frame);
  const isPush = number('http2.type') === PUSH_PROMISE;
  if (fields.length > 0) {
    const exchange = at(number(isPush ? 'http2.push_promise.promised_stream_id' : 'http2.streamid'));
    if (number('http2.type') === CONTINUATION) continueBlock(exchange[isOut ? 'request' : 'response'], fields);
    else hearBlock(exchange, isOut || isPush, fields);
  }
  if (number('http2.type') === DATA && number('http2.length') > 0) {
    at(number('http2.streamid'))[isOut ? 'request' : 'response'].add(dataOf(frame));
  }
}

function fieldsOf(frame: Tree): HeaderField[] {
  const names = rawOf(frame, 'http2.header.name').map(latin1);
  const values = rawOf(frame, 'http2.header.value').map(latin1);
  return names.map((name, at) => [name, values[at] ?? ''] as const);
}

function hearBlock(exchange: ExchangeBuilder, isRequest: boolean, block: readonly HeaderField[]): void {
  const pseudo = new Map(block.filter(([name]) => name.startsWith(':')));
  const fields = block.filter(([name]) => !name.startsWith(':'));
  const side = isRequest ? exchange.request : exchange.response;
  const names = isRequest ? [':method', ':scheme', ':authority', ':path'] : [':status'];
  const start = names.map((name) => pseudo.get(name) ?? '').join(' ');
  if (pseudo.size === 0) side.trailers = fields;
  else if (!isRequest && start.startsWith('1')) exchange.informational.push({ start, fields });
  else side.head = { start, fields };
}

/** tshark shows each field in the frame in which it ends. */
function continueBlock(side: SideBuilder, fields: readonly HeaderField[]): void {
  if (side.head !== null) side.head = { ...side.head, fields: [...side.head.fields, ...fields] };
}

/**
 * Responses answer requests in order; those with a status below 200 do not end an exchange, and may come before tshark has
 * the whole request.
 */
function hearHttp1(packets: readonly Packet[]): HeardExchange[] {
  const exchanges: ExchangeBuilder[] = [];
  let asked = 0;
  let answered = 0;
  const at = (index: number): ExchangeBuilder => {
    exchanges[index] ??= new ExchangeBuilder();
    return exchanges[index];
  };
  for (const { isOut, layer } of packets) {
    for (const message of subtrees(layer['http'])) {
      if (isOut) hearRequest(at(asked++), message);
      else if (hearResponse(at(answered), message)) answered++;
    }
  }
  const last = exchanges.at(-1);
  const isUpgraded = packets.some(({ layer }) => layer['http2'] !== undefined);
  if (last === undefined || !isUpgraded) return told(exchanges, false);
  // RFC 7540 §3.2: the last request of HTTP/1 is stream 1.
  return told([...exchanges.slice(0, -1), ...hearHttp2(packets, new Map([[1, last]]))], true);
}

const fieldOf = (line: string): HeaderField => {
  const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*\r?\n?$/s.exec(line) ?? [];
  return [name.toLowerCase(), value];
};

const linesOf = (message: Tree, name: string): HeaderField[] => rawOf(message, name).map((hex) => fieldOf(latin1(hex)));

function hearBody(side: SideBuilder, message: Tree): void {
  for (const hex of rawOf(message, 'http.file_data')) side.add(Buffer.from(hex, 'hex'));
  const trailers = rawOf(message, 'http.chunked_trailer_part').flatMap((hex) => latin1(hex).split('\r\n'));
  side.trailers = trailers.filter((line) => line !== '').map(fieldOf);
}

function hearRequest(exchange: ExchangeBuilder, message: Tree): void {
  const fields = linesOf(message, 'http.request.line');
  const [method, path] = ['http.request.method', 'http.request.uri'].map((name) => latin1(rawOf(message, name)[0]));
  const authority = fields.find(([name]) => name === 'host')?.[1];
  exchange.request.head = { start: [method, SCHEME, authority, path].join(' '), fields };
  hearBody(exchange.request, message);
}

/** True when the response is final. */
function hearResponse(exchange: ExchangeBuilder, message: Tree): boolean {
  const start = latin1(rawOf(message, 'http.response.code')[0]);
  const fields = linesOf(message, 'http.response.line');
  if (start.startsWith('1') && start !== '101') {
    exchange.informational.push({ start, fields });
    return false;
  }
  exchange.response.head = { start, fields };
  hearBody(exchange.response, message);
  return true;
}

const OPCODE_CONTINUATION = 0;
const OPCODE_TEXT = 1;
const OPCODE_CLOSE = 8;
/** What a sender leaves out at the end of each message (RFC 7692 §7.2.1). */
const DEFLATE_TAIL = Buffer.from([0, 0, 0xff, 0xff]);
const WINDOW_BYTES = 32_768;

/**
 * tshark finds the frames and unmasks them. It does not unpack a compressed message of several fragments, so all are left to
 * zlib, which is given what was said before: to a message that refers to none of it, it is nothing.
 */
class SocketSide {
  readonly #side: HeardMessage['side'];
  #parts: Buffer[] = [];
  #isText = false;
  #isPacked = false;
  #past = Buffer.alloc(0);

  constructor(side: HeardMessage['side']) {
    this.#side = side;
  }

  /** The message that a frame ends. */
  frame(frame: Tree): HeardMessage[] {
    const opcode = Number.parseInt(rawOf(frame, 'websocket.opcode')[0] ?? '', 16);
    if (opcode >= OPCODE_CLOSE) return [];
    if (opcode !== OPCODE_CONTINUATION) {
      this.#isText = opcode === OPCODE_TEXT;
      this.#isPacked = rawOf(frame, 'websocket.pmc')[0] === '1';
    }
    this.#parts.push(Buffer.from(rawOf(frame, 'websocket.payload')[0] ?? '', 'hex'));
    if (rawOf(frame, 'websocket.fin')[0] !== '1') return [];
    const whole = Buffer.concat(this.#parts.splice(0));
    return [heardMessage(this.#side, this.#isText, this.#isPacked ? this.#unpack(whole) : whole)];
  }

  #unpack(packed: Buffer): Buffer {
    const dictionary = this.#past.length > 0 ? { dictionary: this.#past } : {};
    const options = { finishFlush: constants.Z_SYNC_FLUSH, ...dictionary };
    const content = inflateRawSync(Buffer.concat([packed, DEFLATE_TAIL]), options);
    this.#past = Buffer.concat([this.#past, content]).subarray(-WINDOW_BYTES);
    return content;
  }
}

function hearSocket(packets: readonly Packet[]): HeardMessage[] {
  const sides = { out: new SocketSide('request'), in: new SocketSide('response') };
  return packets.flatMap(({ isOut, layer }) =>
    subtrees(layer['websocket']).flatMap((frame) => sides[isOut ? 'out' : 'in'].frame(frame)),
  );
}
