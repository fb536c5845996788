// A real program as strip and packers would leave it: for programs whose symbols are the truth that the search is held to.

import { readFileSync } from 'node:fs';

const PT_DYNAMIC = 2;
const PT_UNKNOWN = 0x6000_0000;

/** The file with its section table and the dynamic section's type removed: as good as stripped. */
export function withoutSymbols(path: string): Uint8Array {
  const bytes = Uint8Array.from(readFileSync(path));
  const view = new DataView(bytes.buffer);
  view.setBigUint64(40, 0n, true);
  view.setUint16(60, 0, true);
  const table = Number(view.getBigUint64(32, true));
  for (let i = 0; i < view.getUint16(56, true); i++) {
    const at = table + i * view.getUint16(54, true);
    if (view.getUint32(at, true) === PT_DYNAMIC) view.setUint32(at, PT_UNKNOWN, true);
  }
  return bytes;
}
