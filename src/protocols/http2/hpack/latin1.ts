// Bytes to text, one character a byte: field values are octets without a stated charset (RFC 9110 §5.5), and this way
// none is lost or changed.

/** Arguments of one call of `String.fromCharCode`: well below the engine's limit on arguments. */
const CALL_BYTES = 4096;

/** Text of `bytes[start, end)`. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= CALL_BYTES) return charCodes(bytes.subarray(start, end));
  const parts: string[] = [];
  for (let at = start; at < end; at += CALL_BYTES)
    parts.push(charCodes(bytes.subarray(at, Math.min(at + CALL_BYTES, end))));
  return parts.join('');
}

const charCodes = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[]);
