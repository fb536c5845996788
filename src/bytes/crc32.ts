// CRC-32 of RFC 1952 §8 (polynomial EDB88320, reflected), four bytes per step.

const TABLES: readonly Uint32Array[] = (() => {
  const first = new Uint32Array(256).map((_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  const next = (table: Uint32Array): Uint32Array =>
    table.map((value) => ((value >>> 8) ^ (first[value & 0xff] as number)) >>> 0);
  const second = next(first);
  const third = next(second);
  return [first, second, third, next(third)];
})();
const [T0, T1, T2, T3] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

export class Crc32 {
  #state = ~0;

  update(bytes: Uint8Array): void {
    let crc = this.#state;
    let at = 0;
    for (const end = bytes.length - 3; at < end; at += 4) {
      crc ^=
        (bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24);
      crc =
        (T3[crc & 0xff] as number) ^
        (T2[(crc >>> 8) & 0xff] as number) ^
        (T1[(crc >>> 16) & 0xff] as number) ^
        (T0[crc >>> 24] as number);
    }
    for (; at < bytes.length; at++) crc = (crc >>> 8) ^ (T0[(crc ^ (bytes[at] as number)) & 0xff] as number);
    this.#state = crc;
  }

  get value(): number {
    return ~this.#state >>> 0;
  }

  reset(): void {
    this.#state = ~0;
  }
}
