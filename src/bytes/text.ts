// Bytes to text. Protocol elements (heads, lines) are read byte for byte as Latin-1, so that nothing is lost or replaced;
// payload text is UTF-8 and says when it is not.

/** Arguments per `fromCharCode` call: well under every engine's limit for spread arguments. */
const STEP = 4096;

/** Each byte becomes the code point of the same number (ISO 8859-1; not Windows-1252, which TextDecoder would use). */
export function latin1(bytes: Uint8Array): string {
  if (bytes.length <= STEP) return String.fromCharCode(...bytes);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) parts.push(String.fromCharCode(...bytes.subarray(at, at + STEP)));
  return parts.join('');
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 text, or undefined when the bytes are not valid UTF-8. A byte order mark is kept as a character. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-8 text with U+FFFD for what is not valid, as WHATWG formats ask for. */
export function lenientUtf8(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}
