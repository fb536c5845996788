// HTTP/1 messages back to bytes (RFC 9112 §3 to §7), as the exchanges of one connection come: what another tracer would
// have seen on a connection that carried the same.

import type { HeaderField, RequestHead, ResponseHead, Side } from '../../model/index.ts';
import { storedCoder } from './stored-coding.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** How the length of a body is told. */
type Framing = 'plain' | 'chunked';

const has = (headers: readonly HeaderField[], name: string): boolean => headers.some(([key]) => key === name);

/**
 * The fields as they must be for a body whose coded form has another length. A coding that cannot be written anew goes.
 * `isChunkable`: HTTP/1.1 tells the length by chunks instead.
 */
export function recodedFields(headers: readonly HeaderField[], isChunkable: boolean): HeaderField[] {
  const codings = headers.filter(([name]) => name === 'content-encoding');
  const [coding] = codings;
  if (coding === undefined) return [...headers];
  const keepsCoding = codings.length === 1 && storedCoder(coding[1]) !== null;
  const kept = headers.filter(([name]) => name !== 'content-length' && (keepsCoding || name !== 'content-encoding'));
  const isFramed = has(headers, 'transfer-encoding') || !has(headers, 'content-length') || !isChunkable;
  return isFramed ? kept : [...kept, ['transfer-encoding', 'chunked']];
}

const isChunked = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name, value]) => name === 'transfer-encoding' && /\bchunked\b/i.test(value));

function headBytes(start: string, headers: readonly HeaderField[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return latin1(`${start}\r\n${lines.join('')}\r\n`);
}

export class Http1Writer {
  readonly #framing: Record<Side, Framing> = { request: 'plain', response: 'plain' };
  #trailers: Record<Side, readonly HeaderField[]> = { request: [], response: [] };

  /** Null when the head is not known well enough to be written. */
  requestHead(head: RequestHead): Buffer | null {
    // The target of CONNECT is an authority (RFC 9112 §3.2.3).
    const target = head.method === 'CONNECT' ? head.authority : head.path;
    if (head.method === null || target === null) return null;
    const headers = recodedFields(head.headers, head.httpVersion === '1.1');
    this.#open('request', headers);
    return headBytes(`${head.method} ${target} HTTP/${head.httpVersion}`, headers);
  }

  responseHead(head: ResponseHead): Buffer | null {
    if (head.status === null) return null;
    const headers = recodedFields(head.headers, head.httpVersion === '1.1');
    this.#open('response', headers);
    return headBytes(`HTTP/${head.httpVersion} ${head.status} ${head.reason ?? ''}`, headers);
  }

  /** A 1xx response; the framing of the final one is still to come. */
  informational(head: ResponseHead): Buffer {
    return headBytes(`HTTP/${head.httpVersion} ${head.status ?? 100} ${head.reason ?? ''}`, head.headers);
  }

  body(side: Side, bytes: Uint8Array): Buffer {
    if (this.#framing[side] === 'plain') return Buffer.from(bytes);
    return Buffer.concat([latin1(`${bytes.length.toString(16)}\r\n`), bytes, latin1('\r\n')]);
  }

  /** What stands before and behind so many bytes that were lost. */
  around(side: Side, lostBytes: number): { readonly before: Buffer; readonly after: Buffer } {
    const isPlain = this.#framing[side] === 'plain';
    return {
      before: latin1(isPlain ? '' : `${lostBytes.toString(16)}\r\n`),
      after: latin1(isPlain ? '' : '\r\n'),
    };
  }

  trailers(side: Side, headers: readonly HeaderField[]): void {
    this.#trailers[side] = headers;
  }

  /** The mark of the body's end, possibly nothing. */
  end(side: Side): Buffer {
    if (this.#framing[side] === 'plain') return Buffer.alloc(0);
    this.#framing[side] = 'plain';
    const lines = this.#trailers[side].map(([name, value]) => `${name}: ${value}\r\n`);
    return latin1(`0\r\n${lines.join('')}\r\n`);
  }

  #open(side: Side, headers: readonly HeaderField[]): void {
    this.#framing[side] = isChunked(headers) ? 'chunked' : 'plain';
    this.#trailers[side] = [];
  }
}
