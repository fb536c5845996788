// One answer of the stand-in service, over HTTP/1.1 or HTTP/2, counted twice while it is sent: the body on the wire (after
// content coding, before chunked coding or framing) and the body as the program meant it. These counts are the ground truth.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import zlib from 'node:zlib';

/** Bytes counted and hashed as they pass. */
export class Digest {
  #hash = createHash('sha256');
  bytes = 0;

  /** @param {Uint8Array} bytes */
  update(bytes) {
    this.bytes += bytes.length;
    this.#hash.update(bytes);
  }

  /** @returns {{ bytes: number, sha256: string }} */
  done() {
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Digest of bytes that are all there. @param {Uint8Array} bytes */
export function digestOf(bytes) {
  const digest = new Digest();
  digest.update(bytes);
  return digest.done();
}

/** Each write is flushed, so that a coded event stream really streams. */
const CODERS = {
  gzip: () => zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};

export class Reply {
  #response;
  #wire = new Digest();
  #decoded = new Digest();
  /** @type {import('node:zlib').Gzip | import('node:zlib').BrotliCompress | undefined} */
  #coder;
  /** What a tracer should say about this exchange, written to the truth log as `expect`. @type {object | undefined} */
  expect;
  /** Number of events of an event stream and the digest of their data, joined by newlines. @type {object | undefined} */
  sse;
  coding = '';
  status = 0;
  isFinished = false;

  /** @param {import('node:http').ServerResponse | import('node:http2').Http2ServerResponse} response */
  constructor(response) {
    this.#response = response;
  }

  /** The response object below, for what only one HTTP version has. */
  get raw() {
    return this.#response;
  }

  /** @param {number} status @param {Record<string, string | string[]>} headers */
  head(status, headers) {
    this.status = status;
    this.coding = String(headers['content-encoding'] ?? '');
    this.#response.writeHead(status, headers);
    if (!(this.coding in CODERS)) return;
    this.#coder = CODERS[/** @type {keyof typeof CODERS} */ (this.coding)]();
    this.#coder.on('data', (piece) => this.#send(piece));
  }

  /** @param {Uint8Array} bytes body before content coding; resolves when the connection can take more */
  async write(bytes) {
    this.#decoded.update(bytes);
    const coder = this.#coder;
    if (coder) await new Promise((resolve) => coder.write(bytes, resolve));
    else if (!this.#send(bytes)) await this.#drained();
  }

  /** @param {Uint8Array} [bytes] @param {Record<string, string>} [trailers] */
  async end(bytes, trailers) {
    if (bytes) await this.write(bytes);
    if (this.#coder) {
      this.#coder.end();
      await once(this.#coder, 'end');
    }
    if (trailers) this.#response.addTrailers(trailers);
    this.isFinished = true;
    this.#response.end();
  }

  /** @param {number} status @param {unknown} value @param {Record<string, string>} [headers] */
  async json(status, value, headers = {}) {
    this.head(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    await this.end(Buffer.from(JSON.stringify(value)));
  }

  /** The truth about the body. */
  truth() {
    const decoded = this.#decoded.done();
    return { ...this.#wire.done(), decodedBytes: decoded.bytes, decodedSha256: decoded.sha256, coding: this.coding };
  }

  /** @param {Uint8Array} bytes */
  #send(bytes) {
    this.#wire.update(bytes);
    return this.#response.write(bytes);
  }

  /** A client that has gone away never drains. @returns {Promise<void>} */
  #drained() {
    const response = this.#response;
    return new Promise((resolve) => {
      const go = () => {
        response.off('drain', go);
        response.off('close', go);
        resolve();
      };
      if (response.destroyed) return resolve();
      response.on('drain', go);
      response.on('close', go);
    });
  }
}
