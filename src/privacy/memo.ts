// Remembers what was found in long texts. A conversation sends all its earlier messages and its tool descriptions again with
// every call, and searching them costs far more than finding them again.

/** Shorter texts are searched as fast as they are looked up. */
const MIN_LENGTH = 256;
/** Characters kept, input and output counted: 32 MiB at most of text with one byte per character. */
const MAX_KEPT_LENGTH = 32 * 1024 * 1024;

/** Length of a redacted text beside the text itself: an unchanged one is kept once. */
const textSize = (result: unknown, text: string): number =>
  typeof result === 'string' && result !== text ? result.length : 0;

/**
 * `search` with a memory. When it is full all is forgotten: what is still in use comes back with the next call.
 * `sizeOf` says how many characters a result keeps beside its text.
 */
export function createMemo<Result>(
  search: (text: string) => Result,
  sizeOf: (result: Result, text: string) => number = textSize,
): (text: string) => Result {
  const known = new Map<string, Result>();
  let keptLength = 0;
  return (text) => {
    if (text.length < MIN_LENGTH) return search(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = search(text);
    const length = text.length + sizeOf(result, text);
    if (keptLength + length > MAX_KEPT_LENGTH) {
      known.clear();
      keptLength = 0;
    }
    if (length <= MAX_KEPT_LENGTH) {
      known.set(text, result);
      keptLength += length;
    }
    return result;
  };
}
