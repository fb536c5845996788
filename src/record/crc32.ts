// CRC-32 as in IEEE 802.3, gzip and PNG (reflected polynomial 0xEDB88320): tells a damaged block from a whole one. It is
// no defence against someone who forges a file.

/** Eight tables of 256: `TABLE[k * 256 + b]` is the CRC of byte b followed by k zero bytes ("slicing by 8"). */
const TABLE = makeTable();

function makeTable(): Uint32Array {
  const table = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    table[byte] = crc;
  }
  for (let i = 256; i < table.length; i++) {
    const before = table[i - 256] ?? 0;
    table[i] = (before >>> 8) ^ (table[before & 255] ?? 0);
  }
  return table;
}

/** CRC-32, unsigned, of `bytes` behind others whose CRC-32 is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const table = TABLE;
  const whole = bytes.length - (bytes.length % 8);
  let crc = before ^ 0xffffffff;
  let i = 0;
  for (; i < whole; i += 8) {
    crc ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    crc =
      (table[1792 + (crc & 255)] as number) ^
      (table[1536 + ((crc >>> 8) & 255)] as number) ^
      (table[1280 + ((crc >>> 16) & 255)] as number) ^
      (table[1024 + (crc >>> 24)] as number) ^
      (table[768 + (bytes[i + 4] as number)] as number) ^
      (table[512 + (bytes[i + 5] as number)] as number) ^
      (table[256 + (bytes[i + 6] as number)] as number) ^
      (table[bytes[i + 7] as number] as number);
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 255] as number);
  return (crc ^ 0xffffffff) >>> 0;
}
