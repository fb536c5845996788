// How fast the decoders are: capture records of made-up traffic through the whole engine, nothing behind it. Prints MB/s of
// plaintext (and of decoded bytes where they differ) per second of CPU time, collecting garbage included. `make build` first; `node test/bench/decode.mjs [part of a name]`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const { createEngine } = await import('../../build/js/engine/index.js');
const { BROTLI_WASM_SPECIFIER, provideBrotli } = await import('../../build/js/bytes/index.js');
provideBrotli(readFileSync(createRequire(import.meta.url).resolve(BROTLI_WASM_SPECIFIER)));

const RECORD_BYTES = 16_384;
/** Of CPU time, which other programs of a busy machine do not lengthen. */
const MIN_SECONDS = 1;
/** Exchanges between two looks at the clock, whose unit is a millisecond on some kernels. */
const BATCH = 20;
const REQUEST = 'GET /path HTTP/1.1\r\nHost: api.example.com\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n';

/** An event of a streamed answer, as chat services send them. @param {number} at */
const event = (at) =>
  `data: {"id":"chatcmpl-1","created":1790000000,"model":"gpt-x","choices":[{"index":0,"delta":{"content":"word${at} "},"finish_reason":null}]}\n\n`;
const EVENTS = Array.from({ length: 4000 }, (_, at) => event(at)).join('');
const TEXT = Buffer.from(EVENTS.replaceAll('data: ', '').slice(0, 512 * 1024));

/** @param {string} fields @param {Buffer} body */
const sized = (fields, body) =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${fields}Content-Length: ${body.length}\r\n\r\n`), body]);

/** @param {Buffer} body @param {number} chunkBytes */
const chunked = (body, chunkBytes) => {
  const parts = [Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const part = body.subarray(at, at + chunkBytes);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

/** @param {number} type @param {number} flags @param {number} stream @param {Buffer} payload */
const frame = (type, flags, stream, payload) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))]);
/** GET https, path /, with the static table; status 200, and content-type inserted once then indexed. */
const H2_REQUEST = Buffer.from([0x82, 0x87, 0x84]);
const H2_ANSWER = Buffer.from([0x88]);
const H2_EVENTS = Buffer.concat([Buffer.from([0x88, 0x0f, 0x10, 17]), Buffer.from('text/event-stream')]);

/** @param {number} stream @param {Buffer} block @param {Buffer} body @param {number} dataBytes */
const answerHttp2 = (stream, block, body, dataBytes) => {
  const parts = [frame(1, 4, stream, block)];
  for (let at = 0; at < body.length; at += dataBytes) {
    const part = body.subarray(at, at + dataBytes);
    parts.push(frame(0, at + dataBytes >= body.length ? 1 : 0, stream, part));
  }
  return Buffer.concat(parts);
};

/** @typedef {{ start: [Buffer, Buffer], round: (n: number) => [Buffer, Buffer], decodedBytes: number }} Case */

/** @param {Buffer} answer @param {number} decodedBytes @returns {Case} */
const http1 = (answer, decodedBytes) => ({
  start: [Buffer.alloc(0), Buffer.alloc(0)],
  round: () => [Buffer.from(REQUEST), answer],
  decodedBytes,
});

/** @param {Buffer} block @param {Buffer} body @param {number} dataBytes @returns {Case} */
const http2 = (block, body, dataBytes) => ({
  start: [PREFACE, frame(4, 0, 0, Buffer.alloc(0))],
  round: (n) => [frame(1, 5, 2 * n + 1, H2_REQUEST), answerHttp2(2 * n + 1, block, body, dataBytes)],
  decodedBytes: body.length,
});

const SSE = Buffer.from(EVENTS);
const SSE_TYPE = 'Content-Type: text/event-stream\r\n';

/** @type {Record<string, Case>} */
const CASES = {
  'HTTP/1, Content-Length': http1(sized('', TEXT), TEXT.length),
  'HTTP/1, chunks of 1 KB': http1(chunked(TEXT, 1024), TEXT.length),
  'HTTP/1, small messages': http1(sized('Content-Type: application/json\r\n', Buffer.from('{"ok":true}')), 11),
  'HTTP/1, event stream': http1(sized(SSE_TYPE, SSE), SSE.length),
  'HTTP/1, gzip': http1(sized('Content-Encoding: gzip\r\n', gzipSync(TEXT)), TEXT.length),
  'HTTP/1, gzip event stream': http1(sized(`${SSE_TYPE}Content-Encoding: gzip\r\n`, gzipSync(SSE)), SSE.length),
  'HTTP/1, brotli': http1(sized('Content-Encoding: br\r\n', brotliCompressSync(TEXT, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })), TEXT.length),
  'HTTP/2, frames of 16 KB': http2(H2_ANSWER, TEXT, 16_384),
  'HTTP/2, frames of 200 bytes': http2(H2_ANSWER, TEXT, 200),
  'HTTP/2, event stream': http2(H2_EVENTS, SSE, 150),
  'HTTP/2, small messages': http2(H2_ANSWER, Buffer.from('{"ok":true}'), 100),
};

const KEY = { pid: 1, startNs: 1n, ssl: 1n, generation: 0, tid: 1, hook: 1, tsNs: 1n, kind: 'data', callEnd: true };

/** @param {Case} row */
const run = (row) => {
  let exchanges = 0;
  const engine = createEngine({
    emit: (/** @type {{ type: string }} */ { type }) => {
      if (type === 'ExchangeEnded') exchanges++;
    },
  });
  const offset = { out: 0, in: 0 };
  /** @param {'out' | 'in'} dir @param {Buffer} bytes */
  const feed = (dir, bytes) => {
    for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
      const part = bytes.subarray(at, at + RECORD_BYTES);
      engine.accept({ ...KEY, dir, offset: offset[dir], callBytes: part.length, bytes: part });
      offset[dir] += part.length;
    }
  };
  feed('out', row.start[0]);
  feed('in', row.start[1]);
  let rounds = 0;
  let spentMs = 0;
  while (spentMs < MIN_SECONDS * 1000) {
    const batch = Array.from({ length: BATCH }, () => row.round(rounds++));
    const start = process.cpuUsage();
    for (const [request, answer] of batch) {
      feed('out', request);
      feed('in', answer);
    }
    const { user, system } = process.cpuUsage(start);
    spentMs += (user + system) / 1000;
  }
  if (exchanges !== rounds) throw new Error(`${exchanges} of ${rounds} exchanges ended`);
  const wireBytes = offset.out + offset.in;
  return { wire: wireBytes / 1e3 / spentMs, decoded: (rounds * row.decodedBytes) / 1e3 / spentMs, perSecond: (rounds * 1000) / spentMs };
};

console.log(`${'through the engine'.padEnd(30)} ${'MB/s'.padStart(8)} ${'decoded'.padStart(8)} ${'exchanges/s'.padStart(12)}`);
for (const [name, row] of Object.entries(CASES)) {
  if (!name.includes(process.argv[2] ?? '')) continue;
  run(row);
  const { wire, decoded, perSecond } = run(row);
  console.log(`${name.padEnd(30)} ${wire.toFixed(0).padStart(8)} ${decoded.toFixed(0).padStart(8)} ${perSecond.toFixed(0).padStart(12)}`);
}
