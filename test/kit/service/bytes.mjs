// Deterministic content: the same seed gives the same bytes here, in the clients and in the C programs (xorshift32,
// little-endian words; see c/kit.h), so that nothing has to be stored to be compared.

/** @param {number} seed @returns {() => number} unsigned 32-bit numbers */
export function xorshift32(seed) {
  let state = seed >>> 0 || 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** @param {number} seed @param {number} length */
export function seededBytes(seed, length) {
  const next = xorshift32(seed);
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < words.length; i++) words[i] = next();
  return Buffer.from(words.buffer, 0, length);
}

const WORDS = 'the tracer reads every line of änderung once, naïve café 漢字 and 🙂 emoji cross record borders'.split(
  ' ',
);

/** Text that compresses and has characters of one to four bytes. @param {number} seed @param {number} minBytes */
export function seededText(seed, minBytes) {
  const next = xorshift32(seed);
  const parts = [];
  for (let bytes = 0; bytes < minBytes; ) {
    const word = `${WORDS[next() % WORDS.length]} `;
    parts.push(word);
    bytes += Buffer.byteLength(word);
  }
  return parts.join('');
}

/** Cuts at places that a seed chooses, pieces of 1 to `maxBytes`. @param {Buffer} bytes @param {number} seed @param {number} maxBytes */
export function cutRandomly(bytes, seed, maxBytes) {
  const next = xorshift32(seed);
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + (next() % maxBytes);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
