// The literals section of a compressed block (RFC 8878 §3.1.1.3.1) and its Huffman codes (§4.2).

import { BackwardBits, ZstdDamage } from './bits.ts';
import { FseState, readFseTable } from './fse.ts';

/** RFC 8878 §3.1.1.2.4: no block decodes to more. */
export const BLOCK_LIMIT_BYTES = 128 * 1024;
const MAX_CODE_BITS = 11;

/** Flat lookup by the next `maxBits` bits: symbol << 4 | code length. */
export interface LiteralCode {
  readonly maxBits: number;
  readonly entries: Uint16Array;
}

export interface Literals {
  readonly bytes: Uint8Array;
  /** Code to reuse in the next block. */
  readonly code: LiteralCode | undefined;
  /** Index behind the section. */
  readonly next: number;
}

const byteAt = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at];
  if (byte === undefined) throw new ZstdDamage('a block that ends too early');
  return byte;
};

/** Reads the section at the start of `block`. `code` is the last block's, for the treeless form. */
export function readLiterals(block: Uint8Array, code: LiteralCode | undefined): Literals {
  const type = byteAt(block, 0) & 3;
  return type < 2 ? plainLiterals(block, type === 1, code) : codedLiterals(block, type === 3, code);
}

function plainLiterals(block: Uint8Array, isRun: boolean, code: LiteralCode | undefined): Literals {
  const first = byteAt(block, 0);
  const format = (first >> 2) & 3;
  const headBytes = format === 1 ? 2 : format === 3 ? 3 : 1;
  let size = headBytes === 1 ? first >> 3 : (first >> 4) | (byteAt(block, 1) << 4);
  if (headBytes === 3) size |= byteAt(block, 2) << 12;
  checkSize(size);
  if (isRun) return { bytes: new Uint8Array(size).fill(byteAt(block, headBytes)), code, next: headBytes + 1 };
  const next = headBytes + size;
  if (next > block.length) throw new ZstdDamage('literals longer than their block');
  return { bytes: block.subarray(headBytes, next), code, next };
}

function checkSize(size: number): void {
  if (size > BLOCK_LIMIT_BYTES) throw new ZstdDamage('more literals than a block may have');
}

function codedLiterals(block: Uint8Array, isTreeless: boolean, last: LiteralCode | undefined): Literals {
  const format = (byteAt(block, 0) >> 2) & 3;
  const sizeBits = format < 2 ? 10 : format === 2 ? 14 : 18;
  const headBytes = format < 2 ? 3 : format + 2;
  let head = 0;
  for (let at = headBytes - 1; at >= 0; at--) head = head * 256 + byteAt(block, at);
  const size = Math.floor(head / 16) % 2 ** sizeBits;
  const codedSize = Math.floor(head / 2 ** (4 + sizeBits));
  checkSize(size);
  const next = headBytes + codedSize;
  if (next > block.length) throw new ZstdDamage('literals longer than their block');
  let data = block.subarray(headBytes, next);
  let code = last;
  if (!isTreeless) {
    const tree = readCode(data);
    code = tree.code;
    data = data.subarray(tree.next);
  }
  if (code === undefined) throw new ZstdDamage('literals without a code');
  const bytes = new Uint8Array(size);
  if (format === 0) decodeStream(data, code, bytes);
  else decodeFourStreams(data, code, bytes);
  return { bytes, code, next };
}

/** Four streams behind a jump table of three sizes (RFC 8878 §3.1.1.3.1.6). */
function decodeFourStreams(data: Uint8Array, code: LiteralCode, out: Uint8Array): void {
  const part = (out.length + 3) >> 2;
  let from = 6;
  for (let index = 0; index < 4; index++) {
    const size = index < 3 ? byteAt(data, index * 2) | (byteAt(data, index * 2 + 1) << 8) : data.length - from;
    if (size <= 0 || from + size > data.length) throw new ZstdDamage('a jump table that points out of its block');
    const target = out.subarray(
      Math.min(out.length, index * part),
      index < 3 ? Math.min(out.length, (index + 1) * part) : out.length,
    );
    decodeStream(data.subarray(from, from + size), code, target);
    from += size;
  }
}

function decodeStream(data: Uint8Array, { maxBits, entries }: LiteralCode, out: Uint8Array): void {
  const input = new BackwardBits(data);
  for (let at = 0; at < out.length; at++) {
    const entry = entries[input.peek(maxBits)] ?? 0;
    out[at] = entry >> 4;
    input.left -= entry & 15;
  }
  if (input.left !== 0) throw new ZstdDamage('a literal stream of another length');
}

/** Huffman tree description (RFC 8878 §4.2.1): weights, direct or FSE-coded; the last one follows from the others. */
function readCode(data: Uint8Array): { code: LiteralCode; next: number } {
  const head = byteAt(data, 0);
  if (head < 128) return { code: buildCode(codedWeights(data.subarray(1, 1 + head))), next: 1 + head };
  const weights: number[] = [];
  for (let index = 0; index < head - 127; index++) {
    const byte = byteAt(data, 1 + (index >> 1));
    weights.push(index & 1 ? byte & 15 : byte >> 4);
  }
  return { code: buildCode(weights), next: 1 + ((head - 127 + 1) >> 1) };
}

/** RFC 8878 §4.2.1.2: two states take turns until the bits are used up. */
function codedWeights(data: Uint8Array): number[] {
  const { table, next } = readFseTable(data, 0, { maxLog: 6, maxSymbol: 15 });
  const input = new BackwardBits(data.subarray(next));
  const states = [new FseState(table, input), new FseState(table, input)] as const;
  const weights: number[] = [];
  for (let turn = 0; weights.length < 255; turn ^= 1) {
    const state = turn === 0 ? states[0] : states[1];
    weights.push(state.symbol);
    state.advance(input);
    if (input.left >= 0) continue;
    weights.push((turn === 0 ? states[1] : states[0]).symbol);
    return weights;
  }
  throw new ZstdDamage('too many Huffman weights');
}

/** RFC 8878 §4.2.1.3: lower weights (longer codes) come first, symbols in order within a weight. */
function buildCode(weights: number[]): LiteralCode {
  let sum = 0;
  for (const weight of weights) if (weight > 0) sum += 2 ** (weight - 1);
  if (sum === 0) throw new ZstdDamage('a Huffman code without symbols');
  const maxBits = Math.floor(Math.log2(sum)) + 1;
  const rest = 2 ** maxBits - sum;
  if (maxBits > MAX_CODE_BITS || Number.isInteger(Math.log2(rest)) === false)
    throw new ZstdDamage('Huffman weights do not add up');
  const all = [...weights, Math.log2(rest) + 1];
  const entries = new Uint16Array(1 << maxBits);
  let at = 0;
  for (let weight = 1; weight <= maxBits; weight++) {
    const entryBits = maxBits + 1 - weight;
    for (let symbol = 0; symbol < all.length; symbol++) {
      if (all[symbol] !== weight) continue;
      const cells = 1 << (weight - 1);
      entries.fill((symbol << 4) | entryBits, at, at + cells);
      at += cells;
    }
  }
  return { maxBits, entries };
}
