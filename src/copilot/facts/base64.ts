// Base64 to text (RFC 4648 §4 and §5, padding optional). The core has no decoder of its own.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Value of each character code, -1 for those outside both alphabets. */
const VALUES: Int8Array = (() => {
  const values = new Int8Array(128).fill(-1);
  for (let at = 0; at < ALPHABET.length; at += 1) values[ALPHABET.charCodeAt(at)] = at;
  values['-'.charCodeAt(0)] = 62;
  values['_'.charCodeAt(0)] = 63;
  return values;
})();

/** The text, or undefined when `base64` is not base64 or does not hold UTF-8. */
export function base64Text(base64: string): string | undefined {
  const end = base64.length - (/={1,2}$/.exec(base64)?.[0].length ?? 0);
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let held = 0;
  let heldBits = 0;
  let length = 0;
  for (let at = 0; at < end; at += 1) {
    const value = VALUES[base64.charCodeAt(at)] ?? -1;
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xffff;
    heldBits += 6;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes[length] = (held >> heldBits) & 0xff;
    length += 1;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    // Base64 of something that is no text.
    return undefined;
  }
}
