// Remembers what long texts became. A conversation sends all its earlier messages and its tool descriptions again with every
// call, and searching them costs far more than finding them again.

/** Shorter texts are searched as fast as they are looked up. */
const MIN_LENGTH = 256;
/** Characters kept, input and output counted: 32 MiB at most of text with one byte per character. */
const MAX_KEPT_LENGTH = 32 * 1024 * 1024;

/** `search` with a memory. When it is full all is forgotten: what is still in use comes back with the next call. */
export function createMemo(search: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  let keptLength = 0;
  return (text) => {
    if (text.length < MIN_LENGTH) return search(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = search(text);
    const length = text.length + (result === text ? 0 : result.length);
    if (keptLength + length > MAX_KEPT_LENGTH) {
      known.clear();
      keptLength = 0;
    }
    if (length <= MAX_KEPT_LENGTH) {
      // An unchanged text is kept once.
      known.set(text, result === text ? text : result);
      keptLength += length;
    }
    return result;
  };
}
