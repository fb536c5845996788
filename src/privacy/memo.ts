// Remembers what was found in long texts. A conversation sends all its earlier messages and its tool descriptions again with
// every call, and searching them costs far more than finding them again.

/** Shorter texts are searched as fast as they are looked up. */
const MIN_LENGTH = 256;
/** Characters kept, input and output counted: 16 MiB at most of text with one byte per character. */
const MAX_KEPT_LENGTH = 16 * 1024 * 1024;

/** Length of a redacted text beside the text itself: an unchanged one is kept once. */
const textSize = (result: unknown, text: string): number =>
  typeof result === 'string' && result !== text ? result.length : 0;

/**
 * `search` with a memory of two generations: when the younger one is full it becomes the elder, and what only the elder knew is
 * forgotten, so that a text that comes again within half of the memory is never searched again. `sizeOf` says how many
 * characters a result keeps beside its text.
 */
export function createMemo<Result>(
  search: (text: string) => Result,
  sizeOf: (result: Result, text: string) => number = textSize,
): (text: string) => Result {
  let young = new Map<string, Result>();
  let old = new Map<string, Result>();
  let youngLength = 0;
  const keep = (text: string, result: Result): void => {
    const length = text.length + sizeOf(result, text);
    if (length > MAX_KEPT_LENGTH / 2) return;
    if (youngLength + length > MAX_KEPT_LENGTH / 2) {
      old = young;
      young = new Map();
      youngLength = 0;
    }
    young.set(text, result);
    youngLength += length;
  };
  return (text) => {
    if (text.length < MIN_LENGTH) return search(text);
    const known = young.get(text);
    if (known !== undefined) return known;
    const result = old.get(text) ?? search(text);
    keep(text, result);
    return result;
  };
}
