// Huffman decoding of HPACK strings (RFC 7541 §5.2, Appendix B), four bits a step over a generated table.
// Knows nothing of headers.

import { HUFFMAN_STEPS } from './huffman.gen.ts';
import { latin1 } from './latin1.ts';

const NEXT_STATE = 0xff;
const EMITS = 1 << 8;
const FAILS = 1 << 9;
const ACCEPTS = 1 << 10;

/** The shortest code has five bits, so n bytes hold at most 8n/5 symbols. */
const maxSymbols = (lenBytes: number): number => Math.ceil((lenBytes * 8) / 5);

let scratch = new Uint8Array(4096);

/** Text of a Huffman string, one character a byte; undefined when the code or its padding is invalid. */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (scratch.length < maxSymbols(end - start)) scratch = new Uint8Array(maxSymbols(end - start));
  const out = scratch;
  let length = 0;
  let entry = ACCEPTS;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    entry = HUFFMAN_STEPS[((entry & NEXT_STATE) << 4) | (byte >> 4)] as number;
    if (entry & EMITS) out[length++] = entry >> 16;
    if (entry & FAILS) return undefined;
    entry = HUFFMAN_STEPS[((entry & NEXT_STATE) << 4) | (byte & 15)] as number;
    if (entry & EMITS) out[length++] = entry >> 16;
    if (entry & FAILS) return undefined;
  }
  return entry & ACCEPTS ? latin1(out, 0, length) : undefined;
}
