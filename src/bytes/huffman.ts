// Canonical Huffman tables of DEFLATE (RFC 1951 §3.2.2) as one flat lookup: index = the next `maxBits` bits as they come
// from the stream (first bit lowest), entry = symbol << 4 | code length, 0 where no code leads.

export interface HuffmanTable {
  /** At least 2^maxBits of them; what lies behind is of no meaning. */
  readonly entries: Uint16Array;
  readonly maxBits: number;
}

const LONGEST = 15;
const NO_SPACE = new Uint16Array(0);

const reverseBits = (code: number, length: number): number => {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) if (code & (1 << bit)) reversed |= 1 << (length - 1 - bit);
  return reversed;
};

/** How many codes there are of each length, or undefined when there is no room for so many. */
function countLengths(lengths: Uint8Array): { counts: Uint16Array; maxBits: number } | undefined {
  const counts = new Uint16Array(LONGEST + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  let code = 0;
  let maxBits = 1;
  for (let length = 1; length <= LONGEST; length++) {
    const count = counts[length] ?? 0;
    code = code * 2 + count;
    if (code > 1 << length) return undefined;
    if (count > 0) maxBits = length;
  }
  return { counts, maxBits };
}

/** Symbols that have a code, by the length of their codes, then in their own order: so codes are given (RFC 1951 §3.2.2). */
function inCodeOrder(lengths: Uint8Array, counts: Uint16Array): Uint16Array {
  const next = new Uint16Array(LONGEST + 2);
  for (let length = 1; length <= LONGEST; length++) next[length + 1] = (next[length] ?? 0) + (counts[length] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const at = next[length] ?? 0;
    symbols[at] = symbol;
    next[length] = at + 1;
  }
  return symbols;
}

/**
 * Table for the given code lengths; undefined when they are over-subscribed. An incomplete code is allowed. The table for codes
 * of one bit less is right for both values of the next bit, so each length only doubles it, and `space` of a table that is no
 * longer needed is used again: a block of a few octets may ask for two tables of the largest size.
 */
export function buildTable(lengths: Uint8Array, space: Uint16Array = NO_SPACE): HuffmanTable | undefined {
  const counted = countLengths(lengths);
  if (counted === undefined) return undefined;
  const { counts, maxBits } = counted;
  const symbols = inCodeOrder(lengths, counts);
  const entries = space.length >> maxBits > 0 ? space : new Uint16Array(1 << maxBits);
  entries[0] = 0;
  let code = 0;
  let at = 0;
  for (let length = 1; length <= maxBits; length++) {
    const half = 1 << (length - 1);
    entries.copyWithin(half, 0, half);
    code *= 2;
    for (let left = counts[length] ?? 0; left > 0; left--)
      entries[reverseBits(code++, length)] = ((symbols[at++] ?? 0) << 4) | length;
  }
  return { entries, maxBits };
}

const must = (table: HuffmanTable | undefined): HuffmanTable => {
  if (table === undefined) throw new Error('the fixed code of RFC 1951 is complete');
  return table;
};

// RFC 1951 §3.2.6.
const literalLengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288);
export const fixedLiterals = must(buildTable(literalLengths));
export const fixedDistances = must(buildTable(new Uint8Array(32).fill(5)));
