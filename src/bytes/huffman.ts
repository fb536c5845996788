// Canonical Huffman tables of DEFLATE (RFC 1951 §3.2.2) as one flat lookup: index = the next `maxBits` bits as they come
// from the stream (first bit lowest), entry = symbol << 4 | code length, 0 where no code leads.

export interface HuffmanTable {
  readonly entries: Uint16Array;
  readonly maxBits: number;
}

const LONGEST = 15;

const reverseBits = (code: number, length: number): number => {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) if (code & (1 << bit)) reversed |= 1 << (length - 1 - bit);
  return reversed;
};

/** First code of each length, or undefined when the lengths describe more codes than there are. */
function firstCodes(lengths: Uint8Array): { next: Uint16Array; maxBits: number } | undefined {
  const counts = new Uint16Array(LONGEST + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const next = new Uint16Array(LONGEST + 2);
  let code = 0;
  let maxBits = 1;
  for (let length = 1; length <= LONGEST; length++) {
    const count = counts[length] ?? 0;
    next[length] = code;
    code += count;
    if (code > 1 << length) return undefined;
    if (count > 0) maxBits = length;
    code <<= 1;
  }
  return { next, maxBits };
}

/** Table for the given code lengths; undefined when they are over-subscribed. An incomplete code is allowed. */
export function buildTable(lengths: Uint8Array): HuffmanTable | undefined {
  const first = firstCodes(lengths);
  if (first === undefined) return undefined;
  const { next, maxBits } = first;
  const entries = new Uint16Array(1 << maxBits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    const entry = (symbol << 4) | length;
    for (let at = reverseBits(code, length); at < entries.length; at += 1 << length) entries[at] = entry;
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
