// Shortens JSON that is kept beside the text of an answer: base64 images and embeddings must not be kept in memory for a
// note's sake. What is left out is said by length.

/** Longest string that is kept whole inside a note. */
const MAX_NOTE_STRING = 16 * 1024;
/** Longest note, as JSON text. */
const MAX_NOTE_CHARS = 256 * 1024;
const HEAD_CHARS = 256;

const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_NOTE_STRING
    ? `${value.slice(0, HEAD_CHARS)}… [${value.length} characters]`
    : value;

/** The value with its long strings cut, and its JSON text. Depth must be bounded already (readJson does). */
export function elide(json: unknown): { value: unknown; text: string } {
  const text = JSON.stringify(json, shorten) ?? 'null';
  if (text.length <= MAX_NOTE_CHARS) return { value: JSON.parse(text), text };
  const short = `${text.slice(0, HEAD_CHARS)}… [${text.length} characters of JSON]`;
  return { value: short, text: short };
}
